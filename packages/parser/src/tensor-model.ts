import type { Vector } from "@arcwise/core/container";
import { ModelError, type Section } from "./container.ts";
import { type TensorConfiguration, TensorScorer, type TensorSettings, tensorDimension } from "./tensor.ts";
import { TensorAlphabet } from "./tensor-alphabet.ts";
import { MOST_RANK } from "./tensor-plan.ts";

/** A tensor at rest. Each row of weights is kept in bytes with a scale of its own. */
export interface TensorAtRest extends TensorSettings {
  readonly values: Int8Array;
  /** What a byte of 1 is worth, by row. */
  readonly scales: Float32Array;
}

const LARGEST = 127;
const MOST_FEATURES = 2 ** 21;

/** Rounds the weights of a tensor to bytes, row by row. O(weights). @throws RangeError when one is not finite */
export function tensorAtRest(settings: TensorSettings, weights: Float32Array): TensorAtRest {
  const { rank } = settings.configuration;
  const scales = new Float32Array(weights.length / rank);
  const values = new Int8Array(weights.length);
  for (let row = 0; row < scales.length; row++) {
    let largest = 0;
    for (let i = row * rank; i < (row + 1) * rank; i++) {
      if (!Number.isFinite(weights[i]!)) {
        throw new RangeError(`weight ${i} of the tensor: expected a finite number, got ${weights[i]}`);
      }
      largest = Math.max(largest, Math.abs(weights[i]!));
    }
    // As 32 bits it may be smaller than before: the largest weight must not round beyond a byte.
    scales[row] = largest / LARGEST;
    if (scales[row] === 0) continue;
    for (let i = row * rank; i < (row + 1) * rank; i++) {
      values[i] = Math.max(-LARGEST, Math.min(LARGEST, Math.round(weights[i]! / scales[row]!)));
    }
  }
  return { ...settings, values, scales };
}

/** The scorer of a tensor at rest, with its weights. O(weights). */
export function restoreTensor({ configuration, codes, values, scales }: TensorAtRest): {
  readonly scorer: TensorScorer;
  readonly weights: Float32Array;
} {
  const { rank } = configuration;
  const weights = new Float32Array(values.length);
  for (let row = 0; row < scales.length; row++) {
    for (let i = row * rank; i < (row + 1) * rank; i++) weights[i] = values[i]! * scales[row]!;
  }
  return { scorer: new TensorScorer(configuration, new TensorAlphabet(codes)), weights };
}

/** The vectors of a tensor in a model file. */
export function tensorVectors({ codes, values, scales }: TensorAtRest): Record<string, Vector> {
  return { tensorCodes: codes, tensor: values, tensorScales: scales };
}

/**
 * Checks what the header of a model file says of a tensor, and the sizes of its vectors.
 *
 * @throws ModelError that names the first thing that is wrong
 */
export function checkTensor(value: unknown, sections: readonly Section[]): void {
  const { rank, templates, scale } = (value ?? {}) as Partial<TensorConfiguration>;
  const sound =
    Number.isInteger(rank) &&
    rank! >= 1 &&
    rank! <= MOST_RANK &&
    Array.isArray(templates) &&
    templates.every((template) => typeof template === "string") &&
    Number.isFinite(scale);
  if (!sound) throw new ModelError("damaged model file: its header has no sound tensor");
  const codes = sectionOf("tensorCodes", "int32", sections);
  if (codes >= MOST_FEATURES) throw new ModelError(`damaged model file: ${codes} features of a tensor`);
  const dimension = tensorDimension(rank!, 1 + codes);
  expectEntries("tensor", dimension, sectionOf("tensor", "int8", sections));
  expectEntries("tensorScales", dimension / rank!, sectionOf("tensorScales", "float32", sections));
}

function sectionOf(name: string, type: Section["type"], sections: readonly Section[]): number {
  const section = sections.find((candidate) => candidate.name === name);
  if (section?.type !== type) throw new ModelError(`damaged model file: no vector "${name}" of ${type}`);
  return section.entries;
}

function expectEntries(name: string, expected: number, found: number): void {
  if (found === expected) return;
  throw new ModelError(`damaged model file: expected ${expected} entries of "${name}", found ${found}`);
}

/**
 * The tensor of a model file that was checked.
 *
 * @throws ModelError when the vectors do not hold what they should
 */
export function readTensor(
  configuration: TensorConfiguration,
  vectors: Readonly<Record<string, Vector>>,
): TensorAtRest {
  const { tensorCodes: codes, tensor: values, tensorScales: scales } = vectors;
  const typed = codes instanceof Int32Array && values instanceof Int8Array && scales instanceof Float32Array;
  if (!typed) throw new ModelError("damaged model file: no weights of the tensor");
  if (codes.some((code, k) => k > 0 && code <= codes[k - 1]!)) {
    throw new ModelError("damaged model file: the features of its tensor are not in order");
  }
  if (scales.some((scale) => !(scale >= 0 && scale < Infinity))) {
    throw new ModelError("damaged model file: a scale of its tensor is no number >= 0");
  }
  return { configuration, codes, values, scales };
}
