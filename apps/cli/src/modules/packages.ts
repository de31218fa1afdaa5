import type { Encoder } from "@arcwise/core/encoders";
import { importOptional } from "./optional-package.ts";

const CLUSTER = { name: "@arcwise/cluster", use: "several machines require" };

/** Loads `@arcwise/cluster`. */
export function loadCluster(): Promise<typeof import("@arcwise/cluster")> {
  return importOptional({ ...CLUSTER, entry: "@arcwise/cluster" });
}

/** Loads `@arcwise/cluster/queue`. */
export function loadQueue(): Promise<typeof import("@arcwise/cluster/queue")> {
  return importOptional({ ...CLUSTER, entry: "@arcwise/cluster/queue" });
}

/** Loads `@arcwise/server`. */
export function loadServer(): Promise<typeof import("@arcwise/server")> {
  return importOptional({ name: "@arcwise/server", entry: "@arcwise/server", use: "a server requires" });
}

/** The function of `@arcwise/encoder-onnx` that is used here. */
interface OnnxEncoders {
  onnxEncoder(folder: string, options?: object): Promise<Encoder>;
}

/** Loads `@arcwise/encoder-onnx`. */
export function loadOnnx(): Promise<OnnxEncoders> {
  return importOptional({
    name: "@arcwise/encoder-onnx",
    entry: "@arcwise/encoder-onnx/node",
    use: "encoders in ONNX and their runtime require",
    others: ["onnxruntime-web"],
  });
}
