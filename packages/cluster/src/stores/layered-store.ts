import { checkArgument, withMembers } from "@arcwise/core/options";
import type { Store } from "@arcwise/jobs/node";
import { openStore } from "./open-store.ts";

/** Where a worker or a command reads and writes blobs. */
export interface StoreAddresses {
  /** Address of the store, see `openStore`. */
  readonly store: string;
  /** Address of a store that is read as well, where `store` lacks a blob, and never written to or changed. */
  readonly readOnlyStore?: string | undefined;
}

/** Opens a store, over one that is read-only if its address is given. @throws as `openStore` */
export async function openStores(addresses: StoreAddresses): Promise<Store> {
  checkArgument(withMembers("the addresses of stores", "store"), addresses, "openStores");
  const { store, readOnlyStore } = addresses;
  const own = await openStore(store);
  if (readOnlyStore === undefined) return own;
  const below = await openStore(readOnlyStore, { isReadOnly: true });
  return {
    address: own.address,
    has: async (name) => (await own.has(name)) || below.has(name),
    read: async (name) => (await own.read(name)) ?? below.read(name),
    write: (name, bytes, options) => own.write(name, bytes, options),
    // A damaged blob below stays, and is covered by the next one of its name.
    setAside: (name) => own.setAside(name),
  };
}
