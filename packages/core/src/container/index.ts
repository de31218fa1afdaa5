export {
  type Container,
  FORMAT_VERSION,
  ModelError,
  readContainer,
  type Section,
  type Vector,
  writeContainer,
} from "./container.ts";
export { type QuantizedWeights, quantize } from "./quantize.ts";
