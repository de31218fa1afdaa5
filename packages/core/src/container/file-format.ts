import { type Container, readContainer, writeContainer } from "./container.ts";
import { type Check, optional } from "./schema.ts";
import type { SectionRow, SectionRows, VectorsOf } from "./sections.ts";

/**
 * How a model, or a part of one, is stored in a file: a header and a table of sections. Everything that a file
 * may contain follows from these: what they do not allow is refused before memory is allocated for it.
 */
export interface FilePart<Model, Header, Rows extends SectionRows> {
  /** Checks the header. */
  readonly header: Check<Header>;
  headerOf(model: Model): Header;
  /**
   * Returns the table of the sections that follow from a checked header, in the order of the file.
   *
   * @param entriesOf returns the number of entries that the file lists for a section; 0 for one that it lacks
   * @param model the model that is written, of which the rows have the vectors; undefined: a file is read
   */
  sections(header: Header, entriesOf: (name: string) => number, model?: Model): Rows;
  /** Makes a model of a checked header and its sections. */
  read(header: Header, vectors: VectorsOf<Rows>): Model;
}

/** How models of a kind are stored in files. */
export interface FileFormat<Model, Header, Rows extends SectionRows> extends FilePart<Model, Header, Rows> {
  /** The kind of file, such as "tagger". */
  readonly kind: string;
}

/** Returns a format, with the types that follow from its table of sections. */
export function fileFormat<Model, Header, Rows extends SectionRows>(
  format: FileFormat<Model, Header, Rows>,
): FileFormat<Model, Header, Rows> {
  return format;
}

/** Returns the file of a model. O(entries). */
export function writeModel<Model, Header, Rows extends SectionRows>(
  { kind, headerOf, sections }: FileFormat<Model, Header, Rows>,
  model: Model,
): Uint8Array {
  const header = headerOf(model);
  const rows: [string, SectionRow | undefined][] = Object.entries(sections(header, () => 0, model));
  return writeContainer({
    kind,
    header,
    vectors: Object.fromEntries(rows.map(([name, row]) => [name, row?.vector])),
  });
}

/**
 * Reads the file of a model.
 *
 * @throws ModelError when the bytes are not such a file, are damaged, cut short, or of a newer version
 * @throws ArcwiseError `invalid-argument` when they are not bytes
 */
export function readModel<Model, Header, Rows extends SectionRows>(
  { kind, header: check, sections, read }: FileFormat<Model, Header, Rows>,
  bytes: Uint8Array,
): Model {
  const { header, vectors }: Container = readContainer(bytes, kind, (value, listed) => {
    check(value, `damaged ${kind} file: header`);
    return sections(value as Header, (name) => listed.get(name)?.entries ?? 0);
  });
  return read(header as Header, vectors as VectorsOf<Rows>);
}

/** Returns a part of a file that may be absent. */
export function optionalPart<Model, Header, Rows extends SectionRows>(
  part: FilePart<Model, Header, Rows>,
): FilePart<Model | undefined, Header | undefined, Partial<Rows>> {
  return {
    header: optional(part.header),
    headerOf: (model) => model && part.headerOf(model),
    sections: (header, ...file) => (header === undefined ? {} : part.sections(header, ...file)),
    read: (header, vectors) =>
      header === undefined ? undefined : part.read(header, vectors as VectorsOf<Rows>),
  };
}

/** Returns a part of a file with a prefix before the names of its sections. */
export function prefixed<Model, Header, Rows extends SectionRows>(
  prefix: string,
  part: FilePart<Model, Header, Rows>,
): FilePart<Model, Header, SectionRows> {
  const nameOf = (name: string) => `${prefix}.${name}`;
  return {
    ...part,
    sections(header, entriesOf, model) {
      const rows = part.sections(header, (name) => entriesOf(nameOf(name)), model);
      return Object.fromEntries(Object.entries(rows).map(([name, row]) => [nameOf(name), row]));
    },
    read(header, vectors) {
      const own = Object.entries(vectors).filter(([name]) => name.startsWith(nameOf("")));
      const named = own.map(([name, vector]) => [name.slice(nameOf("").length), vector] as const);
      return part.read(header, Object.fromEntries(named) as VectorsOf<Rows>);
    },
  };
}
