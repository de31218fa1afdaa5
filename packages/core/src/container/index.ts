export { bundlePieces, firstContainer, readBundle, writeBundle } from "./bundle.ts";
export { type EncodedVector, packVector } from "./codings.ts";
export {
  anyContent,
  type Container,
  type ContainerHeader,
  type ContentCheck,
  containerPieces,
  FORMAT_VERSION,
  readContainer,
  readContainerHeader,
  writeContainer,
} from "./container.ts";
export { ModelError } from "./model-error.ts";
export { type FilePieces, joinPieces } from "./pieces.ts";
export { type QuantizedWeights, quantize } from "./quantize.ts";
export { OTHER_DATA, recognise } from "./recognise.ts";
export { type EntryType, SectionTable, type Vector } from "./section-table.ts";
