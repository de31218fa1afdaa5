import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { arcwise, folderWith, settings, treebank } from "../../apps/cli/test/support.ts";
import { writeTinyEncoder } from "../../packages/encoder-onnx/test/tiny-encoder.ts";

const SHORT = settings({ parser: { network: { units: 8, epochs: 2 } } });

test("the command of a clone runs encoders in ONNX, and says in what one differs from the model's", async () => {
  const folder = folderWith({ "a.conllu": treebank });
  const [file, model] = [join(folder, "a.conllu"), join(folder, "my.model")];
  const encoder = writeTinyEncoder(join(folder, "tiny"));
  writeFileSync(join(encoder, "encoder.json"), '{ "layers": [2, 3] }');
  const args = ["--for", "tagged", "--train", file, "--model", model, "--encoder", encoder, "--threads", "1"];
  const env = { ARCWISE_CACHE: join(folder, "cache") };
  expect(await arcwise(["train", ...args, ...SHORT], { env })).toMatchObject({ code: 0 });
  expect(await arcwise(["parse", model, file])).toMatchObject({ code: 0 });
  rmSync(join(encoder, "encoder.json"));
  const { code, err } = await arcwise(["parse", model, file]);
  expect(code).toBe(2);
  expect(err).toMatch(/differ in outputs \(expected hidden_states.2 hidden_states.3, found .*5\)/);
});
