import { inspect } from "node:util";
import {
  type ConlluSentence,
  parseConllu,
  readConllu,
  type SentenceView,
  sentenceFromJson,
  sentenceTree,
  viewSentence,
  writeConllu,
} from "@arcwise/conllu";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { thrownBy } from "../../../tools/test-helpers.ts";
import { EXAMPLE, SMALL } from "./example.ts";
import { placeless, sentence } from "./generators.ts";

/** The first sentence of rows `ID FORM HEAD DEPREL DEPS MISC`; fields that are not given are `_`. */
function view(text: string): SentenceView {
  const lines = text.split("\n").map((line) => {
    if (line.startsWith("#")) return line;
    const [id, form, head = "_", deprel = "_", deps = "_", misc = "_"] = line.split(" ");
    return [id, form, "_", "_", "_", "_", head, deprel, deps, misc].join("\t");
  });
  return [...readConllu(`${lines.join("\n")}\n\n`)][0]!;
}

const forms = (words: Iterable<{ form: string | undefined }>) => Array.from(words, ({ form }) => form);
const example = () => viewSentence(parseConllu(EXAMPLE)[0]!);

describe("a view", () => {
  it("has the text, the ID, the words, the tokens and the empty nodes", () => {
    const sentence = example();
    expect(sentence.id).toBe("d1-1");
    expect(sentence.text).toBe("Vámonos al mar, ¿y tú?");
    expect(forms(sentence.words)).toEqual("Vamos nos a el mar , ¿ y tú ?".split(" "));
    expect(forms(sentence)).toEqual(forms(sentence.words));
    expect(forms(sentence.tokens)).toEqual("Vámonos al mar , ¿ y tú ?".split(" "));
    expect(sentence.tokens.map(({ words }) => forms(words))[1]).toEqual(["a", "el"]);
    expect(sentence.tokens.map(({ id }) => id).slice(0, 3)).toEqual(["1-2", "3-4", "5"]);
    expect(sentence.emptyNodes.map(({ id, form, lemma, misc }) => ({ id, form, lemma, misc }))).toEqual([
      { id: "8.1", form: "vas", lemma: "ir", misc: { CopyOf: "1" } },
    ]);
  });

  it("is its text in a template, and its nodes are their forms", () => {
    const sentence = example();
    const { tokens, words, emptyNodes } = sentence;
    expect(`${sentence}`).toBe("Vámonos al mar, ¿y tú?");
    expect(`${tokens[1]} ${words[2]} ${emptyNodes[0]}`).toBe("al a vas");
  });

  it("has the columns of words, with features by name", () => {
    const [dogs] = viewSentence(parseConllu(SMALL)[0]!).words;
    const { id, form, lemma, upos, xpos, feats, deprel } = dogs!;
    expect({ id, form, lemma, upos, xpos, feats, deprel }).toEqual({
      id: 1,
      form: "Dogs",
      lemma: "dog",
      upos: "NOUN",
      xpos: "NNS",
      feats: { Number: "Plur" },
      deprel: "nsubj",
    });
  });

  it("has no annotation where columns are _", () => {
    const word = view("1 a").words[0]!;
    const { lemma, upos, xpos, feats, head, isRoot, deprel, deps, misc, children } = word;
    expect({ lemma, upos, xpos, head, deprel }).toEqual({});
    expect({ feats, deps, misc, children, isRoot }).toEqual({
      feats: {},
      deps: [],
      misc: {},
      children: [],
      isRoot: false,
    });
  });

  it("keeps the lemma of an underscore", () => {
    expect(view("1 _").words[0]!.lemma).toBe("_");
  });

  it.each([
    ["Flag|Gloss=a", { Flag: null, Gloss: "a" }],
    ["Note=a=b=c|Gloss=", { Note: "a=b=c", Gloss: "" }],
    ["A=1|A=2", { A: "1" }],
    ["__proto__=x", Object.fromEntries([["__proto__", "x"]])],
  ])("has the attributes of MISC %s", (misc, expected) => {
    expect(Object.entries(view(`1 a _ _ _ ${misc}`).words[0]!.misc)).toEqual(Object.entries(expected));
  });

  it("has edges of the enhanced graph between words and empty nodes", () => {
    const sentence = example();
    const edges = (n: number) => sentence.words[n - 1]!.deps.map(({ head, deprel }) => [head?.id, deprel]);
    expect(edges(1)).toEqual([[undefined, "root"]]);
    expect(edges(5)).toEqual([
      [1, "obl:a"],
      ["8.1", "obl:a"],
    ]);
    expect(sentence.words[4]!.deps[1]!.head).toBe(sentence.emptyNodes[0]);
    expect(sentence.emptyNodes[0]!.deps).toEqual([{ head: sentence.words[0], deprel: "conj:y" }]);
  });

  it("is the sentence: it shares its rows, and a clone is plain data of which a view can be made", () => {
    const plain = parseConllu(EXAMPLE)[0]!;
    const sentence = viewSentence(plain);
    expect(sentence.words).toHaveLength(10);
    expect(sentence.rows).toBe(plain.rows);
    expect(viewSentence(sentence)).toBe(sentence);
    expect(sentence.toConllu()).toBe(EXAMPLE);
    expect(writeConllu([sentence])).toBe(EXAMPLE);
    const clone = structuredClone<ConlluSentence>(sentence);
    expect(Object.getPrototypeOf(clone)).toBe(Object.prototype);
    expect(clone).toEqual(plain);
    expect(viewSentence(clone).words[0]!.children).toHaveLength(4);
  });
});

describe("a tree", () => {
  const sentence = view("1 the 2 det\n2 cat 3 nsubj\n3 sleeps 0 root\n4 here 3 advmod");

  it("has words as heads, children, ancestors and subtrees", () => {
    const [the, cat, sleeps, here] = sentence.words;
    expect(the!.head).toBe(cat);
    expect(sleeps!.head).toBeUndefined();
    expect(sentence.words.filter((word) => word.isRoot)).toEqual([sleeps]);
    expect(sleeps!.children).toEqual([cat, here]);
    expect(the!.ancestors).toEqual([cat, sleeps]);
    expect(cat!.subtree).toEqual([the, cat]);
    expect(sleeps!.subtree).toEqual([...sentence]);
  });

  it("may be empty: cycles and heads that are not words end the search", () => {
    const [a, b, c, d] = view("1 a 2 x\n2 b 1 x\n3 c 3 x\n4 d 9 x").words;
    expect(forms(a!.ancestors)).toEqual(["b", "a"]);
    expect(forms(b!.subtree)).toEqual(["a", "b"]);
    expect(forms(c!.ancestors)).toEqual(["c"]);
    expect(d!.head).toBeUndefined();
    expect(d!.isRoot).toBe(false);
  });

  test.each([-1, 7])("a word with the odd ID %d has no children", (id) => {
    const { comments, rows, line } = parseConllu("1\tBark\t_\t_\t_\t_\t0\troot\t_\t_\n\n")[0]!;
    const odd = viewSentence({ comments, rows: rows.map((row) => ({ ...row, id }) as typeof row), line });
    expect(odd.words[0]!.children).toEqual([]);
  });

  test("heads and children follow the tree", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), (draws) => {
        const rows = draws.map((draw, i) => `${i + 1} w ${draw % (i + 1)} x`);
        const sentence = view(rows.join("\n"));
        const { heads } = sentenceTree(sentence);
        for (const word of sentence) {
          expect(word.head?.id ?? 0).toBe(heads[word.id]);
          expect(word.children.every((child) => child.head === word)).toBe(true);
          const below = sentence.words.filter((other) => other === word || other.ancestors.includes(word));
          expect(word.subtree).toEqual(below);
        }
      }),
    );
  });
});

describe("the text and the offsets", () => {
  it.each([
    ["single spaces", "1 a\n2 b", "a b", "0-1 2-3"],
    ["SpaceAfter=No", "1 a _ _ _ SpaceAfter=No\n2 b", "ab", "0-1 1-2"],
    ["# text with other spaces", "# text = a  b\n1 a\n2 b", "a  b", "0-1 3-4"],
    ["# text without the spaces of the tokens", "# text = 他们\n1 他\n2 们", "他们", "0-1 1-2"],
    ["# text that the tokens do not spell", "# text = b a\n1 a\n2 b", "a b", "0-1 2-3"],
    ["SpacesAfter", "# text = a b\n1 a _ _ _ SpacesAfter=\\s\\n\n2 b", "a \nb", "0-1 3-4"],
    ["SpacesBefore", "# text = a b\n1 a\n2 b _ _ _ SpacesBefore=\\t", "a \tb", "0-1 3-4"],
    ["SpacesInToken", "# text = a\n1 1000 _ _ _ SpacesInToken=1\\s\\s000\n2 b", "1  000 b", "0-6 7-8"],
    ["SpacesInToken of another form", "1 a _ _ _ SpacesInToken=b", "a", "0-1"],
    ["characters of two code units", "1 \u{1f600}\n2 b", "\u{1f600} b", "0-2 3-4"],
    ["a multiword token", "1-2 du\n1 de\n2 le\n3 x", "du x", "0-2 0-2 3-4"],
    ["TokenRange", "1 a _ _ _ TokenRange=7:8\n2 b _ _ _ TokenRange=11:12", "a b", "7-8 11-12"],
    [
      "TokenRange in code points",
      "1 \u{1f600}! _ _ _ TokenRange=0:2\n2 b _ _ _ TokenRange=3:4",
      "\u{1f600}! b",
      "0-3 4-5",
    ],
    ["TokenRange out of order", "1 a _ _ _ TokenRange=7:8\n2 b _ _ _ TokenRange=1:2", "a b", "0-1 2-3"],
    ["TokenRange of some tokens", "1 a _ _ _ TokenRange=7:8\n2 b", "a b", "0-1 2-3"],
  ])("follow %s", (_, rows, text, offsets) => {
    const sentence = view(rows);
    expect(sentence.text).toBe(text);
    expect(sentence.words.map(({ start, end }) => `${start}-${end}`).join(" ")).toBe(offsets);
  });

  it("count from the offset of the sentence in its text", () => {
    const plain = { ...parseConllu(SMALL)[0]!, start: 40 };
    expect(viewSentence(plain).words.map(({ start }) => start)).toEqual([40, 45]);
  });
});

describe("JSON", () => {
  it("has what the sentence has", () => {
    const sentence = view(
      "# newpar\n# sent_id = s\n1-2 du _ _ _ A=1\n1 de 3 case 3:case\n2 le 3 det\n2.1 z _ _ 3:x\n3 pain 0 root 0:root B|C=",
    );
    expect(JSON.parse(JSON.stringify(sentence))).toEqual({
      id: "s",
      text: "du pain",
      comments: ["# newpar", "# sent_id = s"],
      tokens: [
        { id: "1-2", form: "du", words: [1, 2], misc: { A: "1" }, start: 0, end: 2, spaceAfter: true },
        { id: "3", form: "pain", words: [3], start: 3, end: 7, spaceAfter: true },
      ],
      words: [
        { id: 1, form: "de", head: 3, deprel: "case", deps: [{ head: 3, deprel: "case" }], start: 0, end: 2 },
        { id: 2, form: "le", head: 3, deprel: "det", start: 0, end: 2 },
        {
          id: 3,
          form: "pain",
          head: 0,
          deprel: "root",
          deps: [{ head: 0, deprel: "root" }],
          misc: { B: null, C: "" },
          start: 3,
          end: 7,
        },
      ],
      emptyNodes: [{ id: "2.1", form: "z", deps: [{ head: 3, deprel: "x" }] }],
    });
  });

  it("keeps names without values, empty values, and comments", () => {
    const text = [
      "# newdoc",
      "# sent_id = c1",
      "# text = A , b",
      "# labels = x y",
      "1\tA\ta\tDET\t_\t_\t3\tdet\t_\tFlag|Gloss=a",
      "2\t,\t,\tPUNCT\t_\t_\t3\tpunct\t_\tGloss=,|Note=a=b=c|Zzz",
      "3\tb\tb\tNOUN\t_\t_\t0\troot\t_\tGloss=",
    ];
    const [sentence] = readConllu(`${text.join("\n")}\n\n`);
    const { comments, words } = sentence!.toJSON();
    expect(comments).toEqual(text.slice(0, 4));
    expect(words.map(({ misc }) => misc)).toEqual([
      { Flag: null, Gloss: "a" },
      { Gloss: ",", Note: "a=b=c", Zzz: null },
      { Gloss: "" },
    ]);
    expect(sentenceFromJson(sentence!.toJSON()).toConllu()).toBe(`${text.join("\n")}\n\n`);
  });

  it("has the text of columns that have no names and values to be written back", () => {
    const { words } = view("1 a _ _ x A=1|A=2").toJSON();
    expect(words[0]).toMatchObject({ deps: "x", misc: "A=1|A=2" });
  });
});

describe("sentenceFromJson", () => {
  test("returns the sentence of its JSON", () => {
    fc.assert(
      fc.property(sentence, fc.option(fc.nat(2 ** 40), { nil: undefined }), (rows, start) => {
        const plain = { ...placeless(rows), start };
        const json: unknown = JSON.parse(JSON.stringify(viewSentence(plain)));
        expect(structuredClone<ConlluSentence>(sentenceFromJson(json))).toEqual(plain);
      }),
    );
  });

  it("reads words alone, and makes the comments of ID and text", () => {
    const words = [
      { id: 1, form: "Dogs", feats: { Number: "Plur" }, head: 2 },
      { id: 2, form: "bark" },
    ];
    expect(sentenceFromJson({ id: "s", text: "Dogs bark", words }).toConllu()).toBe(
      "# sent_id = s\n# text = Dogs bark\n1\tDogs\t_\t_\t_\tNumber=Plur\t2\t_\t_\t_\n2\tbark\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
    );
  });

  const word = { id: 1, form: "a" };
  it.each([
    ["sentence", []],
    ["sentence.words", { words: {} }],
    ["sentence.words[0].form", { words: [{ id: 1 }] }],
    ["sentence.words[0].head", { words: [{ ...word, head: -1 }] }],
    ["sentence.words[0].feats.A", { words: [{ ...word, feats: { A: null } }] }],
    ["sentence.words[0].misc.A", { words: [{ ...word, misc: { A: "b|c" } }] }],
    ["sentence.words[0].misc", { words: [{ ...word, misc: { "A=b": "c" } }] }],
    ["sentence.words[0].deps[0].head", { words: [{ ...word, deps: [{ head: "8", deprel: "x" }] }] }],
    ["sentence.tokens[0].id", { words: [word], tokens: [{ id: "1-x", form: "a" }] }],
    ["sentence.emptyNodes[0].id", { words: [word], emptyNodes: [{ id: "1" }] }],
  ])("refuses %s that is not as described", (at, json) => {
    expect(thrownBy(() => sentenceFromJson(json))).toMatchObject({ code: "invalid-data", at });
  });

  it.each([
    ["word-id-sequence", { words: [{ id: 2, form: "a" }] }],
    ["word-interval-out", { words: [word], tokens: [{ id: "1-2", form: "a" }] }],
    ["misplaced-empty-node", { words: [word], emptyNodes: [{ id: "2.1" }] }],
    ["control-character", { words: [{ ...word, lemma: "a\tb" }] }],
  ])("refuses by the rule %s what CoNLL-U cannot represent", (rule, json) => {
    expect(thrownBy(() => sentenceFromJson(json))).toMatchObject({ rule });
  });

  it("refuses members that it does not know", () => {
    expect(thrownBy(() => sentenceFromJson({ words: [{ ...word, pos: "X" }] }))).toMatchObject({
      code: "invalid-data",
    });
  });
});

test("any sentence has a view, which is plain data when it is cloned", () => {
  fc.assert(
    fc.property(sentence, (plain) => {
      const seen = viewSentence(plain);
      for (const word of seen) {
        expect(seen.tokens).toContain(word.token);
        expect(word.start).toBeLessThan(word.end);
      }
      expect(seen.toJSON().words).toHaveLength(seen.words.length);
      expect(placeless(structuredClone<ConlluSentence>(seen))).toEqual(placeless(plain));
    }),
  );
});

test("console.log prints the text and a table of words", () => {
  const [sentence] = parseConllu(
    "# text = Dogs bark\n1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n",
  );
  expect(inspect(viewSentence(sentence!))).toBe(
    "Dogs bark\n1  Dogs  dog   NOUN  2  nsubj\n2  bark  bark  VERB  0  root",
  );
});
