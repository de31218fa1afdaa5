import { type Decoder, scoreTree } from "@arcwise/core";
import { bruteForceDecoder, laws } from "@arcwise/decoder-laws";

// A decoder that attaches every word to the first one when the best score is negative.
function gloomyDecoder(): Decoder {
  const exact = bruteForceDecoder({ handles: ["global"] });
  return {
    ...exact,
    decode(problem) {
      const best = exact.decode(problem);
      if (best.score >= 0) return best;
      const heads = Int32Array.from(best.heads, (_, m) => Math.min(m, 2) - 1);
      const score = scoreTree(problem, heads);
      return score === -Infinity ? best : { heads, score, bound: score };
    },
  };
}

for (const { name, check } of laws(gloomyDecoder, { exact: true, large: 6 })) {
  try {
    check();
  } catch {
    console.log(`${name} does not hold`);
  }
}
