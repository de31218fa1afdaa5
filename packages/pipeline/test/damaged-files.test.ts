import { type Random, random } from "@arcwise/core";
import { ModelError, readContainer, type Vector, writeContainer } from "@arcwise/core/container";
import { loadGraphParser, saveGraphParser, trainGraphParser } from "@arcwise/graph-parser";
import { loadParser, saveParser, trainParser } from "@arcwise/parser";
import { loadTagger } from "@arcwise/sequence";
import { loadTokenizer } from "@arcwise/tokenize";
import { beforeAll, describe, expect, test } from "vitest";
import { kept } from "../../../tools/kept-models.ts";
import { loadPipeline, modelParts } from "../src/index.ts";
import { pipelineFile } from "./trained.ts";
import { TREEBANK } from "./treebank.ts";

/** Bytes of each kind of file. */
const files: Record<string, Uint8Array> = {};

beforeAll(async () => {
  const some = TREEBANK.slice(0, 12);
  const settings = { tokenizer: { epochs: 1 }, tagger: { epochs: 1 }, parser: { epochs: 2 }, jackknife: 2 };
  files.pipeline = await pipelineFile(some, { preset: "linear", settings });
  Object.assign(files, modelParts(files.pipeline).parts);
  const graph = { n: 2, edges: [{ head: 2, modifier: 1, label: "ARG0" }], predicates: [], tops: [] };
  const examples = [{ sentence: [{ form: "Dogs" }, { form: "bark" }], graph }];
  files.graphs = await kept(["graphs", examples], async () =>
    saveGraphParser(await trainGraphParser(examples, { preset: "linear", epochs: 1 })),
  );
  const vectors = { dimension: 2, words: ["Dogs", "bark"], values: Float32Array.of(1, 2, 3, -1) };
  const trees = [
    {
      sentence: examples[0]!.sentence,
      tree: { heads: Int32Array.of(-1, 2, 0), labels: ["", "nsubj", "root"] },
    },
  ];
  const network = { units: 4, epochs: 1, vectors };
  files.network = saveParser(await trainParser(trees, { terms: ["network"], network }));
});

const LOADERS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  pipeline: loadPipeline,
  tokenizer: loadTokenizer,
  tagger: loadTagger,
  parser: loadParser,
  graphs: loadGraphParser,
  network: loadParser,
};

function changed(bytes: Uint8Array, change: (copy: Uint8Array) => void): Uint8Array {
  const copy = bytes.slice();
  change(copy);
  return copy;
}

const DAMAGES: Readonly<Record<string, (bytes: Uint8Array, draws: Random) => Uint8Array>> = {
  "cut short": (bytes, draws) => bytes.slice(0, draws.int(bytes.length)),
  "a flipped bit": (bytes, draws) =>
    changed(bytes, (copy) => {
      copy[draws.int(copy.length)]! ^= 1 << draws.int(8);
    }),
  "another byte": (bytes, draws) =>
    changed(bytes, (copy) => {
      copy[draws.int(copy.length)]! += 1 + draws.int(255);
    }),
  "a stretch of other bytes": (bytes, draws) =>
    changed(bytes, (copy) => {
      const from = draws.int(copy.length);
      for (let at = from; at <= Math.min(from + draws.int(1000), copy.length - 1); at++) copy[at]! ^= 0x55;
    }),
  "a byte left out": (bytes, draws) => {
    const at = draws.int(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  },
  extended: (bytes, draws) => Buffer.concat([bytes, new Uint8Array(1 + draws.int(1000))]),
  "of another kind": () => writeContainer({ kind: "other", header: {}, vectors: {} }),
  empty: () => new Uint8Array(0),
};

describe.each(Object.keys(LOADERS))("a file of the kind %s is refused", (kind) => {
  test.each(Object.entries(DAMAGES))("%s", (_, damage) => {
    const bytes = files[kind]!;
    expect(() => LOADERS[kind]!(bytes)).not.toThrow();
    for (let seed = 1; seed <= 50; seed++)
      expect(() => LOADERS[kind]!(damage(bytes, random(seed))), `seed ${seed}`).toThrow(ModelError);
  });
});

const SECTION_DAMAGES: Readonly<Record<string, (vector: Vector) => Vector | undefined>> = {
  missing: () => undefined,
  "of another type": (vector) => Float64Array.from(vector),
  "followed by a million zeros": (vector) => {
    const longer = new (vector.constructor as Int8ArrayConstructor)(vector.length + 2 ** 20);
    longer.set(vector as Int8Array);
    return longer;
  },
};

describe.each([
  ["tokenizer", "tokenizer"],
  ["tagger", "tagger"],
  ["parser", "model"],
  ["network", "model"],
  ["graphs", "graph model"],
])("a file of the kind %s is refused with each section", (name, kind) => {
  test.each(Object.entries(SECTION_DAMAGES))("%s", (_, damage) => {
    const { header, vectors } = readContainer(files[name]!, kind);
    expect(() => LOADERS[name]!(writeContainer({ kind, header, vectors }))).not.toThrow();
    for (const [section, vector] of Object.entries(vectors)) {
      const damaged = writeContainer({ kind, header, vectors: { ...vectors, [section]: damage(vector) } });
      expect(() => LOADERS[name]!(damaged), section).toThrow(ModelError);
      expect(() => LOADERS[name]!(damaged), section).toThrow(`damaged ${kind} file: section "`);
    }
  });
});
