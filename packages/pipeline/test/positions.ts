import type { Encoder } from "@arcwise/core/encoders";

/** Gives the position of each word, and whether it is capitalised. */
export function positions(name = "positions"): Encoder & { readonly calls: string[][][] } {
  const calls: string[][][] = [];
  return {
    ...{ name, width: 3, fingerprint: `${name} 1`, calls },
    async encode(sentences, { signal } = {}) {
      signal?.throwIfAborted();
      calls.push(sentences.map((words) => [...words]));
      return sentences.map((words) =>
        Float32Array.from(words.flatMap((word, k) => [k, words.length - k, /^\p{Lu}/u.test(word) ? 1 : 0])),
      );
    },
  };
}
