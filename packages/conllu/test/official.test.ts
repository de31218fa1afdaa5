import { validateText } from "@arcwise/conllu";
import { describe, expect, it } from "vitest";

/**
 * The cases of the validator of Universal Dependencies, levels 1 and 2, rebuilt with sentences of our own;
 * and cases near them. What that validator says is the lowest level at which it rejects a file, or "valid".
 */
type Verdict = 1 | 2 | "valid";

const blank = ["_", "_", "_", "_", "_", "_", "_", "_", "_"];

/** A row from its columns, by name; all others are `_`. */
function row(id: string, form: string, columns: Readonly<Record<number, string>> = {}): string {
  const fields = blank.map((value, i) => columns[i + 2] ?? value);
  return [id, form, ...fields.slice(1)].join("\t");
}

const [LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC] = [3, 4, 5, 6, 7, 8, 9, 10];

/** A word with a tag and a relation. */
function word(
  id: number,
  form: string,
  head: number,
  columns: Readonly<Record<number, string>> = {},
): string {
  const deprel = head === 0 ? "root" : "dep";
  return row(`${id}`, form, { [UPOS]: "X", [HEAD]: `${head}`, [DEPREL]: deprel, ...columns });
}

let count = 0;

/** A sentence of rows, with comments; by default its ID and the text `a b`. */
function sentence(rows: readonly string[], comments?: readonly string[]): string {
  const lines = [...(comments ?? [`# sent_id = s${++count}`, "# text = a b"]), ...rows];
  return `${lines.join("\n")}\n\n`;
}

const A = word(1, "a", 0);
const B = word(2, "b", 1);

/** `a b` with changed columns of one of the words. */
const first = (columns: Readonly<Record<number, string>>) => sentence([word(1, "a", 0, columns), B]);
const second = (columns: Readonly<Record<number, string>>) => sentence([A, word(2, "b", 1, columns)]);
/** `a b` with other comments. */
const commented = (...comments: readonly string[]) => sentence([A, B], comments);
/** `a b` with an enhanced graph and an empty node. */
const withEmpty = (columns: Readonly<Record<number, string>>, id = "1.1") =>
  sentence([
    word(1, "a", 0, { [DEPS]: "0:root" }),
    row(id, "e", { [DEPS]: "1:dep", ...columns }),
    word(2, "b", 1, { [DEPS]: "1:dep" }),
  ]);
const graph = (one: string, two: string) =>
  sentence([word(1, "a", 0, { [DEPS]: one }), word(2, "b", 1, { [DEPS]: two })]);
/** `ab`, one token of two words. */
const range = (id: string, columns: Readonly<Record<number, string>> = {}, form = "ab") =>
  sentence([row(id, form, columns), A, B], [`# sent_id = s${++count}`, `# text = ${form}`]);
/** Two sentences, the first with columns of its last token, the second with comments before the others. */
const two = (columns: Readonly<Record<number, string>>, ...comments: readonly string[]) =>
  second(columns) + sentence([A, B], [...comments, `# sent_id = s${++count}`, "# text = a b"]);

const CASES: readonly (readonly [what: string, text: string, verdict: Verdict])[] = [
  ["an empty file", "", "valid"],
  ["a sentence", sentence([A, B]), "valid"],
  ["empty nodes", withEmpty({ [UPOS]: "VERB" }), "valid"],
  ["an empty node without any other column", withEmpty({}), "valid"],
  ["layered features", first({ [FEATS]: "Number=Sing|Number[psor]=Plur" }), "valid"],
  ["several values of a feature", first({ [FEATS]: "Case=Acc,Nom|Number=Sing" }), "valid"],
  ["single spaces in FORM, LEMMA and MISC", spaced("1 000", "1 0", "A=x y"), "valid"],
  // Files and lines.
  ["lines that end in CR LF", sentence([A, B]).replaceAll("\n", "\r\n"), 1],
  ["some lines that end in CR LF", sentence([A, B]) + sentence([A, B]).replace("b\n", "b\r\n"), 1],
  ["a second blank line", `${sentence([A, B])}\n`, 1],
  ["a blank line at the start", `\n${sentence([A, B])}`, 1],
  ["a blank line of spaces", sentence([A, B]).replace(/\n\n$/, "\n \n"), 1],
  ["no blank line at the end", sentence([A, B]).slice(0, -1), 1],
  ["no line end at the end", sentence([A, B]).slice(0, -2), 1],
  ["comments without rows", `${sentence([A, B])}# end\n\n`, 1],
  ["a comment between rows", sentence([A, "# late", B]), 1],
  ["a comment after the rows", sentence([A, B, "# late"]), 1],
  ["a line that is neither row nor comment", sentence([A, `-${B}`]), 1],
  ["a row that begins with a space", sentence([A, ` ${B}`]), 1],
  ["eleven columns", sentence([A, `${B}\t_`]), 1],
  ["nine columns", sentence([A, B.slice(0, -2)]), 1],
  ["a tab at the end of a row", sentence([A, `${B}\t`]), 1],
  ["an empty column", first({ [XPOS]: "" }), 1],
  ["an empty HEAD", sentence([A, word(2, "b", 1, { [HEAD]: "" })]), 1],
  // Numbers.
  ["a word number twice", sentence([A, word(1, "b", 1)]), 1],
  ["numbers that begin with 2", sentence([word(2, "a", 0), word(3, "b", 2)]), 1],
  ["a number left out", sentence([A, word(3, "b", 1)]), 1],
  ["numbers in another order", sentence([B, A]), 1],
  [
    "a number with a zero before it",
    sentence([A, row("02", "b", { [UPOS]: "X", [HEAD]: "1", [DEPREL]: "dep" })]),
    1,
  ],
  [
    "a number that is a letter",
    sentence([A, row("a", "b", { [UPOS]: "X", [HEAD]: "1", [DEPREL]: "dep" })]),
    1,
  ],
  ["a range", range("1-2"), "valid"],
  ["a range with another format", range("1-X"), 1],
  ["a range that ends before it begins", range("2-1"), 1],
  ["a range beyond the sentence", range("1-3"), 1],
  ["a range after its first word", sentence([A, row("1-2", "ab"), B]), 1],
  ["a range of one word", sentence([row("1-1", "a"), A, B]), "valid"],
  ["ranges that overlap", sentence([row("1-2", "ab"), A, row("2-3", "bc"), B, word(3, "c", 1)]), 1],
  ["an empty node with another number", withEmpty({}, "2.1"), 1],
  ["an empty node whose number leaves one out", withEmpty({}, "1.2"), 1],
  [
    "an empty node between a range and its first word",
    sentence([row("1-2", "ab"), row("0.1", "e"), A, B]),
    1,
  ],
  [
    "an empty node inside a range",
    sentence([row("1-2", "ab"), ...rowsOf(withEmpty({}))], textOf("ab")),
    "valid",
  ],
  // White space and Unicode.
  ["a space in XPOS", first({ [XPOS]: "N N" }), 1],
  ["a space before DEPREL", second({ [DEPREL]: " dep" }), 1],
  ["a space before LEMMA", first({ [LEMMA]: " a" }), 1],
  ["a space after MISC", first({ [MISC]: "A=b " }), 1],
  ["two spaces in FORM", spaced("1  000", "_", "_"), 1],
  ["a form that is one space", spaced(" ", "_", "_"), 1],
  ["a form that is one no-break space", spaced("\u00a0", "_", "_"), 1],
  ["a lemma that is one space", spaced("x", " ", "_"), 1],
  ["a zero-width no-break space in XPOS", first({ [XPOS]: "N\ufeffN" }), "valid"],
  ["a space in the form of a range", range("1-2", {}, "a b"), 1],
  ["a form that is not normalised", spaced("e\u0301", "_", "_"), 1],
  ["a comment that is not normalised", commented("# e\u0301", `# sent_id = s${++count}`, "# text = a b"), 1],
  // Heads and trees.
  ["a head that is not a number", second({ [HEAD]: "x" }), 2],
  ["no head", second({ [HEAD]: "_" }), 2],
  ["a head beyond the sentence", second({ [HEAD]: "3" }), 2],
  ["a word as its own head", second({ [HEAD]: "2" }), 2],
  ["a cycle", sentence([A, word(2, "b", 3), word(3, "c", 2)], textOf("a b c")), 2],
  ["no root", sentence([word(1, "a", 2), B]), 2],
  ["two roots", second({ [HEAD]: "0", [DEPREL]: "root" }), 2],
  ["a range with a head", range("1-2", { [HEAD]: "0" }), 2],
  ["a range with a lemma and a tag", range("1-2", { [LEMMA]: "ab", [UPOS]: "X" }), 2],
  ["a range with DEPS", range("1-2", { [DEPS]: "0:root" }), 2],
  ["a range with Typo=Yes", range("1-2", { [FEATS]: "Typo=Yes" }), "valid"],
  ["a range with other features", range("1-2", { [FEATS]: "Number=Sing" }), 2],
  ["an empty node with a head", withEmpty({ [HEAD]: "1" }), 2],
  ["an empty node with a relation", withEmpty({ [DEPREL]: "dep" }), 2],
  // Tags, features and relations.
  ["a tag in lower case", first({ [UPOS]: "noun" }), 2],
  ["a tag other than the 17", first({ [UPOS]: "NOUNS" }), 2],
  ["no tag", first({ [UPOS]: "_" }), 2],
  ["a tag in lower case at an empty node", withEmpty({ [UPOS]: "verb" }), 2],
  ["a feature with two equals signs", first({ [FEATS]: "A=B=C" }), 2],
  ["a feature in lower case", first({ [FEATS]: "lower=Yes" }), 2],
  ["a value in lower case", first({ [FEATS]: "Lower=yes" }), 2],
  ["a feature in lower case at an empty node", withEmpty({ [FEATS]: "tense=Pres" }), 2],
  ["a value in lower case at an empty node", withEmpty({ [FEATS]: "Tense=pres" }), 2],
  ["a feature twice", first({ [FEATS]: "Gen=M|Gen=M" }), 2],
  ["a layered feature twice", first({ [FEATS]: "Number=Sing|Number[psor]=Plur|Number[psor]=Sing" }), 2],
  ["a value twice", first({ [FEATS]: "Gen=M,M" }), 2],
  ["features in another order", first({ [FEATS]: "XB=True|Xa=True" }), 2],
  ["layered features in another order", first({ [FEATS]: "Number[psor]=Plur|Number=Sing" }), 2],
  ["features sorted with their values", first({ [FEATS]: "A1=Yes|A=Yes" }), "valid"],
  ["features sorted without their values", first({ [FEATS]: "A=Yes|A1=Yes" }), 2],
  ["values in another order", first({ [FEATS]: "Case=Nom,Acc" }), 2],
  ["a relation in upper case", second({ [DEPREL]: "Punct" }), 2],
  ["an unknown relation", second({ [DEPREL]: "subj" }), 2],
  ["no relation", second({ [DEPREL]: "_" }), 2],
  ["a relation with two subtypes", second({ [DEPREL]: "nmod:a:b" }), 2],
  ["a relation with an unknown subtype", second({ [DEPREL]: "nmod:a" }), "valid"],
  // Enhanced graphs.
  ["a graph", graph("0:root", "1:dep"), "valid"],
  ["a graph with ref and case markers", graph("0:root", "1:nmod:in_front_of:gen|1:ref"), "valid"],
  ["an edge without a colon", graph("0:root", "1"), 2],
  ["an edge without a head", graph("0:root", "dep"), 2],
  ["an edge from a missing word", graph("0:root", "3:dep"), 2],
  ["edges in another order", sentence(threeWords("0:root", "1:dep", "2:dep|1:dep"), textOf("a b c")), 2],
  ["relations in another order", graph("0:root", "1:dep|1:conj"), 2],
  ["an edge twice", graph("0:root", "1:dep|1:dep"), 2],
  ["an edge from a word to itself", graph("0:root", "1:dep|2:dep"), 2],
  ["an edge in upper case", graph("0:root", "1:Dep"), 2],
  ["an edge with an unknown relation", graph("0:root", "1:subj"), 2],
  ["a graph without a root", graph("2:dep", "1:dep"), 2],
  ["a word without an edge", graph("0:root", "_"), 2],
  ["an empty node without an edge", withEmpty({ [DEPS]: "_" }), 2],
  ["a graph in the first sentence only", graph("0:root", "1:dep") + sentence([A, B]), 2],
  ["a graph in the second sentence only", sentence([A, B]) + graph("0:root", "1:dep"), 2],
  // MISC.
  ["an empty item in MISC", first({ [MISC]: "A=1||B=2" }), "valid"],
  ["an attribute of one value twice", first({ [MISC]: "Gloss=a|Gloss=b" }), 2],
  ["an attribute of several values twice", first({ [MISC]: "Entity=a|Entity=b" }), "valid"],
  ["a reference twice", first({ [MISC]: "Ref=a|Ref=b" }), 2],
  // IDs.
  ["no sent_id", commented("# text = a b"), 2],
  ["two sent_ids", commented("# sent_id = x1", "# sent_id = x2", "# text = a b"), 2],
  ["a sent_id with a space", commented("# sent_id = x y", "# text = a b"), 2],
  ["a sent_id with a space after it", commented("# sent_id = x ", "# text = a b"), 2],
  ["a sent_id of another name", commented("# sent_id = x3", "# sent_id_old = x", "# text = a b"), 2],
  ["a sent_id with one slash", commented("# sent_id = x/en", "# text = a b"), "valid"],
  ["a sent_id with two slashes", commented("# sent_id = x/en/1", "# text = a b"), 2],
  ["a sent_id twice", commented("# sent_id = y", "# text = a b").repeat(2), 2],
  ["a sent_id without spaces around it", commented("#sent_id=z", "#text=a b"), "valid"],
  ["a malformed parallel_id", commented("# sent_id = p1", "# parallel_id would be c/1", "# text = a b"), 2],
  [
    "two parallel_ids",
    commented("# sent_id = p2", "# parallel_id = c/2", "# parallel_id = c/3", "# text = a b"),
    2,
  ],
  // Texts.
  ["no text", commented("# sent_id = t1"), 2],
  ["an empty text", commented("# sent_id = t2", "# text ="), 2],
  ["two texts", commented("# sent_id = t3", "# text = a b", "# text = a b"), 2],
  ["a space after the text", commented("# sent_id = t4", "# text = a b "), 2],
  ["two spaces in the text", commented("# sent_id = t5", "# text = a  b"), "valid"],
  ["a no-break space in the text", commented("# sent_id = t6", "# text = a\u00a0b"), "valid"],
  ["a text of another form", commented("# sent_id = t7", "# text = a c"), 2],
  ["a text that goes on", commented("# sent_id = t8", "# text = a b c"), 2],
  ["a text without a space", commented("# sent_id = t9", "# text = ab"), 2],
  ["SpaceAfter=No before a space", first({ [MISC]: "SpaceAfter=No" }), 2],
  [
    "SpaceAfter=No before no space",
    sentence([word(1, "a", 0, { [MISC]: "SpaceAfter=No" }), B], textOf("ab")),
    "valid",
  ],
  ["SpaceAfter=No at the last token", second({ [MISC]: "SpaceAfter=No" }), "valid"],
  ["SpaceAfter with another value", first({ [MISC]: "SpaceAfter=Yes" }), 2],
  ["SpaceAfter without a value", first({ [MISC]: "SpaceAfter" }), "valid"],
  ["SpacesAfter", second({ [MISC]: "SpacesAfter=\\n" }), "valid"],
  ["NoSpaceAfter=Yes", second({ [MISC]: "NoSpaceAfter=Yes" }), 2],
  ["NoSpaceAfter=Yes with another attribute", second({ [MISC]: "A=b|NoSpaceAfter=Yes" }), 2],
  ["SpaceAfter=No at an empty node", withEmpty({ [MISC]: "SpaceAfter=No" }), 2],
  [
    "SpaceAfter=No at a word of a range",
    sentence([row("1-2", "ab"), word(1, "a", 0, { [MISC]: "SpaceAfter=No" }), B], textOf("ab")),
    2,
  ],
  ["SpaceAfter=No before a sentence", two({ [MISC]: "SpaceAfter=No" }), "valid"],
  ["SpaceAfter=No before newpar", two({ [MISC]: "SpaceAfter=No" }, "# newpar"), 2],
  ["SpaceAfter=No before newpar with an ID", two({ [MISC]: "SpaceAfter=No" }, "# newpar id = p"), "valid"],
  ["SpaceAfter=No before newdoc", two({ [MISC]: "SpaceAfter=No" }, "# newdoc id = d"), "valid"],
  ["newdoc and newpar", two({}, "# newdoc id = d", "# newpar"), "valid"],
  ["two newdocs", two({}, "# newdoc", "# newdoc"), 2],
  ["two newpars", two({}, "# newpar", "# newpar p"), 2],
  ["a comment that only begins like newpar", two({}, "# newpar", "# newparagraph"), "valid"],
];

/** One word with these columns. */
function spaced(form: string, lemma: string, misc: string): string {
  const columns = { [LEMMA]: lemma, [MISC]: misc };
  return sentence([word(1, form, 0, columns)], [`# sent_id = s${++count}`, `# text = ${form}`]);
}

function textOf(text: string): string[] {
  return [`# sent_id = s${++count}`, `# text = ${text}`];
}

function rowsOf(text: string): string[] {
  return text.trimEnd().split("\n").slice(2);
}

function threeWords(...deps: readonly [string, string, string]): string[] {
  const heads = [0, 1, 1];
  return ["a", "b", "c"].map((form, i) => word(i + 1, form, heads[i]!, { [DEPS]: deps[i]! }));
}

describe("the validator of Universal Dependencies", () => {
  it.each(CASES)("%s", (_what, text, verdict) => {
    const levels = ([1, 2] as const).filter((level) =>
      [...validateText(text, { level })].some(({ severity }) => severity === "error"),
    );
    expect(levels[0] ?? "valid").toBe(verdict);
  });
});
