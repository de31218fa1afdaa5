import { ArcwiseError } from "@arcwise/core/errors";
import { checkArgument, optional, shaped, string, withMembers } from "@arcwise/core/options";
import { checkJob, type Job, type Shared, sharedElsewhere, sharedMembers } from "../../job.ts";
import { blobName, type Hash, hashOf } from "./hash.ts";
import { decodeData, encodeText, textOf } from "./plain-data.ts";
import { foundOutput, readInput, writeInput } from "./sealed.ts";
import { type BlobToken, encodedInput, nameShared, outputName, writeShared } from "./shared-blobs.ts";
import { isStore, type ReadOptions, type Store } from "./store.ts";
import type { StoredOutput } from "./stored.ts";

/** Number of shared data that are kept in memory. */
const MAX_KEPT = 4;

/** Maximum length of an input that is given with the name of its job: a reference, not data. */
export const MAX_GIVEN = 2 ** 13;

/** A job and its input, by name. */
export interface NamedJob {
  readonly job: string;
  /** Name of the encoded input. */
  readonly input: Hash;
  /** The JSON text of the input, if it is short: the store then lacks it. */
  readonly given?: string | undefined;
}

const NAMED = shaped<NamedJob>("a job and its input, by name", {
  job: string,
  input: blobName,
  given: optional(string),
});

/**
 * Inputs and outputs of jobs as blobs of a store, for other processes. Keeps the shared data that was read last, but
 * not the data of lists.
 */
export class JobBlobs {
  readonly #store: Store;
  readonly #reading: ReadOptions;
  readonly #written = new WeakMap<Shared<object>, Promise<void>>();
  readonly #handles = new Map<Hash, Shared<object>>();
  /** Data by name, the last used last. */
  readonly #data = new Map<Hash, Promise<object>>();

  constructor(store: Store, reading: ReadOptions = {}) {
    checkArgument(isStore, store, "JobBlobs: store");
    checkArgument(withMembers("options"), reading, "JobBlobs: reading");
    this.#store = store;
    this.#reading = reading;
  }

  /** Writes the shared data of the input of a job, and the input unless it is short, as far as they are not there. */
  async write<In extends object, Out>(job: Job<In, Out>, input: In): Promise<NamedJob> {
    checkJob(job, input);
    await Promise.all(sharedMembers(input).map((shared) => this.#writeOnce(shared)));
    const encoded = encodedInput(input);
    const given = encoded.length <= MAX_GIVEN ? textOf(encoded) : undefined;
    if (given !== undefined) return { job: job.name, input: hashOf(encoded), given };
    return { job: job.name, input: await writeInput(this.#store, encoded, { isDurable: false }) };
  }

  #writeOnce(shared: Shared<object>): Promise<void> {
    const written = this.#written.get(shared) ?? writeShared(this.#store, shared);
    this.#written.set(shared, written);
    written.catch(() => this.#written.delete(shared));
    return written;
  }

  /** Has shared data written again by the next `write`, where it was damaged. */
  forget(input: object): void {
    checkArgument(withMembers("an object"), input, "forget: input");
    for (const shared of sharedMembers(input)) this.#written.delete(shared);
  }

  /** Returns an input with handles of its shared data. */
  async read(job: NamedJob): Promise<object> {
    const named = await this.#input(job);
    if (Array.isArray(named) || ArrayBuffer.isView(named) || typeof named !== "object" || named === null)
      throw new ArcwiseError(
        "invalid-data",
        `${this.#store.address}: ${job.input} is not the input of a job`,
      );
    const entries = Object.entries(named).map(([member, value]) => [
      member,
      isToken(value)
        ? handleOf(value.$blob, () => this.#kept(value.$blob))
        : Array.isArray(value)
          ? value.map((one: unknown) => (isToken(one) ? this.#listed(one.$blob) : one))
          : value,
    ]);
    return Object.fromEntries(entries) as object;
  }

  /** Returns whether the input of a job and its shared data are there; data that was damaged may have been set aside. */
  async hasInput(job: NamedJob): Promise<boolean> {
    const named = await this.#input(job, { patience: 0 }).catch(() => undefined);
    const tokens = Object.values(named ?? {})
      .flat()
      .filter(isToken);
    const found = await Promise.all(tokens.map(({ $blob }) => this.#store.has($blob)));
    return named !== undefined && found.every(Boolean);
  }

  /** Returns whether the output of a job is there. */
  async isDone(job: NamedJob): Promise<boolean> {
    return this.#store.has(nameOfOutput(job));
  }

  /** Returns the output of a job; undefined if there is none, or it was damaged, and is set aside. */
  async output(job: NamedJob): Promise<StoredOutput | undefined> {
    return (await foundOutput(this.#store, nameOfOutput(job))) as StoredOutput | undefined;
  }

  /** Returns an input with names in place of shared data. */
  async #input(job: NamedJob, reading?: ReadOptions): Promise<object> {
    checkArgument(NAMED, job, "the input of a job");
    const { input, given } = job;
    if (given === undefined) return this.#read(input, "the input of a job", reading);
    const encoded = encodeText(given);
    if (hashOf(encoded) === input) return decodeData(encoded) as object;
    const found = `an input of the hash ${hashOf(encoded)}`;
    throw new ArcwiseError("invalid-data", `expected the input ${input} of a job, found ${found}`, {
      ...{ expected: input, found },
    });
  }

  /** Returns the handle of data in a list, the same one each time. */
  #listed(name: Hash): Shared<object> {
    const handle = this.#handles.get(name) ?? handleOf(name, () => this.#read(name, "data of a job"));
    this.#handles.set(name, handle);
    return handle;
  }

  #kept(name: Hash): Promise<object> {
    const data = this.#data.get(name) ?? this.#read(name, "data of a job");
    this.#data.delete(name);
    this.#data.set(name, data);
    data.catch(() => this.#data.delete(name));
    for (const old of [...this.#data.keys()].slice(0, -MAX_KEPT)) this.#data.delete(old);
    return data;
  }

  #read(name: Hash, what: string, reading: ReadOptions = {}): Promise<object> {
    return readInput(this.#store, { ...this.#reading, ...reading, name, what }) as Promise<object>;
  }
}

function handleOf(name: Hash, read: () => Promise<object>): Shared<object> {
  const handle = sharedElsewhere(read);
  nameShared(handle, name);
  return handle;
}

function isToken(value: unknown): value is BlobToken {
  return typeof value === "object" && value !== null && "$blob" in value;
}

function nameOfOutput(named: NamedJob): Hash {
  checkArgument(NAMED, named, "the output of a job");
  return outputName(named.job, named.input);
}
