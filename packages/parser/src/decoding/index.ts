export { type DecoderPurpose, decoderHelp, decoderNames, type SearchOptions } from "./decoder-table.ts";
