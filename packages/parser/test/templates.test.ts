import { readFileSync } from "node:fs";
import { ARC_TEMPLATES, LEAN_ARC_TEMPLATES } from "@arcwise/core/features";
import { describe, expect, it } from "vitest";
import {
  createParser,
  type FeatureTemplates,
  loadParser,
  readTemplates,
  saveParser,
  type TrainingExample,
  templatesFor,
  writeTemplates,
} from "../src/index.ts";
import { trained } from "../src/model/model.ts";
import { trainedParser, trainParser } from "./fast-training.ts";
import { TREEBANK, withCode } from "./support.ts";

/** Two sentences of words with morphological features, short so that training takes a moment. */
const examples: TrainingExample[] = [2, 3].map((index) => {
  const { sentence, tree } = TREEBANK[index]!;
  const words = sentence.map((word, i) => ({
    ...word,
    feats: `Case=${i % 2 === 0 ? "Nom" : "Acc"}|Number=${i % 3 === 0 ? "Plur" : "Sing"}|Tense=Past`,
  }));
  return { sentence: words, tree };
});
const quick = { epochs: 1, prune: false } as const;

describe("documents of templates", () => {
  it.each([
    ["{", "expected JSON: "],
    ["[]", "expected an object of comment, arc, pruner, parts, labeller, global, found a list of 0"],
    ['{"arcs": []}', 'found "arcs" (did you mean "arc"?)'],
    ['{"comment": 3}', "comment: expected a text, found 3"],
    ['{"arc": []}', "arc: expected a list of 1 to"],
    ['{"arc": "h.upos"}', 'arc: expected a list of templates, or { "add": [...], "remove": [...] }'],
    ['{"arc": {"plus": []}}', 'arc: expected one of add, remove, found "plus"'],
    ['{"arc": {"add": "h.upos"}}', "arc.add: expected a list, found"],
    ['{"arc": {"add": ["h.upos", 4]}}', "arc.add[1]: expected a text, found 4"],
    ['{"arc": ["h.upos", "h.upos"]}', 'arc[1]: expected each item once, found "h.upos"'],
    ['{"arc": ["h.upso"]}', 'arc[0]: template "h.upso": expected W.A with W one of h, m'],
    ['{"arc": ["h.upso"]}', 'found "h.upso" (did you mean "h.upos"?)'],
    ['{"arc": ["h.feat count.verb"]}', "arc[0]: template"],
    ['{"parts": {"grandparents": []}}', "parts: expected one of grandparent, nextSibling"],
    ['{"parts": {"grandparents": []}}', 'found "grandparents" (did you mean "grandparent"?)'],
    ['{"parts": {"grandparent": ["s.upos"]}}', "parts.grandparent[0]: template"],
    ['{"labeller": {"tree": ["tree.plaec"]}}', '(did you mean "tree.place"?)'],
    ['{"global": {"valency": ["m.upos"]}}', "global.valency[0]: template"],
  ])("%s is refused", (text, message) => {
    expect(() => readTemplates(text)).toThrow(message);
  });

  it.each<[string, FeatureTemplates, string]>([
    ["parts of another order", { parts: { triSibling: [] } }, "parts.triSibling: expected a section that"],
    [
      "views without whole trees",
      { global: { valency: [] } },
      "global: expected a section that the model uses",
    ],
    ["a labeller that is not there", { labeller: { arc: [] } }, "labeller: expected a section"],
    ["a removal of nothing", { arc: { remove: ["h.upso"] } }, "arc.remove[0]: template"],
    [
      "a removal of what is not built in",
      { arc: { remove: ["h.upos m+2.upos"] } },
      "arc.remove[0]: expected a template that is built in",
    ],
    ["an addition of what is", { arc: { add: ["h.upos m.upos"] } }, "arc.add[0]: expected a new template"],
  ])("%s: refused", (_name, templates, message) => {
    expect(() => templatesFor({ templates })).toThrow(message);
  });

  it.each([
    ["at the top", (deep: string) => deep],
    ["as a list", (deep: string) => `{"arc": ${deep}}`],
    ["as a section", (deep: string) => `{"parts": ${deep}}`],
    ["as a change", (deep: string) => `{"arc": {"add": ${deep}}}`],
  ])("nested too deeply to be written: refused, %s", (_where, text) => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const expected = withCode("invalid-templates");
    expect(() => readTemplates(text(deep))).toThrow(expected);
  });

  it("change lists, or replace them", () => {
    const templates = readTemplates(
      '{"arc": {"add": ["h.upos m.Case"], "remove": ["h.word"]}, "parts": {"lastSibling": ["h.upos"]}}',
    );
    const sets = templatesFor({ order: 2, templates });
    expect(sets.arc).toEqual([...ARC_TEMPLATES.filter((one) => one !== "h.word"), "h.upos m.Case"]);
    expect(sets.parts.lastSibling).toEqual(["h.upos"]);
    expect(sets.parts.grandparent).toEqual(templatesFor({ order: 2 }).parts.grandparent);
  });

  it.each([{ preset: "linear" }, { order: 3, decoder: "hillclimb", global: true, parts: "full" }] as const)(
    "of the built-in templates of %j say nothing new",
    (options) => {
      const sets = templatesFor(options);
      expect(templatesFor({ ...options, templates: readTemplates(writeTemplates(sets)) })).toEqual(sets);
    },
  );
});

/** Weights to compare at once: element by element, tables of some million take seconds. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Int8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

describe("models with templates of one's own", { timeout: 120_000 }, () => {
  it("train and parse the same with the built-in templates, written out", async () => {
    const templates = readTemplates(writeTemplates(templatesFor(quick)));
    const [plain, given] = [
      await trainedParser(examples, quick),
      await trainedParser(examples, { ...quick, templates }),
    ];
    expect(bytesOf(trained(given).arcWeights.values).equals(bytesOf(trained(plain).arcWeights.values))).toBe(
      true,
    );
    expect(trained(plain).configuration.arcTemplates).toEqual(LEAN_ARC_TEMPLATES);
  });

  it("keep them, and the columns of the features that they name", async () => {
    const templates: FeatureTemplates = { arc: ["h.upos m.upos", "h.Number m.Number m-1.Case", "h.Tense"] };
    const model = await trainParser(examples, { ...quick, templates });
    const loaded = loadParser(saveParser(model));
    expect(trained(loaded).encoder.features).toEqual(["Case", "Number", "Tense"]);
    expect(trained(loaded).configuration.arcTemplates).toEqual(templates.arc);
    expect(loaded.description.templates).toEqual(["arc =3"]);
    const { sentence } = examples[0]!;
    expect(createParser(loaded).parse(sentence)).toEqual(createParser(model).parse(sentence));
    const singular = sentence.map((word) => ({ ...word, feats: "Case=Nom|Number=Dual|Tense=Past" }));
    expect(createParser(loaded).parse(singular).score).not.toBe(createParser(loaded).parse(sentence).score);
  });

  it("refuse features that no word has", async () => {
    const training = trainParser(examples, { ...quick, templates: { arc: ["h.Nubmer"] } });
    await expect(training).rejects.toThrow('found "Nubmer" (did you mean "Number"?)');
    await expect(training).rejects.toMatchObject({ code: "invalid-templates" });
    const plain = examples.map(({ sentence, tree }) => ({
      sentence: sentence.map((word) => ({ ...word, feats: undefined })),
      tree,
    }));
    const without = trainParser(plain, { ...quick, templates: { arc: ["h.Number"] } });
    await expect(without).rejects.toMatchObject({ code: "invalid-templates" });
  });
});

it("the example of templates for Hungarian adds what it says to those of the first order", () => {
  const url = new URL("../../../docs/examples/hungarian-templates.json", import.meta.url);
  const templates = readTemplates(readFileSync(url, "utf8"));
  const { add } = templates.arc as { readonly add: readonly string[] };
  expect(add.length).toBeGreaterThan(10);
  expect(templatesFor({ templates }).arc).toEqual([...LEAN_ARC_TEMPLATES, ...add]);
});
