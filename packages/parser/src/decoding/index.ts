export { type DecoderPurpose, decoderNames, type SearchOptions } from "./decoder-table.ts";
