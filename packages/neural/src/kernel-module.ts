import { ArcwiseError } from "@arcwise/core/errors";
import { KERNELS } from "./kernels.ts";

/** Exports of the module of kernels, see the sources in `kernels/`. Strides and addresses are in bytes. */
export interface Kernels {
  multiply(
    rows: number,
    c: number,
    a: number,
    b: number,
    columns: number,
    inner: number,
    aRow: number,
    aColumn: number,
    bRow: number,
    cRow: number,
  ): void;
  multiplyIntegers(
    rows: number,
    c: number,
    a: number,
    b: number,
    columns: number,
    pairs: number,
    aRow: number,
    cRow: number,
    aScale: number,
    bScale: number,
  ): void;
  roundRows(
    into: number,
    from: number,
    rows: number,
    columns: number,
    fromRow: number,
    scale: number,
    most: number,
  ): void;
  adam(
    at: number,
    length: number,
    gradients: number,
    means: number,
    squares: number,
    factor: number,
    decay: number,
    squareDecay: number,
    rate: number,
    correction: number,
    epsilon: number,
  ): void;
  cell(
    gate: number,
    before: number,
    cell: number,
    tangent: number,
    state: number,
    width: number,
    rows: number,
    gateRow: number,
    stateRow: number,
  ): void;
  cellBack(
    gate: number,
    before: number,
    tangent: number,
    stateGradient: number,
    cellGradient: number,
    previousGradient: number,
    width: number,
  ): void;
  sumBytes(into: number, columns: number, table: number, entry: number, end: number): void;
  sumRows(
    into: number,
    intoRow: number,
    rows: number,
    columns: number,
    table: number,
    row: number,
    start: number,
    entries: number,
  ): void;
  sumByteRows(
    into: number,
    intoRow: number,
    rows: number,
    columns: number,
    table: number,
    scales: number,
    row: number,
    start: number,
    entries: number,
  ): void;
  lstmSteps(
    gates: number,
    cells: number,
    tangents: number,
    states: number,
    statesRow: number,
    width: number,
    step: number,
    end: number,
    weights: number,
    scales: number,
    rounded: number,
    most: number,
  ): void;
  leakyRelu(at: number, length: number, leak: number): void;
  pairRows(
    into: number,
    first: number,
    second: number,
    row: number,
    width: number,
    pair: number,
    end: number,
    leak: number,
  ): void;
  copyRows(
    into: number,
    intoRow: number,
    from: number,
    fromRow: number,
    width: number,
    entry: number,
    end: number,
  ): void;
  fillRows(into: number, intoRow: number, row: number, rows: number, width: number): void;
  transpose(
    into: number,
    intoRow: number,
    from: number,
    fromRow: number,
    rows: number,
    columns: number,
  ): void;
  headScores(
    scores: number,
    row: number,
    heads: number,
    weights: number,
    units: number,
    middle: number,
    most: number,
    length: number,
    alone: number,
  ): void;
}

let compiled: WebAssembly.Module | undefined;

/** Compiles the kernels, once. */
export function kernelModule(): WebAssembly.Module {
  compiled ??= compile();
  return compiled;
}

/** Returns kernels over a memory. Throws as `kernelModule`. */
export function instantiateKernels(memory: WebAssembly.Memory): Kernels {
  const { exports } = new WebAssembly.Instance(kernelModule(), { arcwise: { memory } });
  return exports as unknown as Kernels;
}

function compile(): WebAssembly.Module {
  if (typeof WebAssembly === "undefined") throw refused(SIMD, "none");
  const bytes = Uint8Array.from(atob(KERNELS), (character) => character.charCodeAt(0));
  if (!WebAssembly.validate(bytes)) throw refused(SIMD, "WebAssembly without them");
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    throw refused(ALLOWED, cause instanceof Error ? cause.message : "another error", cause);
  }
}

const SIMD = "WebAssembly with 128-bit vectors (SIMD)";
const ALLOWED =
  "an engine that allows WebAssembly: a content security policy with 'wasm-unsafe-eval' in script-src; in Cloudflare " +
  "Workers, a pipeline that is made when the module starts, not in a request";

function refused(expected: string, found: string, cause?: unknown): ArcwiseError {
  const message = `networks: expected ${expected}; found ${found}`;
  return new ArcwiseError("no-webassembly", message, { expected, found, cause });
}
