import type { StepListener } from "@arcwise/core";
import type { ContractionEngine, ContractionForest } from "./max-arborescence-forest.ts";

/** Returns an engine that does the same as another one, and reports the arcs that it chooses and the circles. */
export function watchedEngine(engine: ContractionEngine, onStep: StepListener): ContractionEngine {
  return {
    choose(forest, node, rootLast) {
      const isFound = engine.choose(forest, node, rootLast);
      if (isFound) {
        const [head, modifier] = [forest.head[node], forest.modifier[node]];
        onStep({ kind: "arc", head, modifier, score: forest.key[node], words: wordsIn(forest, node) });
      }
      return isFound;
    },
    merge(forest, cycle) {
      onStep({ kind: "circle", words: wordsIn(forest, cycle) });
      engine.merge(forest, cycle);
    },
  };
}

/** Returns the words inside a node, in ascending order. */
function wordsIn({ firstWord, lastWord, nextWord }: ContractionForest, node: number): number[] {
  const words = [firstWord[node]];
  while (words.at(-1) !== lastWord[node]) words.push(nextWord[words.at(-1)!]);
  return words.sort((a, b) => a - b);
}
