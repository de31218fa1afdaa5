import { checkArgument, withMembers } from "@arcwise/core/options";
import type { Hash, Store, WriteOptions } from "@arcwise/jobs/node";
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
  return new LayeredStore(own, await openStore(readOnlyStore, { isReadOnly: true }));
}

/** A store over another one, to which nothing is written. */
class LayeredStore implements Store {
  readonly address: string;
  readonly #own: Store;
  readonly #below: Store;

  constructor(own: Store, below: Store) {
    this.address = own.address;
    this.#own = own;
    this.#below = below;
  }

  async has(name: Hash): Promise<boolean> {
    return (await this.#own.has(name)) || this.#below.has(name);
  }

  async read(name: Hash): Promise<Uint8Array | undefined> {
    return (await this.#own.read(name)) ?? this.#below.read(name);
  }

  write(name: Hash, bytes: Uint8Array, options?: WriteOptions): Promise<void> {
    return this.#own.write(name, bytes, options);
  }

  /** A damaged blob below stays, and is covered by the next one of its name. */
  setAside(name: Hash): Promise<string | undefined> {
    return this.#own.setAside(name);
  }
}
