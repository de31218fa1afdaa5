export {
  type GraphClimbing,
  type HillclimbGraphDecoder,
  type HillclimbGraphOptions,
  hillclimbGraphDecoder,
} from "./graphs/hillclimb-graph-decoder.ts";
export {
  type Climbing,
  type HillclimbDecoder,
  type HillclimbOptions,
  hillclimbDecoder,
} from "./hillclimb-decoder.ts";
