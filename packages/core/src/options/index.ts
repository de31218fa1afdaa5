export {
  type Check,
  either,
  field,
  flag,
  integer,
  list,
  number,
  oneOf,
  optional,
  partial,
  readable,
  record,
  refuse,
  string,
} from "../container/schema.ts";
export { anyOf, anything, bytes, callback, having, iterable, satisfying, signal, words } from "./checks.ts";
export {
  type CheckedOptions,
  type CompleteOptions,
  checkArgument,
  checkOptions,
  defineOptions,
  joinOptions,
  type Option,
  type OptionDefinitions,
  type OptionFacts,
  type OptionTable,
  optionsOf,
} from "./options.ts";
export { suggestion } from "./suggest.ts";
