/* Inputs of jobs as names: shared data is a blob, by the hash of its contents. */
import { type Shared, withoutShared } from "../../job.ts";
import { type Hash, hashOf, VERSION } from "./hash.ts";
import { encodeData } from "./plain-data.ts";
import { writeInput } from "./sealed.ts";
import type { Store } from "./store.ts";

/** A shared member of an input, by the name of its data. */
export interface BlobToken {
  readonly $blob: Hash;
}

const names = new WeakMap<Shared<object>, Hash>();

/** Makes a handle stand for a blob, whose name is then not computed. */
export function nameShared(shared: Shared<object>, name: Hash): void {
  names.set(shared, name);
}

/** Returns the name of shared data. O(bytes) the first time. */
function nameOfShared(shared: Shared<object>): Hash {
  const name = names.get(shared) ?? hashOf(encodeData(shared.data));
  names.set(shared, name);
  return name;
}

/** Writes shared data to a store, unless it is there. */
export async function writeShared(store: Store, shared: Shared<object>): Promise<void> {
  // Who shares the data can write it again.
  nameShared(shared, await writeInput(store, encodeData(shared.data), { isDurable: false }));
}

/** Encodes an input, with names in place of shared data. */
export function encodedInput(input: object): Uint8Array {
  return encodeData(withoutShared(input, (shared): BlobToken => ({ $blob: nameOfShared(shared) })));
}

/**
 * Returns the name of the output of a job: the hash of the versions of program and formats, the name of the job, and
 * the hash of its encoded input. It is known before the job is done.
 */
export function outputName(job: string, inputName: Hash): Hash {
  return hashOf(JSON.stringify({ ...VERSION, job, input: inputName }));
}
