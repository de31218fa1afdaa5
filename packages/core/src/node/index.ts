export { loadAs, readFileAs, readModelBytes } from "./read-file.ts";
export {
  beginReplacement,
  followLinks,
  namedError,
  type Replacement,
  temporaryFor,
  writeWhole,
} from "./replacement.ts";
export { threadFailure } from "./thread-failure.ts";
