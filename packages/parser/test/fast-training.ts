import * as library from "../src/index.ts";

/** `trainParser` with the preset "linear" where none is given: without a network, which takes longer. */
export const trainParser: typeof library.trainParser = (examples, options) =>
  library.trainParser(examples, { preset: "linear", ...options });

/** `trainGraphParser` with the preset "linear" where none is given. */
export const trainGraphParser: typeof library.trainGraphParser = (examples, options) =>
  library.trainGraphParser(examples, { preset: "linear", ...options });
