export {
  type EncodeOptions,
  type Encoder,
  type EncoderIdentity,
  encodeChecked,
  MAX_ENCODER_WIDTH,
  requireEncoder,
} from "./encoder.ts";
export { type EncoderLaw, type EncoderLawOptions, encoderLaws } from "./laws.ts";
