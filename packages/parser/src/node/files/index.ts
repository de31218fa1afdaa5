/*
 * Files that are replaced as a whole. An entry of its own: it loads nothing of the parser.
 */
export {
  beginReplacement,
  followLinks,
  type Replacement,
  temporaryFor,
  writeWhole,
} from "./replacement.ts";
