export { type Bundle, firstContainer, readBundle, writeBundle } from "./bundle.ts";
export {
  anyContent,
  type Container,
  type ContainerHeader,
  type ContentCheck,
  FORMAT_VERSION,
  readContainer,
  readContainerHeader,
  type Vector,
  writeContainer,
} from "./container.ts";
export { escapeControls, ModelError } from "./model-error.ts";
export { type QuantizedWeights, quantize, SCALE_RANGE } from "./quantize.ts";
export {
  type Check,
  either,
  facts,
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
  scale,
  string,
} from "./schema.ts";
export { type EntryType, type Section, SectionTable } from "./section-table.ts";
