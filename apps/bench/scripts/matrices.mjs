/**
 * Measures multiply-adds per nanosecond in the kernels of a network: of 32-bit floats, of weights that are
 * rounded to integers, and in a JavaScript loop over blocks of four rows and two columns. Shapes are the shapes of
 * a network of 128 units for a sentence of 22 words, for the states of 64 and of 1 sentence, and for
 * gradients. Then measures steps of a long short-term memory and sums of embeddings. Prints medians of
 * interleaved runs, in processor time. After a build:
 *
 *     node apps/bench/scripts/matrices.mjs
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

/** Returns the median processor time of a call of each function, in nanoseconds. */
function timesOf(functions, repeats) {
  const times = functions.map(() => []);
  for (let run = 0; run <= RUNS; run++) {
    for (const [index, work] of functions.entries()) {
      const start = process.cpuUsage();
      for (let i = 0; i < repeats; i++) work();
      const { user, system } = process.cpuUsage(start);
      if (run > 0) times[index].push((1000 * (user + system)) / repeats);
    }
  }
  return times.map(median);
}

/** Prints units per nanosecond, or nanoseconds per unit, of each way. */
function report(what, figures, unit) {
  const list = Object.entries(figures).map(([way, figure]) => `${way} ${figure.toFixed(1)}`);
  console.log(`${what}: ${list.join(", ")} ${unit}`);
}

for (const [what, rows, columns, inner, turned] of [
  ["a sentence of 22 words, inputs to gates", 22, 512, 128, false],
  ["the same, second layer", 22, 512, 256, false],
  ["64 words, states to gates", 64, 512, 128, false],
  ["one word, state to gates", 1, 512, 128, false],
  ["gradients of a batch of 100 words", 128, 512, 100, true],
]) {
  const product = (isRounded) => {
    const memory = new MatrixMemory();
    const a = memory.matrix(turned ? inner : rows, turned ? rows : inner);
    const b = memory.matrix(inner, columns);
    const c = memory.matrix(rows, columns);
    for (let i = a.at; i < c.at; i++) memory.values[i] = Math.sin(i);
    if (isRounded) memory.roundWeights(b, columns, inner);
    return () => memory.multiply(c, turned ? transposed(a) : a, b, rows, columns, inner);
  };
  const plain = [rows * columns, rows * inner, columns * inner].map((n) => new Float32Array(n).fill(0.5));
  const ways = {
    floats: product(false),
    ...(!turned && { integers: product(true) }),
    ...(rows >= 4 && { JavaScript: () => inJavaScript(...plain, rows, columns, inner) }),
  };
  const products = rows * columns * inner;
  const times = timesOf(Object.values(ways), Math.ceil(PRODUCTS / products));
  const rates = Object.fromEntries(Object.keys(ways).map((way, k) => [way, products / times[k]]));
  report(what, rates, "products a nanosecond");
}

const UNITS = 128;
const ROWS = 64;
const memory = new MatrixMemory();
const [gates, before, cells, tangents, states] = [4, 1, 1, 1, 1].map((n) =>
  memory.allocate(n * UNITS * ROWS),
);
const gateSums = Float32Array.from({ length: 4 * UNITS * ROWS }, (_, i) => 6 * Math.sin(i * i));
const step = () => {
  memory.values.set(gateSums, gates);
  memory.cell({ gates, before, cells, tangents, states, units: UNITS, rows: ROWS, statesRow: UNITS });
};
const [perStep] = timesOf([step], 1000);
report("a step of a long short-term memory", { kernel: perStep / (UNITS * ROWS) }, "nanoseconds a unit");

const LOOKUPS = 30;
const table = memory.matrix(10_000, UNITS);
const into = memory.matrix(ROWS, UNITS);
const start = Int32Array.from({ length: ROWS + 1 }, (_, r) => r * LOOKUPS);
const entries = Int32Array.from({ length: ROWS * LOOKUPS }, (_, i) => (i * 7919) % 10_000);
const [perSum] = timesOf([() => memory.sumRows(into, table, UNITS, start, entries)], 1000);
report("sums of embeddings", { kernel: (UNITS * LOOKUPS * ROWS) / perSum }, "additions a nanosecond");
