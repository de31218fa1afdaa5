import { ModelError } from "./model-error.ts";
import { refuse } from "./schema.ts";

/** The arrays of each type of entries. */
interface VectorTypes {
  readonly int8: Int8Array;
  readonly int32: Int32Array;
  readonly float32: Float32Array;
  readonly float64: Float64Array;
}

/** Types of the entries of a section. */
export type EntryType = keyof VectorTypes;

/** A section of a container: numbers of one type. */
export type Vector = VectorTypes[EntryType];

/** The constructors of the arrays. */
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

/** The sections that a file lists, by name. */
export type ListedSections = ReadonlyMap<string, Section>;

/** What the entries of a section must be. */
interface SectionRules<Entries extends Vector> {
  /** Number of entries; undefined: any number. */
  readonly entries?: number | undefined;
  readonly maxEntries?: number | undefined;
  /** Maximum number of zero entries. A file contains all others, which bounds the memory to allocate. */
  readonly maxZeros?: number | undefined;
  /** Checks the entries. @param at name of the section, for messages. @throws ModelError when they are wrong */
  check?(entries: Entries, at: string): void;
  /** The vector to write; undefined when a file is read, and for sections that are left out. */
  readonly vector?: Entries | undefined;
  /** Returns zeros, if they are to be elsewhere than in an array of their own. */
  allocate?(entries: number): Entries;
}

/** A row of a table of sections. */
export interface SectionRow<Type extends EntryType = EntryType> extends SectionRules<VectorTypes[Type]> {
  readonly type: Type;
}

/** A table of sections: by name, what each must be. Undefined rows: no section. */
export type SectionRows = Readonly<Record<string, SectionRow | undefined>>;

/** The vectors of the sections of a table. */
export type VectorsOf<Rows extends SectionRows> = {
  readonly [Name in keyof Rows]: VectorOf<Rows[Name]>;
};

type VectorOf<Row> = Row extends SectionRow<infer Type> ? VectorTypes[Type] : undefined;

function rowsOf<Type extends EntryType>(type: Type) {
  return (rules: SectionRules<VectorTypes[Type]>): SectionRow<Type> => ({ type, ...rules });
}

/** Makes a row for a section of 8-bit integers. */
export const int8 = rowsOf("int8");
/** Makes a row for a section of 32-bit integers. */
export const int32 = rowsOf("int32");
/** Makes a row for a section of 32-bit floats. */
export const float32 = rowsOf("float32");

/** Checks that each entry is above the one before it. */
export function checkAscending(entries: Int32Array, at: string): void {
  const wrong = entries.findIndex((entry, k) => k > 0 && entry <= entries[k - 1]);
  if (wrong > 0) refuse(at, `an entry above ${entries[wrong - 1]}`, entries[wrong]);
}

/** Returns the sections that a file lists by name. @throws ModelError when a name comes twice */
export function sectionsByName(sections: readonly Section[], kind: string): ListedSections {
  const listed = new Map<string, Section>();
  for (const section of sections) {
    if (listed.has(section.name))
      throw new ModelError(`damaged ${kind} file: its section ${JSON.stringify(section.name)} comes twice`);
    listed.set(section.name, section);
  }
  return listed;
}

/**
 * Checks that a file lists the sections of a table and no others, before any of them is read.
 *
 * @throws ModelError when it does not
 */
export function checkSections(listed: ListedSections, rows: SectionRows, kind: string): void {
  for (const [name, row] of Object.entries(rows))
    if (row !== undefined) checkSection(listed.get(name), row, placeOf(name, kind));
  for (const name of listed.keys())
    if (!Object.hasOwn(rows, name) || rows[name] === undefined)
      throw new ModelError(
        `damaged ${kind} file: it has an unknown section ${JSON.stringify(name.slice(0, 60))}`,
      );
}

/** Returns the name of a section for messages. */
export function placeOf(name: string, kind: string): string {
  return `damaged ${kind} file: section ${JSON.stringify(name)}`;
}

function checkSection(
  section: Section | undefined,
  { type, entries, maxEntries = Infinity, maxZeros = Infinity }: SectionRow,
  at: string,
): void {
  if (section?.type !== type) refuse(at, `entries of the type ${type}`, section?.type);
  const found = section.entries;
  if (entries !== undefined && found !== entries) refuse(at, `a length of ${entries}`, found);
  const most = Math.min(maxEntries, Math.floor(section.bytes / entryBytes(section)) + maxZeros);
  if (found > most) refuse(at, `a length of at most ${most}`, found);
}

/** Returns the minimum number of bytes of an entry that is not zero; Infinity if there is none. */
function entryBytes({ type, coding = "sparse" }: Section): number {
  const width = VECTORS[type].BYTES_PER_ELEMENT;
  if (coding === "entropy") return Infinity;
  return coding === "ascending" ? 1 : coding === "plain" ? width : 1 + width;
}
