export { createNeuralLabeller, type NeuralShape } from "./neural-model.ts";
export { trainNeural } from "./neural-training.ts";
