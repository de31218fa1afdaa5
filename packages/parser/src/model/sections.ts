import { type Container, ModelError, type QuantizedWeights } from "@arcwise/core/container";
import { MAX_ROW_SCALE } from "../scoring/quantize-rows.ts";

/** Checks the scales of rows. */
export function checkScales(scales: Float32Array, owner: string): void {
  const wrong = scales.find((scale) => !(scale >= 0 && scale <= MAX_ROW_SCALE));
  if (wrong === undefined) return;
  throw new ModelError(
    `damaged model file: expected scales of its ${owner} from 0 to ${MAX_ROW_SCALE}, found ${wrong}`,
  );
}

/** Checks that codes of features are distinct and ascending. */
export function checkCodes(codes: Int32Array, owner: string): void {
  if (!codes.some((code, k) => k > 0 && code <= codes[k - 1]!)) return;
  throw new ModelError(`damaged model file: the features of its ${owner} are not in order`);
}

/** Returns the weights of a section. */
export function weightsOf({ vectors }: Container, name: string, scale: number): QuantizedWeights {
  const values = vectors[name];
  if (!(values instanceof Int8Array)) throw new ModelError(`damaged model file: no weights "${name}"`);
  return { values, scale };
}
