import { folderStore } from "./folder-store.ts";
import type { Store } from "./store.ts";

/**
 * Opens a store by its address: the path of a folder.
 *
 * @throws the error of the file system, with its path
 */
export async function openStore(address: string): Promise<Store> {
  return folderStore(address);
}
