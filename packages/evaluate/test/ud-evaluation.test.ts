import { parseConllu, withTree, writeConllu } from "@arcwise/conllu";
import { heads } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  evaluateConllu,
  InvalidSentence,
  sentenceMetrics,
  TextMismatch,
  type UdMetric,
  WORD_METRICS,
} from "../src/index.ts";
import { UD_METRICS } from "../src/ud-evaluation.ts";
import { ud } from "./examples.ts";

/** Returns correct, gold, system and aligned counts of each metric, `-` without an alignment. */
function counts(gold: string, system: string, metrics: readonly UdMetric[] = UD_METRICS) {
  const evaluation = evaluateConllu(ud(gold), ud(system));
  return Object.fromEntries(
    metrics.map((name) => {
      const { correct, gold: g, system: s, aligned } = evaluation.metrics[name];
      return [name, `${correct} ${g} ${s} ${aligned ?? "-"}`];
    }),
  );
}

const DOGS = `
  1 The the DET Definite=Def 2 det 2:det
  2 dogs dog NOUN Number=Plur 5 nsubj 5:nsubj
  3-4 didn't
  3 did do AUX Tense=Past 5 aux 5:aux
  4 n't not PART _ 5 advmod 5:advmod
  5 bark bark VERB VerbForm=Inf 0 root 0:root
  6 . . PUNCT _ 5 punct 5:punct`;

const DOGS_UNSPLIT = `
  1 The the DET Definite=Def 2 det
  2 dogs dogs NOUN Number=Plur 4 nsubj
  3 didn't didn't AUX Tense=Past 4 aux
  4 bark bark VERB VerbForm=Inf 0 root
  5 . . PUNCT _ 4 punct`;

describe("counts worked by hand", () => {
  test("a multiword token that the system does not split", () => {
    expect(counts(DOGS, DOGS_UNSPLIT)).toEqual({
      Tokens: "5 5 5 -",
      Sentences: "1 1 1 -",
      // The, dogs, bark and the full stop; neither did nor n't has the form didn't.
      Words: "4 6 5 4",
      UPOS: "4 6 5 4",
      XPOS: "4 6 5 4",
      UFeats: "4 6 5 4",
      AllTags: "4 6 5 4",
      Lemmas: "3 6 5 4",
      UAS: "4 6 5 4",
      LAS: "4 6 5 4",
      // dogs, n't and bark in gold; dogs and bark in the system's.
      CLAS: "2 3 2 2",
      // bark has lost its auxiliary.
      MLAS: "1 3 2 2",
      BLEX: "1 3 2 2",
      ELAS: "0 6 0 -",
      EULAS: "0 6 0 -",
    });
  });

  test("a graph that was made with another tree is not the system's", () => {
    const gold = ud(`
      0.1 Served serve VERB _ _ _ 0:root
      1 Tea tea NOUN _ 0 root 0.1:obj
      2 to to ADP _ 3 case 3:case
      3 Ann Ann PROPN _ 1 orphan 0.1:obl`);
    for (const tree of ["0 3 1", "0 1 1"]) {
      const found = { heads: heads(tree), labels: ["", "root", "case", "orphan"] };
      const system = gold.map((sentence) => withTree(sentence, found));
      const { ELAS, EULAS } = evaluateConllu(gold, system).metrics;
      expect([ELAS, EULAS]).toMatchObject([
        { correct: 0, system: 0, f1: 0 },
        { correct: 0, system: 0, f1: 0 },
      ]);
    }
  });

  test("words with spaces, which are compared by their other characters", () => {
    // Twenty thousand crowns, as three tokens or two.
    const spaced = parseConllu(
      "1\t20 000\t20 000\tNUM\t_\t_\t2\tnummod\t_\t_\n2\tcrowns\tcrown\tNOUN\t_\t_\t0\troot\t_\t_\n\n",
    );
    const split = ud("1 20 20 NUM _ 3 nummod\n2 000 000 NUM _ 1 flat\n3 crowns crown NOUN _ 0 root");
    const { Tokens, Words, LAS } = evaluateConllu(spaced, split).metrics;
    expect([Tokens, Words, LAS]).toMatchObject([
      { correct: 1, gold: 2, system: 3 },
      { correct: 1, gold: 2, system: 3 },
      { correct: 1, gold: 2, system: 3 },
    ]);
    const joined = ud("1 20_000 20_000 NUM _ 2 nummod\n2 crowns crown NOUN _ 0 root");
    expect(() => evaluateConllu(spaced, joined)).toThrow(TextMismatch);
  });

  test("the fractions of precision, recall, F1 and aligned accuracy", () => {
    const { metrics } = evaluateConllu(ud(DOGS), ud(DOGS_UNSPLIT));
    expect(metrics.Lemmas).toEqual({
      correct: 3,
      gold: 6,
      system: 5,
      aligned: 4,
      precision: 3 / 5,
      recall: 3 / 6,
      f1: 6 / 11,
      alignedAccuracy: 3 / 4,
    });
    expect(metrics.Tokens).not.toHaveProperty("alignedAccuracy");
  });

  test("no sentences at all: every fraction is 0", () => {
    const { metrics } = evaluateConllu([], []);
    expect(metrics.LAS).toMatchObject({ correct: 0, precision: 0, recall: 0, f1: 0, alignedAccuracy: 0 });
  });

  test("a superfluous sentence break: heads across it are wrong, tokens are not", () => {
    const gold = `
      1 a _ X _ 0 root
      2 b _ X _ 1 dep
      3 c _ X _ 1 dep
      4 d _ X _ 3 dep`;
    const system = `
      1 a _ X _ 0 root
      2 b _ X _ 1 dep

      1 c _ X _ 0 root
      2 d _ X _ 1 dep`;
    expect(counts(gold, system, ["Tokens", "Sentences", "Words", "UAS"])).toEqual({
      Tokens: "4 4 4 -",
      Sentences: "0 1 2 -",
      Words: "4 4 4 4",
      UAS: "3 4 4 4",
    });
  });

  test("a head that is not aligned is wrong, and so is the root for a gold head that is not aligned", () => {
    const gold = `
      1 ab _ X _ 2 dep
      2 c _ X _ 0 root`;
    const system = `
      1 a _ X _ 0 root
      2 b _ X _ 1 dep
      3 c _ X _ 1 dep`;
    expect(counts(gold, system, ["Words", "UAS"])).toEqual({ Words: "1 2 3 1", UAS: "0 2 3 1" });
    const other = `
      1 ab _ X _ 0 root
      2 c _ X _ 1 dep`;
    const rooted = `
      1 a _ X _ 3 dep
      2 b _ X _ 1 dep
      3 c _ X _ 0 root`;
    expect(counts(other, rooted, ["Words", "UAS"])).toEqual({ Words: "1 2 3 1", UAS: "0 2 3 1" });
  });

  test.each<[name: string, metric: UdMetric, gold: string, system: string, expected: string]>([
    ["LAS ignores subtypes", "LAS", "1 a a X _ 0 root:x", "1 a a X _ 0 root:y", "1 1 1 1"],
    ["LAS compares relations", "LAS", "1 a a X _ 0 root", "1 a a X _ 0 dep", "0 1 1 1"],
    ["UAS ignores relations", "UAS", "1 a a X _ 0 root", "1 a a X _ 0 dep", "1 1 1 1"],
    ["a gold lemma _ matches any lemma", "Lemmas", "1 a _ X _ 0 root", "1 a b X _ 0 root", "1 1 1 1"],
    ["a system lemma _ does not", "Lemmas", "1 a b X _ 0 root", "1 a _ X _ 0 root", "0 1 1 1"],
    ["BLEX follows the lemma rule", "BLEX", "1 a _ X _ 0 root", "1 a b X _ 0 root", "1 1 1 1"],
    [
      "features are a set",
      "UFeats",
      "1 a a X Case=Nom|Number=Sing 0 root",
      "1 a a X Number=Sing|Case=Nom 0 root",
      "1 1 1 1",
    ],
    [
      "language-specific features are ignored",
      "UFeats",
      "1 a a X NumForm=Word|Typo=Yes 0 root",
      "1 a a X _ 0 root",
      "1 1 1 1",
    ],
    ["universal features are compared", "UFeats", "1 a a X Abbr=Yes 0 root", "1 a a X _ 0 root", "0 1 1 1"],
    ["AllTags includes UPOS", "AllTags", "1 a a X _ 0 root", "1 a a Y _ 0 root", "0 1 1 1"],
    ["MLAS includes UPOS", "MLAS", "1 a a X _ 0 root", "1 a a Y _ 0 root", "0 1 1 1"],
    ["MLAS includes features", "MLAS", "1 a a X Case=Nom 0 root", "1 a a X Case=Gen 0 root", "0 1 1 1"],
    ["CLAS is over content words", "CLAS", "1 a a X _ 0 case", "1 a a X _ 0 root", "0 0 1 0"],
    ["punctuation is not content", "CLAS", "1 a a X _ 0 punct", "1 a a X _ 0 punct", "0 0 0 0"],
  ])("%s", (_name, metric, gold, system, expected) => {
    expect(counts(gold, system, [metric])).toEqual({ [metric]: expected });
  });

  test.each<[name: string, row: string, mlas: number]>([
    ["the same", "1 the the DET Definite=Def 2 det", 1],
    ["another relation of the same kind", "1 the the DET Definite=Def 2 case", 0],
    ["another tag", "1 the the PRON Definite=Def 2 det", 0],
    ["another feature", "1 the the DET Definite=Ind 2 det", 0],
    ["another feature, language-specific", "1 the the DET Definite=Def|Foo=Bar 2 det", 1],
    ["no longer a function word", "1 the the DET Definite=Def 2 nmod", 0],
    ["another lemma", "1 the a DET Definite=Def 2 det", 1],
  ])("MLAS looks at function words: %s", (_name, row, mlas) => {
    const gold = "1 the the DET Definite=Def 2 det\n2 dog dog NOUN _ 0 root";
    const { metrics } = evaluateConllu(ud(gold), ud(`${row}\n2 dog dog NOUN _ 0 root`));
    expect(metrics.MLAS.correct).toBe(mlas);
  });

  test.each<[name: string, gold: string, system: string, elas: string, eulas: string]>([
    ["the same edges in another order", "0:root|2:obj:x", "2:obj:x|0:root", "2 2 2 -", "2 2 2 -"],
    ["another subtype", "2:nmod:of", "2:nmod:in", "0 1 1 -", "1 1 1 -"],
    ["an edge is matched once", "2:nmod:of|2:nmod:in", "2:nmod:of|2:nmod:by", "1 2 2 -", "2 2 2 -"],
    [
      "of two edges that differ by subtype, one is found",
      "2:nmod:of|2:nmod:in",
      "2:nmod:by",
      "0 2 1 -",
      "1 2 1 -",
    ],
    ["a path over a collapsed node", "2:conj:and>obl:in", "2:conj:or>obl:on", "0 1 1 -", "1 1 1 -"],
    ["another step of a path", "2:conj:and>obl:in", "2:conj:and>obj", "0 1 1 -", "0 1 1 -"],
    ["edges from empty nodes are left out", "2:obj|2.1:obj", "2:obj|2.1:obj", "1 1 1 -", "1 1 1 -"],
    ["heads that do not exist count, but never match", "9:obj|x:y", "9:obj|x:y", "0 2 2 -", "0 2 2 -"],
    ["root is not a missing head", "0:obj", "7:obj", "0 1 1 -", "0 1 1 -"],
  ])("enhanced edges: %s", (_name, gold, system, elas, eulas) => {
    const sentence = (deps: string) => `1 a a X _ 2 dep ${deps}\n2 b b X _ 0 root`;
    expect(counts(sentence(gold), sentence(system), ["ELAS", "EULAS"])).toEqual({ ELAS: elas, EULAS: eulas });
  });

  test("white space of any kind in forms is ignored", () => {
    const make = (form: string) => parseConllu(`1\t${form}\t_\t_\t_\t_\t0\troot\t_\t_\n\n`);
    const { metrics } = evaluateConllu(make("10 000\u00a0000"), make("10\u2009000 000"));
    expect(metrics.Words.correct).toBe(1);
  });

  test("several roots are evaluated with singleRoot: false", () => {
    const rows = ud("1 a _ X _ 0 root\n2 b _ X _ 0 root");
    expect(() => evaluateConllu(rows, rows)).toThrow(InvalidSentence);
    expect(evaluateConllu(rows, rows, { singleRoot: false }).metrics.UAS.correct).toBe(2);
  });
});

describe("words of multiword tokens", () => {
  const aligned = (gold: string, system: string) =>
    evaluateConllu(ud(gold), ud(system)).metrics.Words.correct;
  const AB_SPLIT = "1-2 ab\n1 a _ X _ 0 root\n2 b _ X _ 1 dep\n3 c _ X _ 1 dep";

  const BC_SPLIT = "1 a _ X _ 0 root\n2-3 bc\n2 b _ X _ 1 dep\n3 c _ X _ 1 dep";
  const X_AB_C = "1 x _ X _ 0 root\n2-3 ab\n2 xab _ X _ 1 dep\n3 b _ X _ 1 dep\n4 c _ X _ 1 dep";
  const XAB_C = "1 xab _ X _ 0 root\n2 c _ X _ 1 dep";
  const P_QRS_T = "1 p _ X _ 0 root\n2 qrs _ X _ 1 dep\n3 t _ X _ 1 dep";
  const PQ_RS_T = "1 pq _ X _ 0 root\n2-3 rs\n2 qrs _ X _ 1 dep\n3 s _ X _ 1 dep\n4 t _ X _ 1 dep";

  test.each<[name: string, gold: string, system: string, pairs: number]>([
    ["forms are compared in lower case", AB_SPLIT, AB_SPLIT.replace("1 a", "1 A"), 3],
    ["forms need not be pieces of the token", AB_SPLIT, AB_SPLIT.replace("1 a", "1 xyz"), 2],
    [
      "the token of one side is two tokens of the other",
      AB_SPLIT,
      "1 a _ X _ 0 root\n2 b _ X _ 1 dep\n3 c _ X _ 1 dep",
      3,
    ],
    [
      "overlapping tokens form one stretch",
      AB_SPLIT,
      "1 a _ X _ 0 root\n2-3 bc\n2 b _ X _ 1 dep\n3 c _ X _ 1 dep",
      3,
    ],
    ["overlapping tokens, gold and system exchanged", BC_SPLIT, AB_SPLIT, 3],
    // The single word has the form of a word of the token: in the stretch, it would be paired with it.
    ["a system word that starts before the token is not in the stretch", X_AB_C, XAB_C, 1],
    ["a gold word that starts before the token is not in the stretch", XAB_C, X_AB_C, 1],
    ["a gold word that starts in the token before is not in the stretch", P_QRS_T, PQ_RS_T, 1],
  ])("%s", (_name, gold, system, pairs) => {
    expect(aligned(gold, system)).toBe(pairs);
  });

  test("of several longest common subsequences, the one that skips gold words first", () => {
    // Forms a b against b a: pairing b leaves gold's a out, pairing a leaves the system's b out.
    const gold = "1-2 zz\n1 a _ A _ 0 root\n2 b _ B _ 1 dep";
    const system = "1-2 zz\n1 b _ B _ 0 root\n2 a _ X _ 1 dep";
    expect(counts(gold, system, ["Words", "UPOS"])).toEqual({ Words: "1 2 2 1", UPOS: "1 2 2 1" });
  });
});

describe("alignment, against brute force", () => {
  /** Boundaries between the words of a text, one flag per position. */
  const cuts = (length: number) => fc.array(fc.boolean(), { minLength: length - 1, maxLength: length - 1 });
  const pieces = (text: string, cut: readonly boolean[]) => {
    const parts = [text[0]!];
    for (let i = 1; i < text.length; i++) {
      if (cut[i - 1]) parts.push(text[i]!);
      else parts[parts.length - 1] += text[i]!;
    }
    return parts;
  };
  const chain = (forms: readonly string[]) =>
    forms.map((form, i) => `${i + 1} ${form} _ X _ ${i} dep`).join("\n");
  const offsets = (forms: readonly string[]) => {
    let at = 0;
    return forms.map((form) => {
      at += form.length;
      return `${at - form.length}-${at}`;
    });
  };

  test("without multiword tokens, words are aligned if and only if they have the same span", () => {
    const text = "abcabcabcabc";
    fc.assert(
      fc.property(cuts(text.length), cuts(text.length), (goldCuts, systemCuts) => {
        const gold = pieces(text, goldCuts);
        const system = pieces(text, systemCuts);
        const spans = new Set(offsets(gold));
        const expected = offsets(system).filter((span) => spans.has(span)).length;
        const { metrics } = evaluateConllu(ud(chain(gold)), ud(chain(system)));
        expect(metrics.Words.correct).toBe(expected);
        expect(metrics.Tokens.correct).toBe(expected);
      }),
    );
  });

  function longestCommon(a: readonly string[], b: readonly string[]): number {
    if (a.length === 0 || b.length === 0) return 0;
    if (a[0] === b[0]) return 1 + longestCommon(a.slice(1), b.slice(1));
    return Math.max(longestCommon(a.slice(1), b), longestCommon(a, b.slice(1)));
  }

  type Tokens = readonly (readonly string[])[];
  /** Sentences of tokens with their words; a token of one word is a row, one of several a multiword token. */
  function fileOf(...sentences: readonly Tokens[]) {
    let token = 0;
    const texts = sentences.map((sentence) => {
      const rows: string[] = [];
      let id = 0;
      for (const words of sentence) {
        const form = `t${token++}`;
        if (words.length > 1) rows.push(`${id + 1}-${id + words.length} ${form}`);
        for (const word of words) {
          const relation = id === 0 ? "root" : "obj";
          rows.push(`${id + 1} ${words.length > 1 ? word : form} ${word} X _ ${id++} ${relation}`);
        }
      }
      return rows.join("\n");
    });
    return ud(texts.join("\n\n"));
  }
  const splits = (letters: readonly string[], words: number, tokens: number) =>
    fc.array(fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: words }), {
      minLength: tokens,
      maxLength: tokens,
    });

  test("within a token, the number of aligned words is the length of the longest common subsequence", () => {
    const split = splits(["a", "b", "c"], 6, 4);
    fc.assert(
      fc.property(split, split, (gold, system) => {
        const forms = (words: readonly string[], t: number) => (words.length > 1 ? words : [`t${t}`]);
        const expected = gold
          .map((words, t) => longestCommon(forms(words, t), forms(system[t]!, t)))
          .reduce((sum, length) => sum + length, 0);
        const { metrics } = evaluateConllu(fileOf(gold), fileOf(system));
        expect(metrics.Words.correct).toBe(expected);
        expect(metrics.Tokens.correct).toBe(gold.length);
      }),
    );
  });

  test("a file scores 1 in every metric against itself", () => {
    const form = fc.constantFrom("a", "B", "cd", ".");
    const sentence = fc.array(fc.tuple(form, fc.nat(), fc.constantFrom("nsubj", "case", "punct", "obl:x")), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 4 }), (sentences) => {
        const text = sentences
          .map((rows) =>
            rows
              .map(([word, pick, relation], i) => {
                const head = i === 0 ? 0 : 1 + (pick % i);
                return `${i + 1} ${word} ${word} X _ ${head} ${relation} ${head}:${relation}`;
              })
              .join("\n"),
          )
          .join("\n\n");
        const file = ud(text);
        const { metrics } = evaluateConllu(file, parseConllu(writeConllu(file)));
        for (const name of UD_METRICS) {
          const { correct, gold, system, aligned = correct } = metrics[name];
          expect({ name, gold, system, aligned }).toEqual({
            name,
            gold: correct,
            system: correct,
            aligned: correct,
          });
        }
        expect(metrics.Words.gold).toBe(sentences.flat().length);
      }),
    );
  });

  test("counts of sentences add up to F1, whatever tokens and sentences the system found", () => {
    const split = splits(["a", "b"], 4, 6);
    const cut = (words: Tokens, at: number) =>
      fileOf(...[words.slice(0, at), words.slice(at)].filter((part) => part.length > 0));
    fc.assert(
      fc.property(split, split, fc.nat(6), fc.nat(6), (gold, system, atGold, atSystem) => {
        const [g, s] = [cut(gold, atGold), cut(system, atSystem)];
        const { metrics } = evaluateConllu(g, s);
        const counts = sentenceMetrics(g, s);
        for (const name of WORD_METRICS) {
          const { correct, total } = counts[name];
          const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0);
          expect([name, sum(correct), sum(total)]).toEqual([
            name,
            2 * metrics[name].correct,
            metrics[name].gold + metrics[name].system,
          ]);
          expect(Array.from(correct).every((right, k) => right <= total[k]!)).toBe(true);
        }
      }),
    );
  });

  test("a multiword token of 4,000 words on both sides takes one bit per pair", () => {
    const many = (letter: string) => {
      const rows = Array.from({ length: 4000 }, (_, i) => `${i + 1} ${i % 2 ? letter : "x"} _ X _ ${i} dep`);
      return ud(["1-4000 t", ...rows].join("\n"));
    };
    expect(evaluateConllu(many("a"), many("b")).metrics.Words.correct).toBe(2000);
  });
});

describe("errors", () => {
  const GOOD = "1 a _ X _ 0 root\n2 b _ X _ 1 dep";

  test("texts that differ: reports the location on both sides", () => {
    const gold = ud(`# sent_id = s1\n${GOOD}\n\n# sent_id = s2\n1 cde _ X _ 0 root`);
    const system = ud("1 a _ X _ 0 root\n2-3 bcx\n2 b _ X _ 1 dep\n3 cx _ X _ 1 dep");
    expect(() => evaluateConllu(gold, system)).toThrow(
      new TextMismatch(
        3,
        { sentence: 2, sentenceId: "s2", line: 6, token: "cde", text: "de" },
        { sentence: 1, line: 2, token: "bcx", text: "x" },
      ),
    );
    expect(() => evaluateConllu(gold, system)).toThrow(
      'the texts differ after 3 characters (spaces not counted): expected "de" (sentence 2 "s2", line 6, ' +
        'token "cde") in gold, got "x" (sentence 1, line 2, token "bcx") in system',
    );
  });

  test("a text that ends too early", () => {
    expect(() => evaluateConllu(ud(`${GOOD}\n3 c _ X _ 1 dep`), ud(GOOD))).toThrow(
      'expected "c" (sentence 1, line 3, token "c") in gold, got the end of the text in system',
    );
  });

  test("a difference in the second half of a surrogate pair", () => {
    expect(() => evaluateConllu(ud("1 x😀 _ X _ 0 root"), ud("1 x😁y _ X _ 0 root"))).toThrow(
      'expected "😀" (sentence 1, line 1, token "x😀") in gold, got "😁y"',
    );
  });

  const words = (...rows: [id: number, head: number][]) => [
    {
      comments: ["# sent_id = x"],
      rows: rows.map(([id, head]) => ({ ...WORD, kind: "word" as const, id, head })),
      line: 5,
    },
  ];
  const WORD = {
    form: "a",
    lemma: "_",
    upos: "_",
    xpos: "_",
    feats: "_",
    deprel: "dep",
    deps: "_",
    misc: "_",
  };
  const range = (first: number, last: number) => ({ ...WORD, kind: "range" as const, first, last });

  test.each<[name: string, sentence: ReturnType<typeof words>, message: string]>([
    [
      "a cycle",
      words([1, 2], [2, 1]),
      'system, sentence 1 "x", line 6: the head of word 1 depends on it: a cycle',
    ],
    ["its own head", words([1, 0], [2, 2]), "line 7: the head of word 2 depends on it: a cycle"],
    ["a missing head", words([1, -1]), "line 6: expected a head from 0 to 1 for word 1, got _"],
    ["a head out of range", words([1, 3]), "line 6: expected a head from 0 to 1 for word 1, got 3"],
    [
      "a head that is not an integer",
      words([1, Number.NaN]),
      "line 6: expected a head from 0 to 1 for word 1, got NaN",
    ],
    ["two roots", words([1, 0], [2, 0]), "expected one root, got 2"],
    ["no words", words(), "expected at least one word, got none"],
    ["a missing ID", words([1, 0], [3, 1]), "line 7: expected word 2, got word 3"],
  ])("%s", (_name, sentence, message) => {
    const gold = ud("1 aa _ X _ 0 root");
    expect(() => evaluateConllu(gold, sentence)).toThrow(InvalidSentence);
    expect(() => evaluateConllu(gold, sentence)).toThrow(message);
  });

  test.each<[name: string, ranges: [number, number][], message: string]>([
    ["a range that is too long", [[1, 3]], "expected word 3 of the last multiword token, got none"],
    ["a range that starts late", [[2, 2]], "expected a token that starts at 1, got the range 2-2"],
    ["a range that ends before it starts", [[1, 0]], "expected a token that starts at 1, got the range 1-0"],
    [
      "two ranges over one word",
      [
        [1, 2],
        [1, 1],
      ],
      "expected word 1 of the token before, got the range 1-1",
    ],
  ])("%s", (_name, ranges, message) => {
    const [sentence] = words([1, 0], [2, 1]);
    const faulty = [
      { ...sentence!, rows: [...ranges.map(([first, last]) => range(first, last)), ...sentence!.rows] },
    ];
    expect(() => evaluateConllu(ud("1 aa _ X _ 0 root"), faulty)).toThrow(message);
  });

  test("a form of spaces", () => {
    const [sentence] = words([1, 0]);
    const faulty = [{ ...sentence!, rows: [{ ...sentence!.rows[0]!, form: " \u3000" }] }];
    expect(() => evaluateConllu(faulty, faulty)).toThrow("gold, sentence 1");
    expect(() => evaluateConllu(faulty, faulty)).toThrow("expected a form, got nothing but white space");
  });
});
