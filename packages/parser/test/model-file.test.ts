import { scoreTree, UnsupportedPart } from "@arcwise/core";
import { readContainer, writeContainer } from "@arcwise/core/container";
import { beforeAll, describe, expect, it } from "vitest";
import { createParser, loadParser, type ParserModel, saveParser, type TrainOptions } from "../src/index.ts";
import { parserFile, trainParser } from "./fast-training.ts";
import { TREEBANK } from "./support.ts";

let file: Uint8Array;

beforeAll(async () => {
  file = await parserFile(TREEBANK, { epochs: 1, prune: false, labeller: "sequence" });
});

// biome-ignore lint/suspicious/noExplicitAny: headers are taken apart at will
type Header = any;

type Change = (container: { header: Header; vectors: Record<string, Int8Array> }) => void;

/** Returns a model file with another header and other vectors. */
function forged(bytes: Uint8Array, change: Change): Uint8Array {
  const { header, vectors } = readContainer(bytes, "model");
  const container = { header: structuredClone(header) as Header, vectors: { ...vectors } as never };
  change(container);
  return writeContainer({ kind: "model", ...container } as ReturnType<typeof readContainer>);
}

/** Expects that a file is refused, and that the message contains a text. */
function expectRefusal(bytes: Uint8Array, text: string): void {
  const message = expect.stringContaining(text);
  expect(() => loadParser(bytes)).toThrow(expect.objectContaining({ code: "invalid-model", message }));
}

/** Returns an object nested to a depth. */
function nest(depth: number): unknown {
  return depth === 0 ? 1 : { a: nest(depth - 1) };
}

/** Defines a property whatever its name. */
function own(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true });
}

describe("a model file", () => {
  it.each<TrainOptions>([{ epochs: 2 }, { epochs: 2, order: 3, decoder: "projective" }])(
    "is read back to the same bytes, and parses as the model did: %j",
    async (options) => {
      const model = await trainParser(TREEBANK, options);
      const loaded = loadParser(saveParser(model));
      expect(saveParser(loaded)).toEqual(saveParser(model));
      expect(loaded.description).toEqual(model.description);
      for (const { sentence } of TREEBANK) {
        expect(createParser(loaded).parse(sentence)).toEqual(createParser(model).parse(sentence));
      }
    },
  );
});

describe("a model with features of whole trees", () => {
  const options = {
    decoder: "hillclimb",
    order: 2,
    global: true,
    epochs: 2,
    prune: false,
    labeller: "joint",
  } as const;
  let model: ParserModel;

  beforeAll(async () => {
    model = await trainParser(TREEBANK, options);
  });

  it("is recognised, read back to the same bytes, and parses as the model did", () => {
    expect(model.description).toMatchObject({ decoder: "hillclimb", global: true });
    const bytes = saveParser(model);
    const loaded = loadParser(bytes);
    expect(saveParser(loaded)).toEqual(bytes);
    const [parser, original] = [createParser(loaded), createParser(model)];
    for (const { sentence } of TREEBANK) {
      const parse = parser.parse(sentence);
      expect(parse).toEqual(original.parse(sentence));
      const problem = parser.read([sentence])[0]!.problem();
      expect(problem.global!.name).toBe("global");
      expect(scoreTree(problem, parse.heads)).toBeCloseTo(parse.score, 9);
      expect(problem.global!.score(parse.heads)).not.toBe(0);
    }
    expect(() => createParser(loaded, { decoder: "eisner" })).toThrow(UnsupportedPart);
  });

  it.each<[string, Change]>([
    ["configuration", ({ header }) => (header.configuration.global.bits = 40)],
    ["configuration", ({ header }) => (header.configuration.global.templates.valence = ["h.upos"])],
    ["configuration", ({ header }) => (header.configuration.global.templates.span = "h.upos")],
    ["configuration", ({ header }) => (header.configuration.global = null)],
    ['section "global"', ({ header }) => header.configuration.global.bits--],
    ["scales.global", ({ header }) => delete header.scales.global],
  ])("is refused for its %s", (what, change) => expectRefusal(forged(saveParser(model), change), what));

  it("needs a decoder that can score whole trees", async () => {
    await expect(trainParser(TREEBANK, { ...options, decoder: "eisner" })).rejects.toThrow(UnsupportedPart);
  });
});

describe("a file that is sound, but whose contents are not", () => {
  it("is read when nothing was changed", () => {
    expect(Buffer.from(forged(file, () => {})).equals(file)).toBe(true);
  });

  it.each<[string, Change]>([
    ["header: expected an object", (container) => (container.header = null)],
    ["description", ({ header }) => delete header.description],
    ["labels", ({ header }) => (header.labels = [1, 2])],
    ["encoder", ({ header }) => delete header.encoder.tags],
    ["configuration", ({ header }) => (header.configuration.arcBits = 40)],
    ["configuration", ({ header }) => (header.configuration.arcTemplates = "h.upos")],
    ["configuration", ({ header }) => (header.configuration.pruning = {})],
    ["filter", ({ header }) => header.filter.start.pop()],
    ["filter", ({ header }) => (header.filter.list[0] = 99)],
    ["filter", ({ header }) => (header.filter.start[5] = 2)],
    ['section "arcs"', ({ header }) => header.configuration.arcBits--],
    ["scale", ({ header }) => (header.scales.arcs = 0)],
    ["scale", ({ header }) => delete header.scales.pruner],
    ["labeller", ({ header }) => (header.labeller = null)],
    ["labeller", ({ header }) => (header.labeller.configuration.most = 1000)],
    ["labeller", ({ header }) => delete header.labeller.configuration.treeTemplates],
    ['section "labeller"', ({ header }) => header.labeller.configuration.bits++],
    ["labeller.scale", ({ header }) => (header.labeller.scale = "1")],
    ["scales.arcs", ({ header }) => (header.scales.arcs = 1e300)],
    ["scales.arcs", ({ header }) => (header.scales.arcs = 5e-324)],
    ["labeller.scale", ({ header }) => (header.labeller.scale = -1)],
    ["configuration.order", ({ header }) => (header.configuration.order = 4)],
    ["configuration.decoder", ({ header }) => (header.configuration.decoder = 7)],
    ["configuration.arcTemplates[0]", ({ header }) => (header.configuration.arcTemplates[0] = "x.y")],
    ["configuration.arcBits", ({ header }) => (header.configuration.arcBits = 0)],
    ["partTemplates", ({ header }) => (header.configuration.partTemplates.constructor = [])],
    ["unknown field", ({ header }) => (header.more = 1)],
    ['unknown field "__proto__"', ({ header }) => (header.description = JSON.parse('{"__proto__":{}}'))],
    ["nested", ({ header }) => (header.description = nest(100))],
    ["description.columns.upos", ({ header }) => (header.description.columns = { upos: "all" })],
    ["description.a", ({ header }) => (header.description = nest(5))],
    ["labels[1]: expected each item once", ({ header }) => (header.labels[1] = header.labels[0])],
    ["without tabs", ({ header }) => (header.labels[0] = "a\tb")],
    ["filter.start[1]", ({ header }) => (header.filter.start[1] = 0)],
    ["configuration.pruning", ({ header }) => (header.configuration.pruning = { ratio: 2, most: 1 })],
    ['unknown section "more"', ({ vectors }) => (vectors.more = new Int8Array(3))],
    ['unknown section "__proto__"', ({ vectors }) => own(vectors, "__proto__", new Int8Array(3))],
    ["tensor", ({ header }) => (header.tensor = { rank: 50 })],
    ["an earlier version of Arcwise", ({ header }) => delete header.features],
    ["an earlier version of Arcwise", ({ header }) => (header.features = 1)],
    ["a later version of Arcwise", ({ header }) => (header.features = 99)],
    ["header.features", ({ header }) => (header.features = "2")],
  ])("is refused for its %s", (what, change) => expectRefusal(forged(file, change), what));

  it("does not allocate what its header announces before that is checked", () => {
    const bytes = forged(file, ({ vectors }) => (vectors.arcs = new Int8Array(2 ** 26)));
    expect(bytes.length).toBeLessThan(file.length + 100);
    const before = process.memoryUsage().arrayBuffers;
    expect(() => loadParser(bytes)).toThrow('section "arcs"');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 22);
  });
});
