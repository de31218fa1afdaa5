import { FUSED_KERNELS, KERNELS } from "./kernels.ts";

/** The exports of a module of kernels, see the sources in `kernels/`. Addresses and strides are in bytes. */
interface KernelExports {
  multiply(
    c: number,
    a: number,
    b: number,
    rows: number,
    columns: number,
    inner: number,
    aRow: number,
    aColumn: number,
    bRow: number,
    cRow: number,
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
  cell(gate: number, before: number, cell: number, tangent: number, state: number, width: number): void;
  cellBack(
    gate: number,
    before: number,
    tangent: number,
    ofState: number,
    ofCell: number,
    ofBefore: number,
    width: number,
  ): void;
  sumRows(into: number, columns: number, table: number, row: number, entry: number, end: number): void;
}

/** Kernels over one memory. */
export interface Kernels extends KernelExports {
  /** Whether they compute the same bits on every machine. */
  readonly exact: boolean;
}

/** Compiled modules; undefined where the engine lacks an instruction. */
const modules = new Map<string, WebAssembly.Module | undefined>();

/**
 * Returns kernels over a memory: with fused multiply-adds where `exact` is false and the engine has relaxed
 * SIMD (Chrome 114, Node 22), the exact ones otherwise. Modules are compiled once.
 *
 * @throws Error where WebAssembly has no 128-bit vectors
 */
export function instantiateKernels(memory: WebAssembly.Memory, exact: boolean): Kernels {
  const fused = exact ? undefined : compiled(FUSED_KERNELS);
  const module = fused ?? compiled(KERNELS);
  if (module === undefined) {
    throw new Error("expected WebAssembly with 128-bit vectors (SIMD), which this engine lacks");
  }
  const { exports } = new WebAssembly.Instance(module, { arcwise: { memory } });
  return { ...(exports as unknown as KernelExports), exact: fused === undefined };
}

/** Returns the module of a text in base 64; undefined where the engine lacks an instruction of it. */
function compiled(base64: string): WebAssembly.Module | undefined {
  if (!modules.has(base64)) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    modules.set(base64, WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : undefined);
  }
  return modules.get(base64);
}
