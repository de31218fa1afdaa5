import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ConlluSentence,
  enhance,
  enhancedGraph,
  enhanceTree,
  parseConllu,
  sentenceTree,
  sentenceWords,
  validate,
  writeConllu,
} from "@arcwise/conllu";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** A sentence of `form/UPOS/head/relation` words, with `lemma=`, `xpos=` and features after them. */
function sentenceOf(text: string): ConlluSentence {
  const rows = text.split(" ").map((word, i) => {
    const [form, upos, head, relation, ...more] = word.split("/");
    const value = (name: string) => more.find((item) => item.startsWith(`${name}=`))?.slice(name.length + 1);
    const feats = more.filter((item) => /^[A-Z]/.test(item)).join("|") || "_";
    const lemma = value("lemma") ?? form!.toLowerCase();
    const columns = [i + 1, form, lemma, upos, value("xpos") ?? "_", feats, head, relation, "_", "_"];
    return `${columns.join("\t")}\n`;
  });
  return parseConllu(`${rows.join("")}\n`)[0]!;
}

/**
 * Returns the differences of the enhanced graph from the tree: `+head>modifier label`, `-head>modifier
 * label`.
 */
function changes(text: string): string[] {
  const sentence = sentenceOf(text);
  const { heads, labels } = sentenceTree(sentence);
  const names = enhancedGraph(enhance(sentence)).edges.map((e) => `${e.head}>${e.modifier} ${e.label}`);
  const basic = labels.slice(1).map((label, i) => `${heads[i + 1]}>${i + 1} ${label}`);
  const added = names.filter((name) => !basic.includes(name)).map((name) => `+${name}`);
  return [...basic.filter((name) => !names.includes(name)).map((name) => `-${name}`), ...added];
}

describe("lemmas of markers in labels", () => {
  it.each<[what: string, sentence: string, changes: string[]]>([
    ["a case", "sat/VERB/0/root in/ADP/3/case Rome/PROPN/1/obl", ["-1>3 obl", "+1>3 obl:in"]],
    ["none", "came/VERB/0/root today/NOUN/1/obl", []],
    ["a subtype stays", "done/VERB/0/root by/ADP/3/case me/PRON/1/obl:agent", []],
    [
      "a fixed expression",
      "late/ADJ/0/root because/ADP/4/case of/ADP/2/fixed rain/NOUN/1/obl",
      ["-1>4 obl", "+1>4 obl:because_of"],
    ],
    [
      "the last of two markers",
      "came/VERB/0/root out/ADP/4/case of/ADP/4/case Rome/PROPN/1/nmod",
      ["-1>4 nmod", "+1>4 nmod:of"],
    ],
    [
      "a clause in a phrase after with",
      "left/VERB/0/root with/SCONJ/4/mark in/ADP/4/case mind/NOUN/1/advcl",
      ["-1>4 advcl", "+1>4 advcl:with"],
    ],
    [
      "a participle in its own form",
      "all/DET/0/root including/VERB/3/case/lemma=include/xpos=VBG me/PRON/1/nmod",
      ["-1>3 nmod", "+1>3 nmod:including"],
    ],
    ["a clause", "go/VERB/0/root if/SCONJ/3/mark asked/VERB/1/advcl", ["-1>3 advcl", "+1>3 advcl:if"]],
    ["an adverb", "go/VERB/0/root when/ADV/3/advmod asked/VERB/1/advcl", ["-1>3 advcl", "+1>3 advcl:when"]],
    ["a clause of a noun", "time/NOUN/0/root to/PART/3/mark go/VERB/1/acl", ["-1>3 acl", "+1>3 acl:to"]],
    ["a marker that is not a letter", "1969/NUM/0/root -/SYM/3/case 1970/NUM/1/nmod", []],
    ["versus", "one/NUM/0/root vs./ADP/3/case two/NUM/1/nmod", ["-1>3 nmod", "+1>3 nmod:versus"]],
    [
      "a marker that objects have as a member",
      "one/NUM/0/root constructor/ADP/3/case two/NUM/1/nmod",
      ["-1>3 nmod", "+1>3 nmod:constructor"],
    ],
    ["at least", "at/ADP/2/case least/ADJ/3/nmod/xpos=JJS two/NUM/0/root", []],
  ])("%s", (_what, sentence, expected) => {
    expect(changes(sentence)).toEqual(expected);
  });
});

describe("coordination", () => {
  it.each<[what: string, sentence: string, changes: string[]]>([
    [
      "one conjunction for all conjuncts",
      "A/X/0/root ,/PUNCT/3/punct B/X/1/conj and/CCONJ/5/cc C/X/1/conj",
      ["-1>3 conj", "-1>5 conj", "+1>3 conj:and", "+1>5 conj:and"],
    ],
    ["none", "A/X/0/root ,/PUNCT/3/punct B/X/1/conj", []],
    ["a conjunction that is not a letter", "A/X/0/root &/CCONJ/3/cc B/X/1/conj", []],
    [
      "a conjunction of several words",
      "A/X/0/root as/ADV/5/cc well/ADV/2/fixed as/ADP/2/fixed B/X/1/conj",
      ["-1>5 conj", "+1>5 conj:as_well_as"],
    ],
    [
      "a shared head with its marker",
      "sat/VERB/0/root in/ADP/3/case A/X/1/obl or/CCONJ/5/cc B/X/3/conj",
      ["-1>3 obl", "-3>5 conj", "+1>3 obl:in", "+1>5 obl:in", "+3>5 conj:or"],
    ],
    [
      "a marker of its own",
      "sat/VERB/0/root in/ADP/3/case A/X/1/obl or/CCONJ/6/cc by/ADP/6/case B/X/3/conj",
      ["-1>3 obl", "-3>6 conj", "+1>3 obl:in", "+1>6 obl:by", "+3>6 conj:or"],
    ],
    [
      "a shared subject",
      "they/PRON/2/nsubj came/VERB/0/root and/CCONJ/4/cc left/VERB/2/conj",
      ["-2>4 conj", "+4>1 nsubj", "+2>4 conj:and"],
    ],
    [
      "a shared subject in another voice",
      "it/PRON/2/nsubj grew/VERB/0/root and/CCONJ/5/cc was/AUX/5/aux:pass cut/VERB/2/conj",
      ["-2>5 conj", "+5>1 nsubj:pass", "+2>5 conj:and"],
    ],
    [
      "a subject of its own",
      "I/PRON/2/nsubj came/VERB/0/root and/CCONJ/5/cc you/PRON/5/nsubj left/VERB/2/conj",
      ["-2>5 conj", "+2>5 conj:and"],
    ],
    [
      "a shared object",
      "buy/VERB/0/root and/CCONJ/3/cc sell/VERB/1/conj houses/NOUN/1/obj",
      ["-1>3 conj", "+1>3 conj:and", "+3>4 obj"],
    ],
    [
      "an object of the first conjunct alone",
      "buy/VERB/0/root milk/NOUN/1/obj and/CCONJ/4/cc leave/VERB/1/conj",
      ["-1>4 conj", "+1>4 conj:and"],
    ],
  ])("%s", (_what, sentence, expected) => {
    expect(changes(sentence)).toEqual(expected);
  });
});

describe("relative clauses", () => {
  const rel = "PronType=Rel";
  it.each<[what: string, sentence: string, changes: string[]]>([
    [
      "a pronoun",
      `men/NOUN/0/root who/PRON/3/nsubj/${rel} sing/VERB/1/acl:relcl`,
      ["-3>2 nsubj", "+3>1 nsubj", "+1>2 ref"],
    ],
    [
      "a pronoun with its marker",
      `city/NOUN/0/root in/ADP/3/case which/PRON/5/obl/${rel} we/PRON/5/nsubj live/VERB/1/acl:relcl`,
      ["-5>3 obl", "+5>1 obl:in", "+1>3 ref"],
    ],
    [
      "an adverb",
      `city/NOUN/0/root where/ADV/4/advmod/${rel} we/PRON/4/nsubj live/VERB/1/acl:relcl`,
      ["-4>2 advmod", "+4>1 obl", "+1>2 ref"],
    ],
    ["an object", "men/NOUN/0/root I/PRON/3/nsubj saw/VERB/1/acl:relcl", ["+3>1 obj"]],
    [
      "an object of a complement",
      "men/NOUN/0/root I/PRON/3/nsubj wanted/VERB/1/acl:relcl to/PART/5/mark see/VERB/3/xcomp",
      ["+5>1 obj", "+5>2 nsubj:xsubj"],
    ],
    ["a subject", "what/PRON/0/root irritates/VERB/1/acl:relcl me/PRON/2/obj", ["+2>1 nsubj"]],
    ["an adjunct", "way/NOUN/0/root we/PRON/3/nsubj live/VERB/1/acl:relcl", ["+3>1 obl"]],
    ["no gap", "men/NOUN/0/root I/PRON/3/nsubj saw/VERB/1/acl:relcl you/PRON/3/obj", []],
  ])("%s", (_what, sentence, expected) => {
    expect(changes(sentence)).toEqual(expected);
  });
});

describe("controlled subjects", () => {
  it.each<[what: string, sentence: string, changes: string[]]>([
    [
      "the subject",
      "they/PRON/2/nsubj want/VERB/0/root to/PART/4/mark sleep/VERB/2/xcomp",
      ["+4>1 nsubj:xsubj"],
    ],
    [
      "the object",
      "I/PRON/2/nsubj asked/VERB/0/root them/PRON/2/obj to/PART/5/mark sleep/VERB/2/xcomp",
      ["+5>3 nsubj:xsubj"],
    ],
    [
      "of both conjuncts",
      "I/PRON/2/nsubj want/VERB/0/root sleep/VERB/2/xcomp or/CCONJ/5/cc food/NOUN/3/conj",
      ["-3>5 conj", "+3>1 nsubj:xsubj", "+5>1 nsubj:xsubj", "+2>5 xcomp", "+3>5 conj:or"],
    ],
    ["a subject of its own", "have/VERB/0/root you/PRON/3/nsubj sleep/VERB/1/xcomp", []],
  ])("%s", (_what, sentence, expected) => {
    expect(changes(sentence)).toEqual(expected);
  });
});

it("accepts any tree, and returns a graph that can be written", () => {
  const labels = "nsubj obj xcomp conj cc case mark acl:relcl advcl:relcl obl nmod advcl fixed".split(" ");
  const word = fc.record({ head: fc.nat(7), label: fc.constantFrom(...labels), rel: fc.boolean() });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
      // Heads before their words: always a tree.
      const rows = words.map(({ head, label, rel }, i) => {
        const relation = head % (i + 1) === 0 ? "root" : label;
        return `w${i}/VERB/${head % (i + 1)}/${relation}${rel ? "/PronType=Rel" : ""}`;
      });
      const sentence = sentenceOf(rows.join(" "));
      const enhanced = enhance(sentence);
      const graph = enhanceTree(sentenceWords(sentence), sentenceTree(sentence));
      expect(enhancedGraph(parseConllu(writeConllu([enhanced]))[0]!)).toEqual(graph);
      for (let m = 1; m <= words.length; m++) {
        expect(graph.edges.some(({ modifier }) => modifier === m)).toBe(true);
      }
    }),
  );
});

it("refuses heads that do not form a tree of the words", () => {
  const tree = { heads: Int32Array.of(-1, 2, 1), labels: ["", "a", "b"] };
  const words = sentenceWords(sentenceOf("a/X/0/root b/X/1/dep"));
  expect(() => enhanceTree(words, tree)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
  expect(() => enhanceTree(words.slice(1), tree)).toThrow(
    expect.objectContaining({ code: "invalid-argument", found: "3 heads and 3 labels" }),
  );
});

const root = process.env.ARCWISE_DATA ?? join(import.meta.dirname, "../../../../shared");
const dev = join(root, "treebanks/UD_English-EWT/en_ewt-ud-dev.conllu");

describe.skipIf(!existsSync(dev))("a treebank (skipped when the data is absent)", () => {
  it("gets graphs that nearly equal its own, and are valid", () => {
    const sentences = parseConllu(readFileSync(dev, "utf8"));
    const enhanced = sentences.map(enhance);
    let [correct, total] = [0, 0];
    const keys = (sentence: ConlluSentence) =>
      enhancedGraph(sentence).edges.map(({ head, modifier, label }) => `${head} ${modifier} ${label}`);
    for (const [s, sentence] of sentences.entries()) {
      const gold = new Set(keys(sentence));
      const own = keys(enhanced[s]!);
      correct += 2 * own.filter((key) => gold.has(key)).length;
      total += own.length + gold.size;
    }
    expect(correct / total).toBeGreaterThan(0.985);
    const faults = [...validate(enhanced, { level: 3 })]
      .filter(({ severity }) => severity === "error")
      .map(({ rule }) => rule);
    expect(new Set(faults)).toEqual(new Set());
  });
});
