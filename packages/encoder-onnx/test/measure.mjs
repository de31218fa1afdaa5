/**
 * Measures an encoder on the sentences of a treebank: words per second of processor time, and how far the vectors of two
 * runtimes are apart. Needs `npm run build`.
 *
 *     node packages/encoder-onnx/test/measure.mjs --encoder ../shared/encoders/minilm-en --treebank test.conllu
 *
 * `--runtime` names the runtimes, in their order: `native`, `wasm`, or the path of a module (default: wasm).
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { onnxEncoder } from "../dist/node/index.js";

const { values } = parseArgs({
  options: {
    encoder: { type: "string" },
    treebank: { type: "string" },
    runtime: { type: "string", multiple: true, default: ["wasm"] },
    sentences: { type: "string", default: "500" },
  },
});
const sentences = readFileSync(values.treebank, "utf8")
  .split("\n\n")
  .map((block) => block.split("\n").filter((line) => /^\d+\t/.test(line)))
  .filter((lines) => lines.length > 0)
  .slice(0, Number(values.sentences))
  .map((lines) => lines.map((line) => line.split("\t")[1]));
const words = sentences.reduce((sum, { length }) => sum + length, 0);

const runs = [];
for (const name of values.runtime) {
  const isKind = name === "native" || name === "wasm";
  const encoder = await onnxEncoder(values.encoder, { runtime: isKind ? name : await import(resolve(name)) });
  await encoder.encode(sentences.slice(0, 20));
  const before = process.cpuUsage();
  const vectors = await encoder.encode(sentences);
  const { user, system } = process.cpuUsage(before);
  console.log(`${name}: ${Math.round(words / ((user + system) / 1e6))} words per second of processor time`);
  runs.push({ vectors, width: encoder.width });
  await encoder.close();
}
if (runs.length === 2) compare(runs[0], runs[1]);

/** Prints how many words and sentences have vectors that differ. */
function compare({ vectors: first, width }, { vectors: second }) {
  const [all, different] = [[], new Set()];
  for (const [s, vectors] of first.entries())
    for (let from = 0; from < vectors.length; from += width) {
      const [a, b] = [vectors, second[s]].map((list) => list.subarray(from, from + width));
      const difference = Math.max(...a.map((x, k) => Math.abs(x - b[k])));
      const dot = (x, y) => x.reduce((sum, value, k) => sum + value * y[k], 0);
      all.push({ difference, cosine: dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)) });
      if (difference > 1e-5) different.add(s);
    }
  const least = (of) => Math.min(...all.map(of));
  const share = (count, total) => `${count} of ${total} (${((100 * count) / total).toFixed(1)} %)`;
  const words = all.filter(({ difference }) => difference > 1e-5).length;
  console.log(`words that differ by more than 1e-5: ${share(words, all.length)}`);
  console.log(`sentences with such a word: ${share(different.size, first.length)}`);
  console.log(
    `largest difference ${-least(({ difference }) => -difference)}, lowest cosine ${least(({ cosine }) => cosine)}`,
  );
}
