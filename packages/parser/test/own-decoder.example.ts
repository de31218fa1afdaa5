import { scoreTree } from "@arcwise/core";
import { mstDecoder } from "@arcwise/decode-mst";
import { createParser, type DecoderFactory, loadModel, saveModel, trainParser } from "@arcwise/parser";

/** Maximum spanning arborescences of scores that are lowered by the length of each arc. */
const shortArcs: DecoderFactory = () => {
  const mst = mstDecoder();
  return {
    name: "short-arcs",
    trees: "any",
    singleRoot: true,
    handles: new Set(),
    decode(problem) {
      const { head, modifier } = problem.arcs;
      const arcScores = problem.arcScores.map((score, a) => score - 0.1 * Math.abs(head[a]! - modifier[a]!));
      const { heads } = mst.decode({ ...problem, arcScores });
      return { heads, score: scoreTree(problem, heads), bound: Infinity };
    },
  };
};

const words = [{ form: "Dogs" }, { form: "bark" }, { form: "loudly" }];
const gold = { heads: Int32Array.of(-1, 2, 0, 2), labels: ["", "nsubj", "root", "advmod"] };
const options = { decoder: shortArcs, epochs: 3, prune: false } as const;
const bytes = saveModel(await trainParser([{ sentence: words, tree: gold }], options));

// The model stores the name of the decoder, not its code: give the decoder again.
const own = createParser(loadModel(bytes), { decoder: shortArcs });
console.log(own.parse(words).heads.join(" ")); // -1 2 0 2
try {
  createParser(loadModel(bytes));
} catch (error) {
  console.log((error as Error).name); // MissingDecoder
}
