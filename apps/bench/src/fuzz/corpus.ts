/**
 * Regression inputs. Each one once caused an internal error, or was accepted although its scores could not be
 * finite; each must now be refused with the documented error.
 */
import { type Forgery, putTogether } from "./forge.ts";

/** A change of one value of a header, as in JSON Patch (RFC 6902). */
export interface HeaderPatch {
  readonly op: "replace" | "add" | "remove";
  /** The keys of the path to the value, from the top of `{ kind, sections, header }`. */
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
}

/** A model that must be refused. */
export interface PastModel {
  /** The fault, as the name of a test. */
  readonly name: string;
  /** The name of the subject that is changed. */
  readonly subject: string;
  readonly patches: readonly HeaderPatch[];
}

const at = (...path: (string | number)[]) => ["header", ...path];
const configuration = (...path: (string | number)[]) => at("configuration", ...path);
const chain = (...path: (string | number)[]) => at("columns", 0, "chain", ...path);

function replaced(subject: string, name: string, path: HeaderPatch["path"], value: unknown): PastModel {
  return { name, subject, patches: [{ op: "replace", path, value }] };
}

const FIRST = "first order";

export const PAST_MODELS: readonly PastModel[] = [
  replaced(FIRST, "a scale that makes scores infinite", at("scales", "arcs"), 1e308),
  replaced(FIRST, "a subnormal scale", at("scales", "parts"), 5e-324),
  replaced(FIRST, "a template that cannot be read", configuration("arcTemplates", 0), "x.upos m.upos"),
  replaced(FIRST, "a template that is a number", configuration("prunerTemplates", 0), { length: 1 }),
  replaced(FIRST, "a table of one line, for which codes are shifted by 32", configuration("arcBits"), 0),
  replaced(FIRST, "an unknown kind of parts", configuration("partTemplates"), {
    constructor: ["h.upos"],
  }),
  replaced(FIRST, "parts that its decoder cannot score", configuration("partTemplates"), { sibling: [] }),
  replaced(FIRST, "a pruner that keeps no head", configuration("pruning", "most"), 0),
  replaced(FIRST, "a ratio below 0", configuration("pruning", "ratio"), -1),
  replaced(FIRST, "an order that is a text", configuration("order"), "2"),
  replaced(FIRST, "a distance that does not fit into 32 bits", at("reach", 5), 1e300),
  replaced(FIRST, "a pair of tags without labels", at("filter", "start", 1), 0),
  replaced(FIRST, "a label twice", at("labels", 1), "root"),
  replaced(FIRST, "a label with a line end", at("labels", 0), "a\nb"),
  replaced(FIRST, "a decoder with a line end in its name", configuration("decoder"), "a\nb"),
  replaced(FIRST, "a word twice", at("encoder", "words"), ["a", "a"]),
  replaced(FIRST, "a description nested a thousand deep", at("description", "more"), nested(1000)),
  replaced(FIRST, "a share of a column that is null", at("description", "columns"), { upos: null }),
  {
    name: "a field __proto__",
    subject: FIRST,
    patches: [{ op: "add", path: at("description", "__proto__"), value: { decoder: "x" } }],
  },
  {
    name: "a section twice",
    subject: FIRST,
    patches: [{ op: "replace", path: ["sections", 1, "name"], value: "arcs" }],
  },
  {
    name: "a section __proto__",
    subject: FIRST,
    patches: [
      { op: "add", path: ["sections", 3], value: { name: "__proto__", type: "int8", entries: 9, bytes: 0 } },
    ],
  },
  {
    name: "an unknown section of 256 MB in a file without its bytes",
    subject: FIRST,
    patches: [
      { op: "add", path: ["sections", 3], value: { name: "more", type: "int8", entries: 2 ** 28, bytes: 0 } },
    ],
  },
  replaced("tagger", "a scale of a tagger that makes scores infinite", chain("scale"), 1e300),
  replaced(
    "tagger",
    "a template of a tagger that cannot be read",
    chain("configuration", "templates", 0),
    "word+9",
  ),
  replaced("tagger", "a tagger without labels", chain("configuration", "labels"), []),
  replaced("tagger", "a label of a tagger with a tab", chain("configuration", "labels", 0), "A\tB"),
  replaced("tagger", "an unknown column", at("columns", 0, "name"), "toString"),
  replaced("tagger", "an incomplete description of a tagger", at("description"), { columns: {} }),
  replaced(
    "graphs",
    "a template of senses with a feature that the encoder lacks",
    at("senses", "configuration", "predicates", 1),
    "h.Case",
  ),
  replaced("graphs", "labels of a pair of tags that do not ascend", at("filter", "list", 1), 0),
];

/** A file of text that must be refused. */
export interface PastFile {
  readonly name: string;
  /** The name of a format of `fileFormats`. */
  readonly format: string;
  readonly text: string;
}

export const PAST_FILES: readonly PastFile[] = [
  { name: "a carriage return in a message", format: "vectors", text: "a 1 2\nb 1 x\ry\n" },
  { name: "a line end in a message", format: "templates", text: '{\n"arc":\n[ nothing\n]}' },
  { name: "a template with a line end", format: "templates", text: '{"arc": ["a\\nb"]}' },
  { name: "a list named __proto__", format: "templates", text: '{"__proto__": ["h.upos m.upos"]}' },
  { name: "a list named constructor", format: "templates", text: '{"parts": {"constructor": ["h.upos"]}}' },
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let k = 0; k < depth; k++) value = { more: value };
  return value;
}

/** The file of a subject with its header patched. */
export function patched({ json, bodies }: Forgery, patches: readonly HeaderPatch[]): Uint8Array {
  const copy = structuredClone(json);
  for (const { op, path, value } of patches) {
    const holder = path
      .slice(0, -1)
      .reduce<Record<string, unknown>>((inner, key) => inner[key] as Record<string, unknown>, copy as never);
    const key = path.at(-1)!;
    if (op === "remove") delete holder[key];
    else if (op === "add" && Array.isArray(holder)) holder.splice(Number(key), 0, value);
    else {
      const property = { value, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(holder, key, property);
    }
  }
  return putTogether({ json: copy, bodies });
}
