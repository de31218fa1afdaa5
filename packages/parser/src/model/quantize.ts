export { type QuantizedWeights, quantize } from "@arcwise/core/container";
