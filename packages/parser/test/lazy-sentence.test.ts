import { completeArcs } from "@arcwise/core";
import { type EncodedSentence, sentenceEncoder } from "@arcwise/core/features";
import { beforeAll, expect, test } from "vitest";
import { type TrainedModel, trained } from "../src/model/model.ts";
import { lazySentence } from "../src/reading/lazy-sentence.ts";
import { NetworkScorer } from "../src/scoring/network/network-scorer.ts";
import { withWords } from "../src/scoring/trees/tree-features.ts";
import { trainedParser } from "./fast-training.ts";
import { sample, TREEBANK } from "./support.ts";

const ALWAYS = ["n", "columns", "featStart", "feats", "tag", "counts"] as const;
const MEMBERS = [...ALWAYS, "morphology", "vectors", "words"] as const satisfies (keyof EncodedSentence)[];
let model: TrainedModel;
const sentences = [...TREEBANK, ...sample("dev").slice(0, 12)].map(({ sentence }) => sentence);

beforeAll(async () => {
  const options = { preset: "balanced", terms: ["network"], network: { units: 8, epochs: 1 } } as const;
  model = trained(await trainedParser([...TREEBANK, ...sample("train").slice(0, 8)], options));
});

test("a sentence that is encoded late has the codes of one that is encoded at once", () => {
  const encoder = withWords(sentenceEncoder(model.encoder), true);
  for (const words of sentences) {
    const expected = encoder.encode(words);
    const late = lazySentence(encoder, words);
    for (const name of MEMBERS) expect(late[name]).toEqual(expected[name]);
  }
});

test("a network scores alike with words encoded with their sentences and by themselves, and known", () => {
  const encoder = withWords(sentenceEncoder(model.encoder), true);
  const encoded = sentences.map((words) => encoder.encode(words));
  const plain = new NetworkScorer(model.network!);
  const knowing = new NetworkScorer(model.network!, "any", encoder);
  const late = () => sentences.map((words) => lazySentence(encoder, words));
  const expected = encoded.map((one) => plain.read(one).logProbabilities(completeArcs(one.n)));
  for (const order of [late(), late(), [late()[3]!]]) {
    for (const [s, reading] of knowing.readAll(order).entries()) {
      const own = order.length === 1 ? 3 : s;
      expect(reading.logProbabilities(completeArcs(order[s]!.n))).toEqual(expected[own]);
    }
  }
});
