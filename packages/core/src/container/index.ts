export { firstContainer, readBundle, writeBundle } from "./bundle.ts";
export {
  type ContainerHeader,
  FORMAT_VERSION,
  readContainer,
  readContainerHeader,
  writeContainer,
} from "./container.ts";
export {
  type FileFormat,
  type FilePart,
  fileFormat,
  optionalPart,
  prefixed,
  readModel,
  writeModel,
} from "./file-format.ts";
export { ModelError } from "./model-error.ts";
export { type FilePieces, joinPieces } from "./pieces.ts";
export { type QuantizedWeights, quantize } from "./quantize.ts";
export { OTHER_DATA, recognise, recogniseStandIn } from "./recognise.ts";
export {
  checkAscending,
  float32,
  int8,
  int32,
  type SectionRow,
  type SectionRows,
  type Vector,
  type VectorsOf,
} from "./sections.ts";
