import type { PartKind } from "@arcwise/core";
import { readModel } from "@arcwise/core/container";
import { refuse } from "@arcwise/core/options";
import { decoderOf, isBuiltIn } from "../decoding/decoders.ts";
import type { ParserModel } from "../types.ts";
import type { ModelConfiguration, ModelHeader } from "./model-header.ts";
import { PARSER_FILE } from "./parser-file.ts";

/**
 * Reads the bytes of a model file.
 *
 * @throws ModelError when the bytes are not a model, are damaged, cut short, or of a newer version
 */
export function loadParser(bytes: Uint8Array): ParserModel {
  const header = (value: unknown, at: string) => {
    PARSER_FILE.header(value, at);
    checkDecoder((value as ModelHeader).configuration, `${at}.configuration`);
  };
  return readModel({ ...PARSER_FILE, header }, bytes);
}

/** Checks that a built-in decoder scores everything that the model scores. Others are checked when given. */
function checkDecoder(configuration: ModelConfiguration, at: string): void {
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
