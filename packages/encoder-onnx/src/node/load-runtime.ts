import { ArcwiseError } from "@arcwise/core/errors";
import { installCommand } from "@arcwise/core/node";
import type { OnnxRuntime } from "../runtime.ts";

/** The packages that run graphs, and the commands that install them. */
const PACKAGES = { native: "onnxruntime-node", wasm: "onnxruntime-web" } as const;

/** A runtime, and whether it opens files by their paths. */
export interface LoadedRuntime {
  readonly runtime: OnnxRuntime;
  readonly isNative: boolean;
}

/** Loads the runtime of a name, or the first one that is installed. */
export async function loadRuntime(
  wanted: "native" | "wasm" | OnnxRuntime | undefined,
): Promise<LoadedRuntime> {
  if (typeof wanted === "object") return { runtime: wanted, isNative: false };
  const failures: string[] = [];
  for (const kind of wanted === undefined ? (["native", "wasm"] as const) : [wanted]) {
    const specifier: string = PACKAGES[kind];
    try {
      return { runtime: (await import(specifier)) as OnnxRuntime, isNative: kind === "native" };
    } catch (error) {
      failures.push(failureOf(error));
    }
  }
  throw missing(wanted, failures);
}

/** Returns why a package could not be loaded: nothing if it is not installed. */
function failureOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ERR_MODULE_NOT_FOUND" ? "" : ` (${message})`;
}

function missing(wanted: "native" | "wasm" | undefined, failures: readonly string[]): ArcwiseError {
  const native = `ONNXRUNTIME_NODE_INSTALL=skip ${installCommand(import.meta.url, [PACKAGES.native])}`;
  const wasm = installCommand(import.meta.url, [PACKAGES.wasm]);
  const commands = { native, wasm };
  const advice = wanted === undefined ? `${wasm}, or, three times as fast, ${native}` : commands[wanted];
  const found = failures.filter((one) => one !== "").join("");
  return new ArcwiseError("invalid-module", `onnxEncoder requires ONNX Runtime: ${advice}${found}`);
}
