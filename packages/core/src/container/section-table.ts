import { ModelError } from "./model-error.ts";

/** Types of the entries of a section. */
export type EntryType = "int8" | "int32" | "float32" | "float64";

/** A section of a container: numbers of one type. */
export type Vector = Int8Array | Int32Array | Float32Array | Float64Array;

/** The arrays of each type. */
export const VECTORS = {
  int8: Int8Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

/** How the entries of a section are stored, see `codings.ts`. */
export type Coding = "sparse" | "plain" | "ascending" | "entropy" | "runs";

/** The codings of each type. */
export const CODINGS: Readonly<Record<EntryType, readonly Coding[]>> = {
  int8: ["sparse", "plain", "entropy", "runs"],
  int32: ["sparse", "plain", "ascending"],
  float32: ["sparse", "plain"],
  float64: ["sparse", "plain"],
};

/** A vector of a file before it is read. */
export interface Section {
  readonly name: string;
  readonly type: EntryType;
  /** Absent in files of version 1: sparse. */
  readonly coding?: Coding | undefined;
  readonly entries: number;
  readonly bytes: number;
}

/**
 * The sections that a file lists, before any of them is read. A check takes the sections that follow from the
 * header, with their numbers of entries; a file with a section that no check takes is refused.
 */
export class SectionTable {
  readonly all: readonly Section[];
  readonly #kind: string;
  readonly #left: Map<string, Section>;

  /** @throws ModelError when a name comes twice */
  constructor(kind: string, sections: readonly Section[]) {
    this.#kind = kind;
    this.all = sections;
    this.#left = new Map();
    for (const section of sections) {
      const { name } = section;
      if (this.#left.has(name)) throw this.#damaged(`its section ${JSON.stringify(name)} comes twice`);
      this.#left.set(name, section);
    }
  }

  /** Takes a section. @throws ModelError when a section of this name and type does not exist */
  take(name: string, type: EntryType): Section {
    const section = this.#left.get(name);
    if (section?.type !== type) {
      const found = section === undefined ? "none" : `one of ${section.type}`;
      throw this.#damaged(`expected a section "${name}" of ${type}, found ${found}`);
    }
    this.#left.delete(name);
    return section;
  }

  /** Takes a section with a known number of entries. @throws ModelError when it has another one */
  expect(name: string, type: EntryType, entries: number): void {
    const found = this.take(name, type).entries;
    if (found !== entries) {
      throw this.#damaged(`expected ${entries} entries of its section "${name}", found ${found}`);
    }
  }

  /**
   * Takes a section that has at most `zeros` zero entries, and returns its number of entries. The file
   * contains all others, which bounds the memory to allocate.
   */
  takeDense(name: string, type: EntryType, zeros: number): number {
    const section = this.take(name, type);
    const { entries } = section;
    const most = Math.floor(section.bytes / entryBytes(section)) + zeros;
    if (entries > most) {
      throw this.#damaged(`expected at most ${most} entries of its section "${name}", found ${entries}`);
    }
    return entries;
  }

  /**
   * Takes a section that has at most `most` entries, and returns its number of entries.
   *
   * @throws ModelError when it has more
   */
  takeAtMost(name: string, type: EntryType, most: number): number {
    const { entries } = this.take(name, type);
    if (entries > most) {
      throw this.#damaged(`expected at most ${most} entries of its section "${name}", found ${entries}`);
    }
    return entries;
  }

  /** Takes all remaining sections. */
  takeAll(): void {
    this.#left.clear();
  }

  /** @throws ModelError when a section was not taken */
  finish(): void {
    for (const name of this.#left.keys()) {
      throw this.#damaged(`it has an unknown section ${JSON.stringify(name.slice(0, 60))}`);
    }
  }

  #damaged(what: string): ModelError {
    return new ModelError(`damaged ${this.#kind} file: ${what}`);
  }
}

/** Returns the minimum number of bytes of an entry that is not zero; Infinity if there is none. */
function entryBytes({ type, coding = "sparse" }: Section): number {
  const width = VECTORS[type].BYTES_PER_ELEMENT;
  if (coding === "entropy") return Infinity;
  return coding === "ascending" ? 1 : coding === "plain" ? width : 1 + width;
}
