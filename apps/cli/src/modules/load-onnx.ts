import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Encoder } from "@arcwise/core/encoders";
import { UsageError } from "../command/errors.ts";

/** The entry of the package of ONNX models, which is installed by those who use it. */
const ONNX = "@arcwise/encoder-onnx/node";
const MISSING =
  "encoders in ONNX require the package @arcwise/encoder-onnx and a runtime: " +
  "npm install @arcwise/encoder-onnx onnxruntime-web (or onnxruntime-node, which is faster)";

/** The function of that package that is used here. */
interface OnnxEncoders {
  onnxEncoder(folder: string, options?: object): Promise<Encoder>;
}

/** Loads the package from next to this module, or else from the working folder. @throws UsageError */
export async function loadOnnx(): Promise<OnnxEncoders> {
  try {
    return (await import(ONNX)) as OnnxEncoders;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    const entry = createRequire(resolve("package.json")).resolve(ONNX);
    return (await import(pathToFileURL(entry).href)) as OnnxEncoders;
  } catch (error) {
    if (isMissing(error)) throw new UsageError(MISSING, { cause: error });
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return /^(?:ERR_)?MODULE_NOT_FOUND$/.test(code ?? "") && message.includes("@arcwise/encoder-onnx");
}
