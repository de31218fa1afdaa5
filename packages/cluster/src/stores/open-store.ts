import { checkArgument, string } from "@arcwise/core/options";
import { folderStore, type Store, type StoreOptions } from "@arcwise/jobs/node";
import { s3Store } from "./s3-store.ts";

/**
 * Opens a store by its address: the path of a folder, or `s3://BUCKET/PREFIX`.
 *
 * @throws as `folderStore` and `s3Store`
 */
export async function openStore(address: string, options: StoreOptions = {}): Promise<Store> {
  checkArgument(string, address, "openStore: address");
  return address.startsWith("s3://") ? s3Store(address, options) : folderStore(address, options);
}
