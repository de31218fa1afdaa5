import { parseConllu } from "@arcwise/conllu";
import { ArcwiseError } from "@arcwise/core/errors";
import { describe, expect, test } from "vitest";
import { contentOf, documentText, type Note, openDocument } from "../../src/correct/document.ts";
import type { Edit, OwnEdit } from "../../src/correct/edits.ts";
import { perform, startHistory } from "../../src/correct/history.ts";
import { columns } from "./examples.ts";

/** "She saw the du old cat": one multiword token, a graph with an empty node. */
const ROWS = [
  "# sent_id = s1",
  "# text = She saw du cat.",
  columns("1 She she PRON _ _ 2 nsubj 2:nsubj|3.1:nsubj _"),
  columns("2 saw see VERB _ _ 0 root 0:root _"),
  columns("3-4 du _ _ _ _ _ _ _ _"),
  columns("3 de de ADP _ _ 5 case 5:case _"),
  columns("3.1 seen _ _ _ _ _ _ 2:conj _"),
  columns("4 le le DET _ _ 5 det 5:det _"),
  columns("5 cat cat NOUN _ _ 2 obl 2:obl:de SpaceAfter=No"),
  columns("6 . . PUNCT _ _ 2 punct 2:punct _"),
];
const SECOND = [
  "# sent_id = s2",
  "# text = Yes.",
  columns("1 Yes _ INTJ _ _ 0 root 0:root SpaceAfter=No"),
  columns("2 . _ PUNCT _ _ 1 punct 1:punct _"),
];
const TEXT = `${ROWS.join("\n")}\n\n${SECOND.join("\n")}\n\n`;

function after(edits: OwnEdit | OwnEdit[], text = TEXT) {
  const all = [edits].flat().map((edit) => ({ sentence: 0, ...edit }) as Edit);
  return perform(startHistory(openDocument("a", text)), "edit", all).document;
}

/** The rows after an edit as `ID FORM HEAD DEPREL DEPS`. */
function rowsAfter(edits: OwnEdit | OwnEdit[], sentence = 0) {
  return after(edits)
    .sentences[sentence]!.text.split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const columns = line.split("\t");
      return [0, 1, 6, 7, 8].map((i) => columns[i]).join(" ");
    });
}

/** The lines that an edit changes, as they are afterwards. */
function changedLines(edit: OwnEdit, text = TEXT) {
  const before = text.split("\n");
  return documentText(after(edit, text))
    .split("\n")
    .filter((line, i) => line !== before[i]);
}

describe("rows after an edit, by their places", () => {
  test.each<[string, OwnEdit, Readonly<Record<number, string | undefined>>]>([
    ["an edge that repeats the arc", { kind: "head", word: 6, head: 5 }, { 7: "6 . 5 punct 5:punct" }],
    ["an edge with a longer relation", { kind: "head", word: 5, head: 1 }, { 6: "5 cat 1 obl 1:obl" }],
    [
      "a head below the word, which takes its place",
      { kind: "head", word: 2, head: 5 },
      { 1: "2 saw 5 obl 5:obl", 6: "5 cat 0 root 0:root" },
    ],
    [
      "a new root, which becomes the head of the old one",
      { kind: "head", word: 5, head: 0 },
      { 1: "2 saw 5 dep 5:dep", 6: "5 cat 0 root 0:root" },
    ],
    [
      "joined words, which have the columns of their head",
      { kind: "joinWords", first: 5, last: 6 },
      { 6: "5 cat. 2 obl 2:obl:de", 7: undefined },
    ],
    ["joined words with a root", { kind: "joinWords", first: 1, last: 2 }, { 0: "1 She saw 0 root 0:root" }],
    [
      "a joined whole token, which has its form",
      { kind: "joinWords", first: 3, last: 4 },
      { 2: "3 du 4 case 4:case", 3: "3.1 seen _ _ 2:conj" },
    ],
    ["a group", { kind: "groupWords", first: 5, last: 6, form: "cat." }, { 6: "5-6 cat. _ _ _" }],
    ["an inserted word", { kind: "insertWord", after: 2, form: "even" }, { 2: "3 even 2 dep 2:dep" }],
    ["an inserted first word", { kind: "insertWord", after: 0, form: "So" }, { 0: "1 So 2 dep 2:dep" }],
    [
      "a deleted root",
      { kind: "deleteWord", word: 2 },
      { 0: "1 She 0 root 0:root|2.1:nsubj", 6: "5 . 1 punct 1:punct", 7: undefined },
    ],
    [
      "a deleted part of a token",
      { kind: "deleteWord", word: 4 },
      { 2: "3 du 4 case 4:case", 3: "3.1 seen _ _ 2:conj" },
    ],
    [
      "an edge that is added",
      { kind: "edge", node: "1", to: { head: "3.1", relation: "agent" } },
      { 0: "1 She 2 nsubj 2:nsubj|3.1:agent|3.1:nsubj" },
    ],
    [
      "an edge that is replaced",
      {
        kind: "edge",
        node: "1",
        from: { head: "3.1", relation: "nsubj" },
        to: { head: "5", relation: "nsubj" },
      },
      { 0: "1 She 2 nsubj 2:nsubj|5:nsubj" },
    ],
    [
      "an edge that is removed",
      { kind: "edge", node: "1", from: { head: "2", relation: "nsubj" } },
      { 0: "1 She 2 nsubj 3.1:nsubj" },
    ],
    [
      "an empty node that is added",
      { kind: "addEmptyNode", after: 3, form: "went", edge: { head: "2", relation: "conj" } },
      { 5: "3.2 went _ _ 2:conj" },
    ],
    [
      "an empty node that is removed",
      { kind: "removeEmptyNode", node: "3.1" },
      { 0: "1 She 2 nsubj 2:nsubj", 6: "6 . 2 punct 2:punct", 7: undefined },
    ],
  ])("%s", (_, edit, expected) => {
    const rows = rowsAfter(edit);
    for (const [i, row] of Object.entries(expected)) expect(rows[Number(i)]).toBe(row);
  });

  test.each<[string, OwnEdit]>([
    ["a word that is its own head", { kind: "head", word: 2, head: 2 }],
    ["a joined part of a token", { kind: "joinWords", first: 4, last: 5 }],
    ["a grouped part of a token", { kind: "groupWords", first: 4, last: 5, form: "x" }],
    ["a sentence that is split within a token", { kind: "splitSentence", word: 4 }],
    ["a sentence that is split before its first word", { kind: "splitSentence", word: 1 }],
    ["the last sentence, which is joined", { kind: "joinSentences", sentence: 1 } as OwnEdit],
    ["lines of two sentences", { kind: "lines", text: "1\ta\n\n2\tb" }],
    ["an edge from a node to itself", { kind: "edge", node: "1", to: { head: "1", relation: "x" } }],
    ["an edge that does not exist", { kind: "edge", node: "1", from: { head: "9", relation: "x" } }],
  ])("refuses %s", (_, edit) => {
    expect(() => after(edit)).toThrow(ArcwiseError);
  });
});

describe("heads", () => {
  test("a head changes one line", () => {
    expect(changedLines({ kind: "head", word: 6, head: 5 })).toEqual([
      columns("6 . . PUNCT _ _ 5 punct 5:punct _"),
    ]);
  });

  test("fixed heads and labels stay under the tree of a parser", () => {
    const tree: OwnEdit = {
      kind: "tree",
      heads: [-1, 0, 1, 1, 1, 1, 1],
      labels: ["", "root", "a", "b", "c", "d", "e"],
    };
    const rows = rowsAfter([
      { kind: "head", word: 4, head: 3, deprel: "fixed" },
      { kind: "head", word: 6, head: 5 },
      tree,
    ]);
    expect(rows[5]).toBe("4 le 3 fixed 3:fixed");
    expect(rows[7]).toBe("6 . 5 e 5:e");
    expect(rows[1]).toBe("2 saw 1 a 1:a");
    expect(after([{ kind: "head", word: 4, head: 3, deprel: "fixed" }]).sentences[0]!.fixed).toEqual({
      heads: [4],
      labels: [4],
    });
  });
});

describe("words", () => {
  test("split: the parts depend on the first one", () => {
    const document = after({ kind: "splitWord", word: 5, forms: ["ca", "t"] });
    expect(rowsAfter({ kind: "splitWord", word: 5, forms: ["ca", "t"] }).slice(6)).toEqual([
      "5 ca 2 obl 2:obl:de",
      "6 t 5 dep 5:dep",
      "7 . 2 punct 2:punct",
    ]);
    const { sentence } = contentOf(document.sentences[0]!);
    expect(sentence!.rows.slice(6).map(({ misc }) => misc)).toEqual(["SpaceAfter=No", "SpaceAfter=No", "_"]);
  });

  test("split into a multiword token, which keeps form and spacing", () => {
    const { sentence } = contentOf(
      after({ kind: "splitWord", word: 5, forms: ["c", "at"], asToken: true }).sentences[0]!,
    );
    expect(sentence!.rows.slice(6, 9).map(({ form, misc }) => [form, misc])).toEqual([
      ["cat", "SpaceAfter=No"],
      ["c", "_"],
      ["at", "_"],
    ]);
  });

  test.each<OwnEdit>([
    { kind: "splitWord", word: 1, forms: ["a", "b"], asToken: true },
    { kind: "groupWords", first: 1, last: 2, form: "a b c" },
  ])("into a multiword token with spaces is refused: $kind", (edit) => {
    const rows = [
      columns("1 a_b _ _ _ _ 0 root _ _").replace("a_b", "a b"),
      columns("2 c _ _ _ _ 1 dep _ _"),
    ];
    expect(() => after(edit, `${rows.join("\n")}\n\n`)).toThrow(/without spaces/);
  });

  test("ungroup", () => {
    const ids = rowsAfter({ kind: "ungroupWords", word: 4 }).map((one) => one.split(" ")[0]);
    expect(ids.join(" ")).toBe("1 2 3 3.1 4 5 6");
  });

  test("notes and fixed words follow their words", () => {
    const notes: Note[] = [
      { on: "word", word: 5, text: "cat?" },
      { on: "sentence", text: "nice" },
    ];
    const { fixed, notes: kept } = after([
      { kind: "notes", notes },
      { kind: "fix", words: [5, 6], isFixed: true },
      { kind: "deleteWord", word: 1 },
    ]).sentences[0]!;
    expect(fixed).toEqual({ heads: [4, 5], labels: [4, 5] });
    expect(kept).toEqual([{ on: "word", word: 4, text: "cat?" }, notes[1]]);
  });
});

describe("sentences", () => {
  test("split: both parts are trees, with their own text and ID", () => {
    const [first, second] = after({ kind: "splitSentence", word: 5 }).sentences;
    expect(second!.text.split("\n")).toEqual([
      "# sent_id = s1-2",
      "# text = cat.",
      columns("1 cat cat NOUN _ _ 0 root 0:root SpaceAfter=No"),
      columns("2 . . PUNCT _ _ 1 punct 1:punct _"),
      "",
    ]);
    expect(first!.text).toContain("# text = She saw du\n");
    expect(first!.text).toContain("3\tde\tde\tADP\t_\t_\t2\tcase\t2:case\t_");
  });

  test("join, which a split undoes but for what it cannot know", () => {
    const { sentences } = after({ kind: "joinSentences" });
    expect(sentences.length).toBe(1);
    expect(sentences[0]!.text).toContain("# text = She saw du cat. Yes.\n");
    expect(rowsAfter({ kind: "joinSentences" }).slice(-2)).toEqual([
      "7 Yes 2 parataxis 2:parataxis",
      "8 . 7 punct 7:punct",
    ]);
  });

  test("lines of any kind, and back", () => {
    const broken = after({ kind: "lines", text: "1\tno" });
    expect(contentOf(broken.sentences[0]!).error?.rule).toBe("number-of-columns");
    expect(() =>
      perform(startHistory(broken), "head", [{ kind: "head", sentence: 0, word: 1, head: 0 }]),
    ).toThrow(/columns/);
    const mended = perform(startHistory(broken), "lines", [
      { kind: "lines", sentence: 0, text: ROWS.join("\n") },
    ]);
    expect(documentText(mended.document)).toBe(TEXT);
  });
});

test("a sentence without a graph gets its tree as one with the first edge", () => {
  const plain = columns("1 a _ _ _ _ 0 root _ _\n2 b _ _ _ _ 1 obj _ _\n\n");
  const text = documentText(after({ kind: "edge", node: "2", to: { head: "0", relation: "x" } }, plain));
  expect(parseConllu(text)[0]!.rows.map(({ deps }) => deps)).toEqual(["0:root", "0:x|1:obj"]);
});

describe("what was not edited", () => {
  const PLAIN = [
    "# sent_id = p1",
    "# text = Snow fell, and roads froze",
    columns("1 Snow _ NOUN _ _ 2 nsubj _ Gloss=a"),
    columns("2 fell _ VERB _ _ 0 root _ Gloss=b|SpaceAfter=No"),
    columns("3 , , PUNCT _ _ _ _ _ _"),
    columns("4 and and CCONJ _ _ 6 cc _ _"),
    columns("5 roads. road NOUN _ _ 6 nsubj _ TokenRange=15:21"),
    columns("6 froze freeze VERB _ _ 2 conj _ _"),
    "",
    "",
  ].join("\n");
  const lineAfter = (edits: OwnEdit | OwnEdit[], line: number, text = PLAIN) =>
    documentText(after(edits, text)).split("\n")[line - 1]!.split("\t").slice(1).join(" ");

  test("has no edges where there were none, also in the parts of a sentence", () => {
    const text = documentText(after({ kind: "splitSentence", word: 4 }, PLAIN));
    const deps = parseConllu(text).flatMap(({ rows }) => rows.map((one) => one.deps));
    expect(new Set(deps)).toEqual(new Set(["_"]));
  });

  test("an empty node whose head is in the other part is a root of the graph, and is named", () => {
    const own = startHistory(openDocument("a", TEXT.replace("2:conj", "5:conj")));
    const { past, document } = perform(own, "split", [{ kind: "splitSentence", sentence: 0, word: 5 }]);
    expect(document.sentences[0]!.text).toContain("3.1\tseen\t_\t_\t_\t_\t_\t_\t0:root\t_\n");
    expect(past[0]!.remarks).toEqual([expect.stringContaining("seen")]);
  });

  test("MISC of joined words is kept or named; two words without a lemma have none", () => {
    expect(lineAfter({ kind: "joinWords", first: 1, last: 2 }, 3)).toBe(
      "Snow fell _ VERB _ _ 0 root _ Gloss=b|SpaceAfter=No",
    );
    const start = startHistory(openDocument("a", PLAIN));
    const { past } = perform(start, "join", [{ kind: "joinWords", sentence: 0, first: 1, last: 2 }]);
    expect(past[0]!.remarks).toEqual([expect.stringContaining("Gloss=a")]);
  });

  test("punctuation gets its relation and its tag; other parts keep lemma and place", () => {
    expect(lineAfter({ kind: "head", word: 3, head: 2 }, 5)).toBe(", , PUNCT _ _ 2 punct _ _");
    const split: OwnEdit = { kind: "splitWord", word: 5, forms: ["roads", "."] };
    expect(lineAfter(split, 7)).toBe("roads road NOUN _ _ 7 nsubj _ SpaceAfter=No|TokenRange=15:20");
    expect(lineAfter(split, 8)).toBe(". . PUNCT _ _ 5 punct _ TokenRange=20:21");
    expect(lineAfter({ kind: "splitWord", word: 5, forms: ["ro", "ads"], tags: [undefined, "ADV"] }, 8)).toBe(
      "ads ads ADV _ _ 5 dep _ _",
    );
    const quoted = PLAIN.replace("roads.", '"road');
    expect(lineAfter({ kind: "splitWord", word: 5, forms: ['"', "road"] }, 8, quoted)).toMatch(
      /^road road NOUN _ _ 7 nsubj/,
    );
  });

  test("joined words have the head of the word nearest to the root: no circle", () => {
    const rows = [3, 1, 4, 0].map((head, i) => columns(`${i + 1} ${"abcd"[i]} _ _ _ _ ${head} x _ _\n`));
    const text = documentText(after({ kind: "joinWords", first: 2, last: 3 }, `${rows.join("")}\n`));
    expect(parseConllu(text)[0]!.rows.map((one) => (one.kind === "word" ? one.head : -1))).toEqual([2, 3, 0]);
  });
});

describe("line ends", () => {
  test("lines that stay keep their ends, others end as the first line", () => {
    const text = "# a\r\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t1\tobj\t_\t_";
    const document = after({ kind: "insertWord", after: 1, form: "x" }, text);
    expect(documentText(document)).toBe(
      "# a\r\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\r\n2\tx\t_\t_\t_\t_\t1\tdep\t_\t_\r\n3\tb\t_\t_\t_\t_\t1\tobj\t_\t_".replace(
        "root\t_\t_\r\n",
        "root\t_\t_\n",
      ),
    );
  });
});
