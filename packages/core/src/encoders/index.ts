export { type EncoderIdentity, MAX_ENCODER_WIDTH } from "../encoder-identity.ts";
export {
  describeEncoder,
  type EncodeSentencesOptions,
  encodeSentences,
  encodeWords,
  identityOf,
  isSameEncoder,
  requireSameEncoder,
  requireVectors,
  type SentenceVectors,
  withoutVectors,
  withVectors,
} from "./encoded-words.ts";
export {
  type EncodeOptions,
  type Encoder,
  encodeChecked,
  requireEncoder,
} from "./encoder.ts";
export { fromHalves, halfValues, toHalves } from "./half-floats.ts";
export { type EncoderLaw, type EncoderLawOptions, encoderLaws } from "./laws.ts";
