export {
  type Container,
  type ContainerHeader,
  FORMAT_VERSION,
  ModelError,
  readContainer,
  readContainerHeader,
  type Section,
  type Vector,
  writeContainer,
} from "./container.ts";
export { type QuantizedWeights, quantize } from "./quantize.ts";
