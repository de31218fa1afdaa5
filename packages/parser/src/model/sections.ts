import { ModelError, type Vector } from "@arcwise/core/container";
import { MAX_ROW_SCALE } from "../scoring/quantize-rows.ts";

/** The vectors that there are, in the same order. */
export function definedVectors(
  vectors: Readonly<Record<string, Vector | undefined>>,
): Record<string, Vector> {
  const given = Object.entries(vectors).filter(([, vector]) => vector !== undefined);
  return Object.fromEntries(given) as Record<string, Vector>;
}

/** Checks what bytes of rows are worth. @throws ModelError that names what they belong to */
export function checkScales(scales: Float32Array, owner: string): void {
  const wrong = scales.find((scale) => !(scale >= 0 && scale <= MAX_ROW_SCALE));
  if (wrong === undefined) return;
  throw new ModelError(
    `damaged model file: expected scales of its ${owner} from 0 to ${MAX_ROW_SCALE}, found ${wrong}`,
  );
}

/**
 * Checks that codes of features come once each, ascending. @throws ModelError that names what they belong to
 */
export function checkCodes(codes: Int32Array, owner: string): void {
  if (!codes.some((code, k) => k > 0 && code <= codes[k - 1]!)) return;
  throw new ModelError(`damaged model file: the features of its ${owner} are not in order`);
}
