export { type HillclimbOptions, hillclimbDecoder } from "./hillclimb-decoder.ts";
