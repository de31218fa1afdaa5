/** API under construction: see packages/parser/src/types.ts */
export type * from "./types.ts";
