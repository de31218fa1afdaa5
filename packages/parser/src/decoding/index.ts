export {
  type DecoderPurpose,
  decoderNames,
  describeDecoders,
  SEARCH_OPTIONS,
  type SearchOptions,
} from "./decoder-table.ts";
