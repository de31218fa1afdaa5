import { describe, expect, test } from "vitest";
import { collected, thrownBy } from "../../../../tools/test-helpers.ts";
import { agreementOf, cohensKappa, differencesOf, pairSentences } from "../../src/correct/agreement.ts";
import { constraintsOf, contentOf, documentText, openDocument } from "../../src/correct/document.ts";
import { findingsOf, repeatedIds, valueFindings } from "../../src/correct/findings.ts";
import { perform, startHistory, undo } from "../../src/correct/history.ts";
import { hotKeysOf, wordLetter, wordOfLetter } from "../../src/correct/hot-keys.ts";
import {
  addToInventory,
  newInventory,
  offered,
  offeredFeatures,
  unusualFeatures,
} from "../../src/correct/inventory.ts";
import { compileMassChange, planMassChange } from "../../src/correct/mass-changes.ts";
import { withAttribute, withFeature } from "../../src/correct/misc.ts";
import { notesOf, textWithNotes, withNote } from "../../src/correct/notes.ts";
import { doubtOf, orderedKeys, statedProbabilities } from "../../src/correct/order.ts";
import { find } from "../../src/search/find.ts";
import { columns } from "./examples.ts";

const TEXT = [
  "# sent_id = s1",
  "# text = Dogs bark",
  columns("1 Dogs dog NOUN _ Number=Plur 2 nsubj _ ArcP=0.9000"),
  columns("2 bark bark VERB _ _ 0 root _ ArcP=0.7000"),
  "",
  "# sent_id = s2",
  "# text = A cat",
  columns("1 A a DET _ _ 2 det _ ArcP=1"),
  columns("2 cat cat NOUN _ Number=Sing 0 root _ ArcP=0.5000"),
  "",
  "",
].join("\n");
const DOCUMENT = openDocument("a.conllu", TEXT);
const SENTENCES = DOCUMENT.sentences.map((one) => contentOf(one).sentence!);

test("CoNLL-U Plus is edited as CoNLL-U", () => {
  const names = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC X:Y\n";
  const plus = names + TEXT.replaceAll(/^(\d.*)$/gm, "$1\t*");
  expect(documentText(openDocument("a.conllup", plus))).toBe(documentText(DOCUMENT));
});

describe("findings", () => {
  test("name the rule and the row", () => {
    expect(findingsOf(DOCUMENT.sentences[0]!)).toEqual([]);
    const bad = openDocument("a", TEXT.replace("\tVERB\t", "\tVRB\t").replace("\t2\tnsubj", "\t7\tnsubj"));
    expect(findingsOf(bad.sentences[0]!).map(({ rule, row }) => [rule, row])).toEqual([
      ["unknown-head", "1"],
      ["unknown-upos", "2"],
    ]);
  });

  test("line ends and blank lines are not findings of a sentence", () => {
    const { sentences } = openDocument("a", TEXT.replaceAll("\n", "\r\n").trimEnd());
    expect(sentences.map(findingsOf)).toEqual(DOCUMENT.sentences.map(findingsOf));
  });

  test("IDs that come twice", () => {
    expect([...repeatedIds(openDocument("a", TEXT.replace("s2", "s1")))]).toEqual([0, 1]);
  });

  test.each([
    ["feats", "Number=Plur", []],
    ["feats", "Number", ["invalid-feature"]],
    ["feats", "Number=Plur|Case=Nom", ["unsorted-features"]],
    ["upos", "NAME", ["unknown-upos"]],
    ["deprel", "nsbj", ["unknown-udeprel"]],
    ["deprel", "nsubj:pass", []],
    ["lemma", "a  b", ["repeated-whitespace"]],
  ] as const)("%s %s while it is typed", (column, value, rules) => {
    expect(valueFindings(column, value).map(({ rule }) => rule)).toEqual(rules);
  });
});

describe("what is offered", () => {
  const inventory = newInventory();
  for (const sentence of SENTENCES) addToInventory(inventory, sentence);

  test("relations of words with the tag first, then of others, then universal ones", () => {
    const relations = offered(inventory, "deprel", "VERB");
    expect(relations.slice(0, 3)).toEqual(["root", "det", "nsubj"]);
    expect(relations).toContain("advcl");
    expect(new Set(relations).size).toBe(relations.length);
  });

  test("a list of one's own replaces them", () => {
    expect(offered(inventory, "deprel", "VERB", { deprel: ["a", "b"] })).toEqual(["a", "b"]);
    expect(offered(inventory, "upos", "VERB", { upos: [] })[0]).toBe("NOUN");
  });

  test("features by tag", () => {
    const [number, ...others] = offeredFeatures(inventory, "NOUN");
    expect(number).toEqual({
      name: "Number",
      values: expect.arrayContaining(["Plur", "Sing", "Dual"]),
      isUsual: true,
    });
    expect(others.every(({ isUsual }) => !isUsual)).toBe(true);
    expect(unusualFeatures(inventory, "NOUN", "Case=Nom|Number=Sing")).toEqual(["Case=Nom"]);
    expect(unusualFeatures(inventory, "NOUN", "Number=Sing", { feats: ["Number=Plur"] })).toEqual([
      "Number=Sing",
    ]);
  });

  test.each([
    ["_", "Case", "Nom", "Case=Nom"],
    ["Number=Sing", "Case", "Nom", "Case=Nom|Number=Sing"],
    ["Case=Acc|Number=Sing", "Case", "", "Number=Sing"],
    ["Case=Acc", "Case", "", "_"],
  ])("%s with %s=%s is %s", (feats, name, value, expected) => {
    expect(withFeature(feats, name, value)).toBe(expected);
  });

  test("attributes stay in their places", () => {
    expect(withAttribute("B=1|A=2|Flag", "A", "3")).toBe("B=1|A=3|Flag");
    expect(withAttribute("_", "A", "3")).toBe("A=3");
    expect(withAttribute("A=2", "A", "")).toBe("_");
  });
});

describe("keys", () => {
  test("each value has its own key, the usual one where it is free", () => {
    const keys = hotKeysOf(["nsubj", "nsubj:pass", "obj", "other", "odd"], { odd: "o" });
    expect(keys.get("odd")).toBe("o");
    expect(keys.get("nsubj")).toBe("s");
    expect(keys.get("nsubj:pass")).toBe("S");
    expect(new Set(keys.values()).size).toBe(5);
  });

  test("52 letters at most", () => {
    expect(hotKeysOf(Array.from({ length: 80 }, (_, i) => `x${i}`)).size).toBe(52);
    expect(wordOfLetter(wordLetter(27)!)).toBe(27);
    expect(wordLetter(53)).toBeUndefined();
    expect(wordOfLetter("1")).toBeUndefined();
  });
});

describe("changes by pattern", () => {
  const plan = (pattern: string, changes: string) =>
    [...planMassChange(DOCUMENT, compileMassChange(pattern, changes))].flatMap(({ sentence, changes }) =>
      changes.map(({ word, column, before, after }) => [sentence, word, column, before, after]),
    );

  test("show each value that changes", () => {
    expect(plan("{upos:NOUN}=n", "n.upos = PROPN; n.feats.Number = Sing; n.misc.Gloss = x")).toEqual([
      [0, 1, "upos", "NOUN", "PROPN"],
      [0, 1, "feats", "Number=Plur", "Number=Sing"],
      [0, 1, "misc", "ArcP=0.9000", "ArcP=0.9000|Gloss=x"],
      [1, 2, "upos", "NOUN", "PROPN"],
      [1, 2, "misc", "ArcP=0.5000", "ArcP=0.5000|Gloss=x"],
    ]);
    expect(plan("{}=h > {upos:DET}=d", "h.head = d; d.head = root")).toEqual([
      [1, 2, "head", "0", "1"],
      [1, 1, "head", "2", "0"],
    ]);
  });

  test("are undone together", () => {
    const edits = [...planMassChange(DOCUMENT, compileMassChange("{upos:NOUN}=n", "n.lemma = "))].flatMap(
      ({ changes }) => changes.map(({ edit }) => edit),
    );
    const after = perform(startHistory(DOCUMENT), "all", edits);
    expect(documentText(after.document)).toBe(
      TEXT.replace("\tdog\t", "\t_\t").replace("\tcat\tcat\t", "\tcat\t_\t"),
    );
    expect(documentText(undo(after).document)).toBe(TEXT);
  });

  test.each([
    ["{", "n.upos = X"],
    ["{}=n", ""],
    ["{}=n", "m.upos = X"],
    ["{}=n", "n.ups = X"],
    ["{}=n", "n.upos.Number = X"],
    ["{}=n", "n.head = m"],
  ])("%s with %s is refused", (pattern, changes) => {
    expect(thrownBy(() => compileMassChange(pattern, changes))).toMatchObject({ code: "invalid-argument" });
  });
});

describe("order", () => {
  const facts = {
    probabilities: (sentence: (typeof DOCUMENT.sentences)[number]) =>
      statedProbabilities(contentOf(sentence).sentence!),
    differences: (key: number) => key,
  };
  test("by the probabilities that the file states", () => {
    expect(statedProbabilities(SENTENCES[0]!)).toEqual([0.9, 0.7]);
    expect(doubtOf([0.9, 0.7])).toBeCloseTo(0.2);
    expect(orderedKeys(DOCUMENT, "doubt", facts)).toEqual([1, 0]);
    expect(orderedKeys(DOCUMENT, "file", facts)).toEqual([0, 1]);
    expect(orderedKeys(DOCUMENT, "disagreement", facts)).toEqual([1, 0]);
    expect(
      statedProbabilities(
        contentOf(openDocument("a", TEXT.replace("ArcP=0.9000", "_")).sentences[0]!).sentence!,
      ),
    ).toBeUndefined();
  });
});

describe("two annotations", () => {
  const other = openDocument("b", TEXT.replace("\t2\tnsubj", "\t2\tobj").replace("\tVERB\t", "\tNOUN\t"));

  test("are paired by ID, and differ by word and column", () => {
    const shuffled = { ...other, sentences: [...other.sentences].reverse() };
    const pairs = pairSentences(DOCUMENT, shuffled);
    expect([...pairs.keys()]).toEqual([0, 1]);
    expect(differencesOf(SENTENCES[0]!, pairs.get(0)!)).toEqual([
      { word: 1, columns: ["deprel"] },
      { word: 2, columns: ["upos"] },
    ]);
    expect(differencesOf(SENTENCES[1]!, pairs.get(1)!)).toEqual([]);
    expect(differencesOf(SENTENCES[0]!, SENTENCES[1]!)).toBeUndefined();
  });

  test("agree as the shared task and Cohen's kappa say", () => {
    const pairs = pairSentences(DOCUMENT, other);
    const { metrics, words, compared } = agreementOf(
      SENTENCES.map((own, i) => [own, pairs.get(i)!] as const),
    );
    expect([words, compared, metrics.LAS.f1, metrics.UAS.f1, metrics.UPOS.f1]).toEqual([4, 2, 0.75, 1, 0.75]);
    // Observed 3/4, expected (2/4 · 3/4) + (1/4 · 0) + (1/4 · 1/4).
    const pairsOf = (text: string) => text.split(" ").map((pair) => [pair[0]!, pair[1]!] as const);
    expect(cohensKappa(pairsOf("NN VN DD NN"))).toBeCloseTo((3 / 4 - 7 / 16) / (1 - 7 / 16));
    expect(cohensKappa([["N", "N"]])).toBeNaN();
  });

  test("with other characters are counted, not compared", () => {
    const { compared, sentences } = agreementOf([[SENTENCES[0]!, SENTENCES[1]!]]);
    expect({ compared, sentences }).toEqual({ compared: 0, sentences: 1 });
  });
});

describe("notes", () => {
  const notes = withNote(withNote([], { on: "sentence", text: "odd\none" }), {
    on: "arc",
    word: 1,
    text: "sure?",
  });
  const { document } = perform(startHistory(DOCUMENT), "note", [{ kind: "notes", sentence: 0, notes }]);

  test("go into the file on request alone", () => {
    expect(documentText(document)).toBe(TEXT);
    expect(textWithNotes(document)).toBe(
      TEXT.replace("# text = Dogs bark\n", "# text = Dogs bark\n# note = odd one\n# note arc 1 = sure?\n"),
    );
    expect(notesOf(document).notes.map(({ sentence, id, on }) => [sentence, id, on])).toEqual([
      [1, "s1", "sentence"],
      [1, "s1", "arc"],
    ]);
  });

  test("are removed by an empty text", () => {
    expect(withNote(notes, { on: "arc", word: 1, text: " " })).toEqual([
      { on: "sentence", text: "odd\none" },
    ]);
  });
});

test("a parser is bound by what is fixed, as far as it is there", () => {
  expect(constraintsOf(SENTENCES[0]!, { heads: [1], labels: [2] })).toEqual({
    heads: Int32Array.of(-1, 2, -1),
    labels: ["", "", "root"],
  });
  const headless = openDocument("a", TEXT.replace("\t2\tnsubj", "\t_\t_"));
  const fixed = { heads: [1], labels: [1] };
  expect(constraintsOf(contentOf(headless.sentences[0]!).sentence!, fixed)).toEqual({
    heads: Int32Array.of(-1, -1, -1),
    labels: ["", "", ""],
  });
  const { document } = perform(startHistory(headless), "parse", [
    { kind: "fix", sentence: 0, words: [1], isFixed: true },
    { kind: "tree", sentence: 0, heads: [-1, 2, 0], labels: ["", "nsubj", "root"] },
  ]);
  expect(documentText(document)).toBe(TEXT);
});

test("a search finds words, and names values that no word has", async () => {
  const last = async (...search: Parameters<typeof find>) => (await collected(find(...search))).at(-1)!;
  const all = await last([SENTENCES[0], undefined, SENTENCES[1]], "{upos:NOUN}=n");
  expect(all.hits.map(({ index, matches }) => [index, matches.flatMap(({ nodes }) => nodes)])).toEqual([
    [0, [1]],
    [2, [2]],
  ]);
  expect(all.matches).toBe(2);
  expect((await last(SENTENCES, "{} >nsbj {}")).notes).toEqual([
    "no word has the relation nsbj; did you mean nsubj?",
  ]);
  await expect(last(SENTENCES, "{")).rejects.toMatchObject({ code: "invalid-argument" });
});
