import { scoreTree, UnsupportedPart } from "@arcwise/core";
import {
  anyContent,
  type Container,
  joinPieces,
  readContainer,
  writeContainer,
} from "@arcwise/core/container";
import { beforeAll, describe, expect, it } from "vitest";
import {
  createParser,
  loadParser,
  ModelError,
  type ParserModel,
  saveParser,
  type TrainOptions,
} from "../src/index.ts";
import { type Checkpoint, checkpointPieces, readCheckpoint } from "../src/training/checkpoint.ts";
import { parserFile, trainParser } from "./fast-training.ts";
import { TREEBANK } from "./support.ts";

const writeCheckpoint = (run: number, state: Checkpoint) => joinPieces(checkpointPieces(run, state));

let file: Uint8Array;

beforeAll(async () => {
  file = await parserFile(TREEBANK, { epochs: 1, prune: false, labeller: "sequence" });
});

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

  it.each([
    ["empty", () => new Uint8Array(0), "found an empty file"],
    ["other text", () => new TextEncoder().encode("# sent_id = 1\n"), "found CoNLL-U"],
    ["the magic alone", () => file.slice(0, 8), "cut short"],
    ["half of it", () => file.slice(0, file.length / 2), "cut short or damaged"],
    [
      "a checkpoint",
      () => writeContainer({ kind: "checkpoint", header: {}, vectors: {} }),
      "checkpoint file",
    ],
    ["a newer version", () => changed(file, (view) => view.setUint32(8, 4, true)), "format version 4"],
    ["version 0", () => changed(file, (view) => view.setUint32(8, 0, true)), "unknown format version 0"],
    [
      "a header longer than the file",
      () => changed(file, (view) => view.setUint32(16, 2 ** 31, true)),
      "longer than the file",
    ],
  ])("is refused when it is %s", (_what, bytes, message) => {
    expect(() => loadParser(bytes())).toThrow(ModelError);
    expect(() => loadParser(bytes())).toThrow(message);
  });
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

  it.each<[string, (container: { header: Header; vectors: Record<string, Int8Array> }) => void]>([
    ["configuration", ({ header }) => (header.configuration.global.bits = 40)],
    ["configuration", ({ header }) => (header.configuration.global.templates.valence = ["h.upos"])],
    ["configuration", ({ header }) => (header.configuration.global.templates.span = "h.upos")],
    ["configuration", ({ header }) => (header.configuration.global = null)],
    ['section "global"', ({ header }) => header.configuration.global.bits--],
    ["scales.global", ({ header }) => delete header.scales.global],
  ])("is refused for its %s", (what, change) => {
    const { header, vectors } = readContainer(saveParser(model), "model", anyContent);
    const container = { header: structuredClone(header) as Header, vectors: { ...vectors } as never };
    change(container);
    const bytes = writeContainer({ kind: "model", ...container } as Container);
    expect(() => loadParser(bytes)).toThrow(ModelError);
    expect(() => loadParser(bytes)).toThrow(what);
  });

  it("needs a decoder that can score whole trees", async () => {
    await expect(trainParser(TREEBANK, { ...options, decoder: "eisner" })).rejects.toThrow(UnsupportedPart);
  });
});

/** The same file with a change, and a checksum that fits it. */
function changed(bytes: Uint8Array, change: (view: DataView) => void): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  change(view);
  let crc = 0xffffffff;
  for (const byte of copy.subarray(0, -4)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  view.setUint32(copy.length - 4, ~crc >>> 0, true);
  return copy;
}

/** Returns an object nested to a depth. */
function nest(depth: number): unknown {
  return depth === 0 ? 1 : { a: nest(depth - 1) };
}

/** Defines a property whatever its name. */
function own(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true });
}

// biome-ignore lint/suspicious/noExplicitAny: headers are taken apart at will
type Header = any;

describe("a file that is sound, but whose contents are not", () => {
  /** The model file with another header and other vectors. */
  function forged(change: (container: { header: Header; vectors: Record<string, Int8Array> }) => void) {
    const { header, vectors } = readContainer(file, "model", anyContent);
    const container = { header: structuredClone(header) as Header, vectors: { ...vectors } as never };
    change(container);
    return writeContainer({ kind: "model", ...container } as Container);
  }

  it("is read when nothing was changed", () => {
    expect(Buffer.from(forged(() => {})).equals(file)).toBe(true);
  });

  it.each<[string, Parameters<typeof forged>[0]]>([
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
  ])("is refused for its %s", (what, change) => {
    const bytes = forged(change);
    expect(() => loadParser(bytes)).toThrow(ModelError);
    expect(() => loadParser(bytes)).toThrow(what);
  });

  it.each([
    [undefined, "an earlier version of Arcwise"],
    [1, "an earlier version of Arcwise"],
    [99, "a later version of Arcwise"],
    ["2", "header.features"],
  ])("is refused when its features are of version %s", (features, message) => {
    const bytes = forged(({ header }) => (header.features = features));
    expect(() => loadParser(bytes)).toThrow(ModelError);
    expect(() => loadParser(bytes)).toThrow(message);
  });

  it("is refused when it has a tensor", () => {
    const bytes = forged(({ header }) => ((header as Header & { tensor: unknown }).tensor = { rank: 50 }));
    expect(() => loadParser(bytes)).toThrow(
      expect.objectContaining({ name: "ModelError", code: "invalid-model" }),
    );
    expect(() => loadParser(bytes)).toThrow("tensor");
  });

  it("does not allocate what its header announces before that is checked", () => {
    const bytes = forged(({ vectors }) => (vectors.arcs = new Int8Array(2 ** 26)));
    expect(bytes.length).toBeLessThan(file.length + 100);
    const before = process.memoryUsage().arrayBuffers;
    expect(() => loadParser(bytes)).toThrow('section "arcs"');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 22);
  });
});

describe("a container", () => {
  it("is refused when a section comes twice", () => {
    const vectors = { a: Int8Array.of(1), b: Int8Array.of(2) };
    const bytes = writeContainer({ kind: "x", header: {}, vectors });
    const at = Buffer.from(bytes).indexOf('"name":"b"');
    const twice = changed(bytes, (view) => view.setUint8(at + 8, "a".charCodeAt(0)));
    expect(() => readContainer(bytes, "x", anyContent)).not.toThrow();
    expect(() => readContainer(twice, "x", anyContent)).toThrow('section "a" comes twice');
  });

  it.each([Number.NaN, Infinity, -Infinity])("is refused when an entry is %s", (value) => {
    for (const vector of [Float32Array.of(1, value), Float64Array.of(value)]) {
      const bytes = writeContainer({ kind: "x", header: {}, vectors: { vector } });
      expect(() => readContainer(bytes, "x", anyContent)).toThrow(`an entry that is ${value}`);
    }
  });

  const sparse = (length: number, entries: Readonly<Record<number, number>>) => {
    const vector = new Float32Array(length);
    for (const [index, value] of Object.entries(entries)) vector[Number(index)] = value;
    return vector;
  };

  it("keeps vectors with gaps of every length, and numbers of both types", () => {
    const vectors = {
      empty: new Float32Array(0),
      zero: new Int8Array(1000),
      dense: Int8Array.from({ length: 256 }, (_, i) => i - 128),
      doubles: Float64Array.of(0, Math.PI, 0, -1e-300),
      integers: Int32Array.of(0, 2 ** 31 - 1, -7),
      gaps: sparse(3_000_000, { 0: -1.5, 127: 2, 256: 3, 16641: 4, 2200000: 5, 2999999: 6 }),
    };
    const bytes = writeContainer({ kind: "x", header: { any: "JSON äöü 🙂" }, vectors });
    expect(bytes.length).toBeLessThan(1500);
    const read = readContainer(bytes, "x", anyContent);
    expect(read.header).toEqual({ any: "JSON äöü 🙂" });
    expect(Object.keys(read.vectors)).toEqual(Object.keys(vectors));
    for (const [name, vector] of Object.entries(vectors)) {
      expect(read.vectors[name]!.constructor).toBe(vector.constructor);
      expect(Buffer.compare(Buffer.from(read.vectors[name]!.buffer), Buffer.from(vector.buffer))).toBe(0);
    }
  });

  it("reads bytes that lie within a larger buffer", () => {
    const bytes = writeContainer({ kind: "x", header: 1, vectors: { v: Int8Array.of(0, 7, 0) } });
    const larger = new Uint8Array(bytes.length + 20).fill(255);
    larger.set(bytes, 7);
    const within = larger.subarray(7, 7 + bytes.length);
    expect(readContainer(within, "x", anyContent).vectors.v).toEqual(Int8Array.of(0, 7, 0));
  });
});

describe("a checkpoint", () => {
  const state = {
    epoch: 2,
    numbers: { steps: 12 },
    vectors: { values: Float32Array.of(0, 1.5, 0), weighted: Float32Array.of(0, 0, -2) },
  };
  /** A batch learner has vectors of other types and lengths. */
  const batch = {
    epoch: 3,
    numbers: { primal: 1.25, dual: 1 / 3 },
    vectors: {
      weights: Float64Array.of(0, Math.PI, 0),
      indices: Int32Array.of(5, 7, 9, 11, 2 ** 30),
      shares: Float64Array.of(0.1, 0.2, 0.7, 1, 1e-300),
    },
  };

  const network = { epoch: 4, steps: 9, parameters: Float32Array.of(0, 3, 0) };
  const memory = { means: Float32Array.of(1, 0, 0), squares: Float32Array.of(2, 0, 0) };

  it.each<Checkpoint>([
    { weights: state },
    { weights: batch },
    { weights: state, network },
    { network: { ...network, memory } },
  ])("gives back the state (%#)", (checkpoint) => {
    expect(readCheckpoint(writeCheckpoint(7, checkpoint), 7, 3)).toEqual(checkpoint);
  });

  it.each<[string, Uint8Array, number, number, string]>([
    ["of another run", writeCheckpoint(7, { weights: state }), 8, 3, "comes from other training data"],
    ["of more weights", writeCheckpoint(7, { weights: state }), 7, 2, "at most 2"],
    [
      "that claims far more entries than it has bytes",
      writeCheckpoint(7, { weights: { ...batch, vectors: { shares: new Float64Array(100) } } }),
      7,
      3,
      "at most 3",
    ],
    ["damaged", writeCheckpoint(7, { weights: state }).subarray(1), 7, 3, "found other binary data"],
    [
      "without weights",
      writeContainer({ kind: "checkpoint", header: { run: 7 }, vectors: {} }),
      7,
      3,
      "no weights",
    ],
  ])("is refused when it is %s", (_what, bytes, run, dimension, message) => {
    expect(() => readCheckpoint(bytes, run, dimension)).toThrow(ModelError);
    expect(() => readCheckpoint(bytes, run, dimension)).toThrow(message);
  });
});
