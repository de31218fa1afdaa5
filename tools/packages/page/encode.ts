import { onnxEncoder } from "@arcwise/encoder-onnx";
import * as runtime from "onnxruntime-web/wasm";

const encoder = await onnxEncoder("tiny", { runtime });
const vectors = await encoder.encode([["The", "cat", "sleeps", "."], [], ["Yes"]]);
const { name, width, fingerprint } = encoder;
await encoder.close?.();
document.body.dataset.result = JSON.stringify({
  name,
  width,
  fingerprint,
  vectors: vectors.map((own) => [...own]),
});
