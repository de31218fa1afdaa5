export { baumWelch, type Hmm, hmmDecoder, randomHmm, trainHmm } from "./hmm.ts";
