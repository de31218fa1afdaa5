import { folderStore } from "./folder-store.ts";
import { s3Store } from "./s3-store.ts";
import type { Store } from "./store.ts";

/**
 * Opens a store by its address: the path of a folder, or `s3://BUCKET/PREFIX`.
 *
 * @throws as `folderStore` and `s3Store`
 */
export function openStore(address: string): Promise<Store> {
  return address.startsWith("s3://") ? s3Store(address) : folderStore(address);
}
