/* An entry that loads nothing else, for programs that only handle errors. */
export {
  ArcwiseError,
  type ArcwiseErrorOptions,
  errorKind,
  hasCode,
  invalidArgument,
} from "./arcwise-error.ts";
export { ERROR_CODES, type ErrorCode, type ErrorKind } from "./codes.ts";
export { counted } from "./counted.ts";
export { describeValue } from "./describe.ts";
export { type ErrorData, errorFromData, errorToData } from "./error-data.ts";
export { escapeInvisible } from "./escape.ts";
