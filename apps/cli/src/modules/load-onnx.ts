import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Encoder } from "@arcwise/core/encoders";
import { isMissing, missingPackages } from "./missing-packages.ts";

/** The package of ONNX models, which is installed by those who use it, and its entry. */
const PACKAGE = "@arcwise/encoder-onnx";
const ENTRY = `${PACKAGE}/node`;

/** The function of that package that is used here. */
interface OnnxEncoders {
  onnxEncoder(folder: string, options?: object): Promise<Encoder>;
}

/** Loads the package from next to this module, or else from the working folder. @throws UsageError */
export async function loadOnnx(): Promise<OnnxEncoders> {
  try {
    return (await import(ENTRY)) as OnnxEncoders;
  } catch (error) {
    if (!isMissing(error, PACKAGE)) throw error;
  }
  try {
    const entry = createRequire(resolve("package.json")).resolve(ENTRY);
    return (await import(pathToFileURL(entry).href)) as OnnxEncoders;
  } catch (error) {
    if (!isMissing(error, PACKAGE)) throw error;
    const what = `encoders in ONNX require the package ${PACKAGE} and a runtime`;
    throw missingPackages(what, [PACKAGE, "onnxruntime-web"], error);
  }
}
