import { ModelError } from "./model-error.ts";

/** Types of the entries of a section. */
export type EntryType = "int8" | "int32" | "float32" | "float64";

/** A vector of a file before it is read. */
export interface Section {
  readonly name: string;
  readonly type: EntryType;
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
    this.#left = new Map(sections.map((section) => [section.name, section]));
    if (this.#left.size === sections.length) return;
    const names = sections.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) < index)!;
    throw this.#damaged(`its section ${JSON.stringify(twice)} comes twice`);
  }

  /** Takes a section. @throws ModelError when there is none of the name and type */
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
    const { entries, bytes } = this.take(name, type);
    const most = Math.floor(bytes / (1 + WIDTH[type])) + zeros;
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

/** Bytes of an entry. */
export const WIDTH: Readonly<Record<EntryType, number>> = { int8: 1, int32: 4, float32: 4, float64: 8 };
