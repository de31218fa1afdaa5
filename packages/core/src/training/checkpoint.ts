import { containerPieces } from "../container/container.ts";
import { type FilePieces, ModelError, readContainer, type Vector } from "../container/index.ts";
import { type Check, having, record, refuse, string } from "../options/index.ts";

/**
 * Keeps the states of a training by name: a training that finds them resumes. `checkpointFolder` of
 * `@arcwise/core/node` keeps them in the files of a folder.
 */
export interface Checkpoint {
  /** Returns the last state of a name; undefined if there is none. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Replaces the state of a name, whole or not at all. The pieces may change when the promise has resolved. */
  write(name: string, state: FilePieces): Promise<void>;
}

/** The facts of the option `checkpoint` of trainings. */
export const CHECKPOINT = {
  check: having<Checkpoint>("a checkpoint, such as checkpointFolder(path)", "read", "write"),
  help: "keeps the state of the training, which resumes from it to the same model, byte for byte",
  programmatic: true,
} as const;

/** A kind of state of a training. */
export interface StateFormat {
  readonly name: string;
  /** Identifies the training: a state of another one is refused. */
  readonly run: string;
  /** Checks the members of a state. */
  readonly check: Check;
  /** Maximum number of entries of a vector whose zeros are not in the file. Default: any number. */
  readonly maxEntries?: number | undefined;
}

/**
 * A state of a training in its checkpoint. Without a checkpoint, there is none, and nothing is written.
 *
 * @typeParam State an object of JSON values and vectors
 */
export class CheckpointState<State extends object> {
  readonly #checkpoint: Checkpoint | undefined;
  readonly #format: StateFormat;
  #isResumed = false;

  constructor(checkpoint: Checkpoint | undefined, format: StateFormat) {
    this.#checkpoint = checkpoint;
    this.#format = format;
  }

  /** Whether a state was read. */
  get isResumed(): boolean {
    return this.#isResumed;
  }

  /** Reads the last state. @throws ModelError when it is damaged, or of another training */
  async read(): Promise<State | undefined> {
    const bytes = await this.#checkpoint?.read(this.#format.name);
    this.#isResumed = bytes !== undefined;
    return bytes && (readState(bytes, this.#format) as State);
  }

  /**
   * Replaces the state, which must not change until the promise has resolved. O(entries).
   *
   * @param stateOf returns the state; it is not called without a checkpoint
   */
  async write(stateOf: () => State): Promise<void> {
    await this.#checkpoint?.write(this.#format.name, statePieces(stateOf(), this.#format.run));
  }
}

const KIND = "checkpoint";
/** The member that stands for a vector: its name in the file. */
const VECTOR = "$vector";
const HEADER: Check = record<{ run: unknown; state: unknown }>({ run: string, state: () => {} });

/** Returns the bytes of a state, in pieces: a container whose sections are named by the paths of vectors. */
function statePieces(state: object, run: string): FilePieces {
  const vectors: Record<string, Vector> = {};
  const header = { run, state: withoutVectors(state, "", vectors) };
  return containerPieces({ kind: KIND, header, vectors });
}

/** Returns a value with names in place of vectors, and adds these to `vectors`. */
function withoutVectors(value: unknown, path: string, vectors: Record<string, Vector>): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (ArrayBuffer.isView(value)) {
    vectors[path] = value as Vector;
    return { [VECTOR]: path };
  }
  const inner = (name: string) => (path === "" ? name : `${path}.${name}`);
  return mapValues(value, (member, name) => withoutVectors(member, inner(name), vectors));
}

function readState(bytes: Uint8Array, { name, run, check, maxEntries = Infinity }: StateFormat): unknown {
  const at = `damaged ${KIND} file: ${name}`;
  const { header, vectors } = readContainer(bytes, KIND, (found, listed) => {
    if ((found as { readonly run?: unknown } | null)?.run !== run)
      throw new ModelError("the checkpoint comes from other training data, options or version of Arcwise");
    HEADER(found, at);
    // A vector of other types has few zeros: the file has at least a byte for each entry.
    const limit = (type: string, length: number) =>
      type === "float32" ? maxEntries : Math.max(maxEntries, length);
    return Object.fromEntries(
      Array.from(listed, ([own, { type, bytes: length }]) => [
        own,
        { type, maxEntries: limit(type, length) },
      ]),
    );
  });
  const state = withVectors((header as { readonly state: unknown }).state, vectors);
  check(state, at);
  return state;
}

/** Returns a value of `withoutVectors` with the vectors that it names. */
function withVectors(value: unknown, vectors: Readonly<Record<string, Vector>>): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (!Object.hasOwn(value, VECTOR)) return mapValues(value, (member) => withVectors(member, vectors));
  const name = (value as { readonly [VECTOR]: unknown })[VECTOR];
  const vector = typeof name === "string" ? vectors[name] : undefined;
  return vector ?? refuse(`damaged ${KIND} file`, "the name of a section", name);
}

function mapValues(value: object, change: (member: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]));
}
