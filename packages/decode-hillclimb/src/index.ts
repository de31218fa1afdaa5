export { hillclimbGraphDecoder } from "./graphs/hillclimb-graph-decoder.ts";
export { type HillclimbOptions, hillclimbDecoder } from "./hillclimb-decoder.ts";
