/**
 * Assembles the kernels of `MatrixMemory` and writes them to `src/kernels.ts`, in base 64. `npm run kernels`
 * runs this after a change in this folder; a test checks that `src/kernels.ts` is up to date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import wabt from "wabt";
import { cellFunction } from "./cell.mjs";
import { sumBytesFunction } from "./sum-bytes.mjs";
import { sumByteRowsFunction, sumRowsFunction } from "./sum-rows.mjs";
import { multiplyFunctions, multiplyIntegersFunctions } from "./tiles.mjs";

const TARGET = new URL("../src/kernels.ts", import.meta.url);

/**
 * The whole module: it imports its memory, and exports the functions of `Kernels` in `src/kernel-module.ts`.
 */
function moduleText() {
  const source = (name) => readFileSync(new URL(name, import.meta.url), "utf8").trimEnd();
  return `(module
  (import "arcwise" "memory" (memory 1))
${multiplyFunctions()}
${multiplyIntegersFunctions()}
${source("round-rows.wat")}
${sumRowsFunction()}
${sumByteRowsFunction()}
${sumBytesFunction()}
${source("adam.wat")}
${cellFunction()}
${source("cell-back.wat")}
${source("lstm-steps.wat")}
${source("activations.wat")}
${source("rows.wat")}
${source("head-scores.wat")}
)
`;
}

/** What `src/kernels.ts` has to be. */
export async function kernelsSource() {
  const { parseWat } = await wabt();
  const assembled = parseWat("kernels.wat", moduleText(), { simd: true });
  assembled.validate();
  const text = Buffer.from(assembled.toBinary({}).buffer).toString("base64");
  return `/** The kernels of \`MatrixMemory\` in base 64, assembled by \`npm run kernels\`. */
export const KERNELS =
  "${text}";
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(TARGET, await kernelsSource());
  console.log(`wrote ${fileURLToPath(TARGET)}`);
}
