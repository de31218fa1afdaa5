/**
 * Measures multiply-adds of 32-bit floats per nanosecond in the kernels of a network, and in a JavaScript
 * loop over blocks of four rows and two columns. Shapes are those of a network of 128 units for a sentence of
 * 22 words, for one word, and for gradients. Prints medians of interleaved runs. After a build: node
 * apps/bench/scripts/matrices.mjs
 */
import { MatrixMemory, transposed } from "@arcwise/neural";

const RUNS = 9;
const PRODUCTS = 2e8;

/** C += A B', B by columns. */
function inJavaScript(c, a, b, rows, columns, inner) {
  for (let i = 0; i + 3 < rows; i += 4) {
    for (let j = 0; j + 1 < columns; j += 2) {
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      let s4 = 0;
      let s5 = 0;
      let s6 = 0;
      let s7 = 0;
      for (let k = 0; k < inner; k++) {
        const x = b[j * inner + k];
        const y = b[(j + 1) * inner + k];
        const p = a[i * inner + k];
        const q = a[(i + 1) * inner + k];
        const r = a[(i + 2) * inner + k];
        const t = a[(i + 3) * inner + k];
        s0 += p * x;
        s1 += p * y;
        s2 += q * x;
        s3 += q * y;
        s4 += r * x;
        s5 += r * y;
        s6 += t * x;
        s7 += t * y;
      }
      const at = i * columns + j;
      c[at] += s0;
      c[at + 1] += s1;
      c[at + columns] += s2;
      c[at + columns + 1] += s3;
      c[at + 2 * columns] += s4;
      c[at + 2 * columns + 1] += s5;
      c[at + 3 * columns] += s6;
      c[at + 3 * columns + 1] += s7;
    }
  }
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}

for (const [what, rows, columns, inner, turned] of [
  ["a sentence of 22 words, inputs to gates", 22, 512, 128, false],
  ["the same, second layer", 22, 512, 256, false],
  ["one word, state to gates", 1, 512, 128, false],
  ["gradients of a batch of 100 words", 128, 512, 100, true],
]) {
  const memory = new MatrixMemory();
  const a = memory.matrix(turned ? inner : rows, turned ? rows : inner);
  const b = memory.matrix(inner, columns);
  const c = memory.matrix(rows, columns);
  for (let i = a.at; i < c.at; i++) memory.values[i] = Math.sin(i);
  const plain = [rows * columns, rows * inner, columns * inner].map((n) => new Float32Array(n).fill(0.5));
  const kernels = () => memory.multiply(c, turned ? transposed(a) : a, b, rows, columns, inner);
  const loop = () => inJavaScript(...plain, rows, columns, inner);
  const times = [[], []];
  const repeats = Math.ceil(PRODUCTS / (rows * columns * inner));
  for (let run = 0; run <= RUNS; run++) {
    for (const [index, work] of [kernels, loop].entries()) {
      const start = performance.now();
      for (let i = 0; i < repeats; i++) work();
      if (run > 0) times[index].push(performance.now() - start);
    }
  }
  const rate = (list) => (repeats * rows * columns * inner) / median(list) / 1e6;
  const javascript = rows < 4 ? "" : `, JavaScript ${rate(times[1]).toFixed(1)}`;
  console.log(`${what}: ${rate(times[0]).toFixed(1)} products a nanosecond${javascript}`);
}
