export { type Order, orderOf } from "./order.ts";
export { OrderCarrier } from "./order-jobs.ts";
export { cutChunks } from "./parsing/cut-chunks.ts";
export { cutText } from "./parsing/cut-text.ts";
export { type ParseChunksOptions, parseChunks } from "./parsing/parse-chunks.ts";
export {
  type ChunkFormat,
  type ChunkInput,
  type EvaluationInput,
  evaluateModel,
  LINES_OF,
  type ParsedChunk,
  parseChunk,
} from "./parsing/parse-jobs.ts";
export { openStores, type StoreAddresses } from "./stores/layered-store.ts";
export { openStore } from "./stores/open-store.ts";
