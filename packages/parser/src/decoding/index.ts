export {
  BUILT_IN_DECODERS,
  type BuiltInDecoder,
  type DecoderFamily,
  type DecoderPurpose,
  decoderHelp,
  decoderNames,
  type SearchOptions,
} from "./decoder-table.ts";
