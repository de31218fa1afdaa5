/**
 * Regression inputs. Each one once caused an internal error, or was accepted although its scores could not be
 * finite; each must now be refused with the documented error.
 */
import type { JsonEdit, Path } from "./json-edits.ts";

/** A model that must be refused: its name as a test, the subject, edits of `{ kind, sections, header }`. */
export type PastModel = readonly [name: string, subject: string, edits: readonly JsonEdit[]];

const FIRST = "first order";
const at = (...path: Path) => ["header", ...path];
const configuration = (...path: Path) => at("configuration", ...path);
const chain = (...path: Path) => at("columns", 0, "chain", ...path);
const replaced = (subject: string, name: string, path: Path, value: unknown): PastModel => [
  name,
  subject,
  [{ op: "replace", path, value }],
];
const section = (name: string, entries: number): readonly JsonEdit[] => [
  { op: "add", path: ["sections", 3], value: { name, type: "int8", entries, bytes: 0 } },
];

export const PAST_MODELS: readonly PastModel[] = [
  replaced(FIRST, "a scale that makes scores infinite", at("scales", "arcs"), 1e308),
  replaced(FIRST, "a subnormal scale", at("scales", "parts"), 5e-324),
  replaced(FIRST, "a template that cannot be read", configuration("arcTemplates", 0), "x.upos m.upos"),
  replaced(FIRST, "a template that is a number", configuration("prunerTemplates", 0), { length: 1 }),
  replaced(FIRST, "a table of one line, for which codes are shifted by 32", configuration("arcBits"), 0),
  replaced(FIRST, "an unknown kind of parts", configuration("partTemplates"), { constructor: ["h.upos"] }),
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
  replaced(FIRST, "a field __proto__", at("description", "__proto__"), { decoder: "x" }),
  replaced(FIRST, "a section twice", ["sections", 1, "name"], "arcs"),
  ["a section __proto__", FIRST, section("__proto__", 9)],
  ["an unknown section of 256 MB in a file without its bytes", FIRST, section("more", 2 ** 28)],
  replaced(FIRST, "a header that is null", ["header"], null),
  replaced("tagger", "a scale of a tagger that makes scores infinite", chain("scale"), 1e300),
  replaced("tagger", "a template that cannot be read", chain("configuration", "templates", 0), "word+9"),
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

/** Texts that must be refused: the fault, the format, the text. */
export const PAST_TEXTS: readonly (readonly [name: string, format: string, text: string])[] = [
  ["a carriage return in a message", "vectors", "a 1 2\nb 1 x\ry\n"],
  ["a line end in a message", "templates", '{\n"arc":\n[ nothing\n]}'],
  ["a template with a line end", "templates", '{"arc": ["a\\nb"]}'],
  ["a list named __proto__", "templates", '{"__proto__": ["h.upos m.upos"]}'],
  ["a list named constructor", "templates", '{"parts": {"constructor": ["h.upos"]}}'],
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let k = 0; k < depth; k++) value = { more: value };
  return value;
}
