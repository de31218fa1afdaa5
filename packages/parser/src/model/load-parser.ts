import type { PartKind } from "@arcwise/core";
import { refuse } from "@arcwise/core/options";
import { decoderOf, isBuiltIn } from "../decoding/decoders.ts";
import type { ParserModel } from "../types.ts";
import { readModelFile } from "./model.ts";
import { AT } from "./model-check.ts";
import type { ModelConfiguration } from "./model-header.ts";

/**
 * Reads the bytes of a model file.
 *
 * @throws ModelError when the bytes are not a model, are damaged, cut short, or of a newer version
 */
export function loadParser(bytes: Uint8Array): ParserModel {
  return readModelFile(bytes, checkDecoder);
}

/** Checks that a built-in decoder scores everything that the model scores. Others are checked when given. */
function checkDecoder(configuration: ModelConfiguration): void {
  const at = `${AT}.configuration`;
  const { decoder: name, decoderModule, decoderGiven, order, partTemplates, global } = configuration;
  if (decoderModule !== undefined || decoderGiven === true || !isBuiltIn(name, "training")) return;
  const { handles } = decoderOf(name, { purpose: "training", order });
  for (const kind of Object.keys(partTemplates) as PartKind[]) {
    if (!handles.has(kind)) refuse(`${at}.partTemplates`, `parts that "${name}" scores`, kind);
  }
  if (global !== undefined && !handles.has("global")) {
    refuse(`${at}.global`, `none with the decoder "${name}"`, global);
  }
}
