/**
 * Products of matrices as WebAssembly text: `multiply` of 32-bit floats, and `multiplyIntegers` of 16-bit
 * integers with scales. Tiles of C += A B stay in registers while their sums run over k. The text is generated
 * because the loops are unrolled: by hand it would be the same lines thirty times.
 */

const range = (count) => Array.from({ length: count }, (_, i) => i);
const local = (name) => `(local.get $${name})`;
const set = (name, value) => `(local.set $${name} ${value})`;
const move = (name, bytes) => set(name, `(i32.add ${local(name)} (i32.const ${bytes}))`);
const moveRows = (name, stride, rows) =>
  set(name, `(i32.add ${local(name)} (i32.mul ${local(stride)} (i32.const ${rows})))`);
const parameters = (names) => names.map((name) => `(param $${name} i32)`).join(" ");

/**
 * Products of floats: x, an entry of A in all lanes, times 4 entries of B. Each entry of C is a sum in the
 * order of k, the product rounded, then the sum: same bits everywhere. A has a stride for rows and one for columns, so
 * that a transpose is another pair of strides. Taller tiles, up to 8 vectors of 4 columns, are narrower.
 */
export function multiplyFunctions() {
  return productFunctions({
    name: "multiply",
    tiles: [
      { rows: 4, vectors: 2, unrolled: 1 },
      { rows: 2, vectors: 4, unrolled: 1 },
      { rows: 1, vectors: 8, unrolled: 1 },
    ],
    parameters: ["aRow", "aColumn", "bRow", "cRow"],
    scales: [],
    initial: (entries) => entries,
    add: (sum, x, b) => `(f32x4.add ${sum} (f32x4.mul ${x} ${b}))`,
    result: (_, sum) => sum,
    nextRowOfB: () => set("p", `(i32.add ${local("p")} ${local("bRow")})`),
    nextColumnOfA: (r) => set(`a${r}`, `(i32.add ${local(`a${r}`)} ${local("aColumn")})`),
    nextColumnsOfB: (vectors) => move("b", 16 * vectors),
  });
}

/**
 * Products of integers: x, two neighbouring entries of a row of A in all lanes, times entries of two rows of B
 * in 4 columns, are added to 32-bit sums. In the end, sums are multiplied by the scales of their row of A, from $aScale
 * on, and of their column of B, from $bScale on. B is a sequence of panels of 8 columns, the last one of 4 if 4 remain:
 * all pairs of rows of a panel follow each other, as `roundWeights` writes them. $k, the number of pairs, is even.
 */
export function multiplyIntegersFunctions() {
  const panel = (vectors) => 16 * vectors;
  return productFunctions({
    name: "multiplyIntegers",
    // More products in a step of the loop would not leave registers for the sums of taller tiles.
    tiles: [4, 3, 2, 1].map((rows) => ({ rows, vectors: 2, unrolled: rows > 2 ? 1 : 2 })),
    parameters: ["aRow", "cRow"],
    scales: ["aScale", "bScale"],
    initial: () => "(v128.const i32x4 0 0 0 0)",
    add: (sum, x, b) => `(i32x4.add ${sum} (i32x4.dot_i16x8_s ${x} ${b}))`,
    result: (entries, sum, { r, v }) => {
      const rowScale = `(v128.load32_splat offset=${4 * r} ${local("aScale")})`;
      const columnScale = `(v128.load offset=${16 * v} ${local("bScale")})`;
      const floats = `(f32x4.convert_i32x4_s ${sum})`;
      return `(f32x4.add ${entries} (f32x4.mul ${floats} (f32x4.mul ${rowScale} ${columnScale})))`;
    },
    nextRowOfB: (vectors, unrolled) => move("p", unrolled * panel(vectors)),
    nextColumnOfA: (r, unrolled) => move(`a${r}`, 4 * unrolled),
    nextColumnsOfB: () => set("b", local("p")),
  });
}

/** A function for C += A B, after the functions of its tiles. */
function productFunctions(arithmetic) {
  const { tiles } = arithmetic;
  return [...tiles.map((tile) => rowsFunction(tile, arithmetic)), allRowsFunction(arithmetic)].join("\n");
}

/** Strides and addresses are in bytes; $n columns, a multiple of 4, and $k products an entry. */
const ADDRESSES = ["c", "a", "b", "n", "k"];

/** C += A B for $m rows: as many rows at a time as the tallest tile has, then the remaining ones. */
function allRowsFunction({ name, tiles, parameters: strides, scales }) {
  const names = [...ADDRESSES, ...strides, ...scales];
  const blocks = tiles.map(
    ({ rows }) => `    (block $done${rows} (loop $next${rows}
      (br_if $done${rows} (i32.lt_s ${local("m")} (i32.const ${rows})))
      (call $${name}${rows} ${names.map(local).join(" ")})
      ${moveRows("c", "cRow", rows)}
      ${moveRows("a", "aRow", rows)}
      ${scales.length > 0 ? move("aScale", 4 * rows) : ""}
      ${move("m", -rows)}
      (br $next${rows})))`,
  );
  return `  (func $${name} (export "${name}") (param $m i32) ${parameters(names)}
    (if (i32.lt_s ${local("k")} (i32.const 1)) (then (return)))
${blocks.join("\n")})`;
}

/**
 * A function over `rows` rows of C from address $c on: wide tiles while $n columns are enough for one, then
 * tiles of one vector. $k is at least 1.
 */
function rowsFunction({ rows, vectors, unrolled }, arithmetic) {
  const { name, parameters: strides, scales } = arithmetic;
  const locals = [
    ...range(rows).map((r) => `(local $a${r} i32)`),
    ...range(rows * vectors).map((s) => `(local $s${s} v128)`),
    ...range(vectors).map((v) => `(local $b${v} v128)`),
  ];
  return `  (func $${name}${rows} ${parameters([...ADDRESSES, ...strides, ...scales])}
    (local $t i32) (local $p i32) (local $x v128) ${locals.join(" ")}
    (block $narrow (loop $wide
      (br_if $narrow (i32.lt_s ${local("n")} (i32.const ${4 * vectors})))
${tile(rows, vectors, unrolled, arithmetic)}
      (br $wide)))
    (block $done (loop $next
      (br_if $done (i32.lt_s ${local("n")} (i32.const 4)))
${tile(rows, 1, unrolled, arithmetic)}
      (br $next))))`;
}

/**
 * One tile: begins its sums, adds x · b for each of the $k products, stores the results, moves on to the next
 * columns.
 */
function tile(rows, vectors, unrolled, arithmetic) {
  const { scales, initial, result, nextRowOfB, nextColumnOfA, nextColumnsOfB } = arithmetic;
  const sums = range(rows).flatMap((r) => range(vectors).map((v) => ({ r, v, s: `s${r * vectors + v}` })));
  const entries = ({ r, v }) => `(v128.load offset=${16 * v} ${rowOfC(r)})`;
  const lines = [
    ...range(rows).map(rowOfA),
    ...sums.map((sum) => set(sum.s, initial(entries(sum)))),
    set("p", local("b")),
    set("t", local("k")),
    "(loop $sum",
    ...range(unrolled).flatMap((u) => products(u, rows, vectors, arithmetic)),
    ...range(rows).map((r) => nextColumnOfA(r, unrolled)),
    nextRowOfB(vectors, unrolled),
    `(br_if $sum (local.tee $t (i32.sub ${local("t")} (i32.const ${unrolled})))))`,
    ...sums.map((sum) => {
      const stored = result(entries(sum), local(sum.s), sum);
      return `(v128.store offset=${16 * sum.v} ${rowOfC(sum.r)} ${stored})`;
    }),
    move("c", 16 * vectors),
    nextColumnsOfB(vectors),
    ...(scales.length > 0 ? [move("bScale", 16 * vectors)] : []),
    move("n", -4 * vectors),
  ];
  return lines.map((line) => `      ${line}`).join("\n");
}

/** Sets $a0, $a1, ... to the first entries of the tile's rows of A. */
function rowOfA(r) {
  if (r === 0) return set("a0", local("a"));
  return set(`a${r}`, `(i32.add ${local(`a${r - 1}`)} ${local("aRow")})`);
}

/** The address of the tile in row r of C. */
function rowOfC(r) {
  if (r === 0) return local("c");
  return `(i32.add ${local("c")} (i32.mul ${local("cRow")} (i32.const ${r})))`;
}

/** Adds the u-th products of a step of the loop to the sums: of one x of each row. */
function products(u, rows, vectors, { add }) {
  return [
    ...range(vectors).map((v) => set(`b${v}`, `(v128.load offset=${16 * (u * vectors + v)} ${local("p")})`)),
    ...range(rows).flatMap((r) => [
      set("x", `(v128.load32_splat offset=${4 * u} ${local(`a${r}`)})`),
      ...range(vectors).map((v) => {
        const sum = `s${r * vectors + v}`;
        return set(sum, add(local(sum), local("x"), local(`b${v}`)));
      }),
    ]),
  ];
}
