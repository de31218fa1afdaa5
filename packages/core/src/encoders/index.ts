export { type EncoderIdentity, MAX_ENCODER_WIDTH } from "../encoder-identity.ts";
export {
  encodeSentences,
  encodeWords,
  identityOf,
  requireSameEncoder,
  requireVectors,
  type SentenceVectors,
  withVectors,
} from "./encoded-words.ts";
export {
  type EncodeOptions,
  type Encoder,
  encodeChecked,
  requireEncoder,
} from "./encoder.ts";
export { fromHalves, halfValues, toHalves } from "./half-floats.ts";
export { encoderLaws } from "./laws.ts";
