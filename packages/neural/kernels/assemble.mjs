/**
 * Assembles the kernels of `MatrixMemory` and writes them to `src/kernels.ts`, in base 64. `npm run kernels`
 * runs this after a change in this folder; a test checks that `src/kernels.ts` is up to date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import wabt from "wabt";
import { cellFunction } from "./cell.mjs";
import { sumRowsFunction } from "./sum-rows.mjs";
import { tileFunctions } from "./tiles.mjs";

const TARGET = new URL("../src/kernels.ts", import.meta.url);

/**
 * A whole module: it imports its memory, and exports `multiply`, `sumRows`, `adam`, `cell` and `cellBack`.
 *
 * @param fused whether `multiply` and `cell` use the fused multiply-adds of relaxed SIMD
 */
function moduleText(fused) {
  const source = (name) => readFileSync(new URL(name, import.meta.url), "utf8").trimEnd();
  return `(module
  (import "arcwise" "memory" (memory 1))
${tileFunctions(fused)}
${source("multiply.wat")}
${sumRowsFunction()}
${source("adam.wat")}
${cellFunction(fused)}
${source("cell-back.wat")}
)
`;
}

/** What `src/kernels.ts` has to be. */
export async function kernelsSource() {
  const { parseWat } = await wabt();
  const assembled = (fused) => {
    const module = parseWat("kernels.wat", moduleText(fused), { simd: true, relaxed_simd: fused });
    module.validate();
    return Buffer.from(module.toBinary({}).buffer).toString("base64");
  };
  return `/** The kernels of \`MatrixMemory\` in base 64, assembled by \`npm run kernels\`. */
export const KERNELS =
  "${assembled(false)}";

/** The same with fused multiply-adds, for engines that have relaxed SIMD. */
export const FUSED_KERNELS =
  "${assembled(true)}";
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(TARGET, await kernelsSource());
  console.log(`wrote ${fileURLToPath(TARGET)}`);
}
