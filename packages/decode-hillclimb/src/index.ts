export {
  type Climbing,
  type HillclimbDecoder,
  type HillclimbOptions,
  hillclimbDecoder,
} from "./hillclimb-decoder.ts";
