/**
 * Products of matrices as WebAssembly text: `multiply` of 32-bit floats, and `multiplyIntegers` of 16-bit
 * integers with scales. Tiles of C += A B, of up to 8 vectors of 4 columns, stay in registers while their
 * sums run over k; taller tiles are narrower. The text is generated because the loops are unrolled: by hand
 * it would be the same lines thirty times.
 */

/** Rows of a tile, and the vectors of 4 columns that its wide loop has. */
const TILES = [
  { rows: 4, vectors: 2 },
  { rows: 2, vectors: 4 },
  { rows: 1, vectors: 8 },
];

const range = (count) => Array.from({ length: count }, (_, i) => i);
const local = (name) => `(local.get $${name})`;
const move = (name, bytes) => `(local.set $${name} (i32.add ${local(name)} (i32.const ${bytes})))`;
const moveRows = (name, stride, rows) =>
  `(local.set $${name} (i32.add ${local(name)} (i32.mul ${local(stride)} (i32.const ${rows}))))`;

/**
 * Products of floats: x, an entry of A in all lanes, times 4 entries of B. Each entry of C is a sum in the
 * order of k, the product rounded, then the sum: same bits everywhere.
 */
export function multiplyFunctions() {
  return productFunctions({
    name: "multiply",
    scales: [],
    initial: (entries) => entries,
    add: (sum, x, b) => `(f32x4.add ${sum} (f32x4.mul ${x} ${b}))`,
    result: (_, sum) => sum,
  });
}

/**
 * Products of integers: x, two neighbouring entries of a row of A in all lanes, times entries of two rows of B
 * in 4 columns, which are stored as pairs, are added to 32-bit sums. In the end, sums are multiplied by the
 * scales of their row of A, from $aScale on, and of their column of B, from $bScale on.
 */
export function multiplyIntegersFunctions() {
  return productFunctions({
    name: "multiplyIntegers",
    scales: ["aScale", "bScale"],
    initial: () => "(v128.const i32x4 0 0 0 0)",
    add: (sum, x, b) => `(i32x4.add ${sum} (i32x4.dot_i16x8_s ${x} ${b}))`,
    result: (entries, sum, { r, v }) => {
      const ofRow = `(v128.load32_splat offset=${4 * r} ${local("aScale")})`;
      const ofColumns = `(v128.load offset=${16 * v} ${local("bScale")})`;
      const floats = `(f32x4.convert_i32x4_s ${sum})`;
      return `(f32x4.add ${entries} (f32x4.mul ${floats} (f32x4.mul ${ofRow} ${ofColumns})))`;
    },
  });
}

/** A function for C += A B, after the functions of its tiles. */
function productFunctions(arithmetic) {
  return [...TILES.map((tile) => rowsFunction(tile, arithmetic)), allRowsFunction(arithmetic)].join("\n");
}

const parameters = (names) => names.map((name) => `(param $${name} i32)`).join(" ");

/** Strides and addresses are in bytes; $n columns, a multiple of 4, and $k products an entry. */
const ADDRESSES = ["c", "a", "b", "n", "k"];
const STRIDES = ["aRow", "aColumn", "bRow", "cRow"];

/**
 * C += A B for $m rows. A has a stride for rows and one for columns, so that a transpose is another pair of
 * strides. Rows are done four at a time, then two, then one.
 */
function allRowsFunction({ name, scales }) {
  const names = [...ADDRESSES, ...STRIDES, ...scales];
  const blocks = TILES.map(
    ({ rows }) => `    (block $done${rows} (loop $next${rows}
      (br_if $done${rows} (i32.lt_s ${local("m")} (i32.const ${rows})))
      (call $${name}${rows} ${names.map(local).join(" ")})
      ${moveRows("c", "cRow", rows)}
      ${moveRows("a", "aRow", rows)}
      ${scales.length > 0 ? move("aScale", 4 * rows) : ""}
      ${move("m", -rows)}
      (br $next${rows})))`,
  );
  return `  (func (export "${name}") (param $m i32) ${parameters(names)}
    (if (i32.lt_s ${local("k")} (i32.const 1)) (then (return)))
${blocks.join("\n")})`;
}

/**
 * A function over `rows` rows of C from address $c on: wide tiles while $n columns are enough for one, then
 * tiles of one vector. $k is at least 1.
 */
function rowsFunction({ rows, vectors }, arithmetic) {
  const { name, scales } = arithmetic;
  const locals = [
    ...range(rows).map((r) => `(local $a${r} i32)`),
    ...range(rows * vectors).map((s) => `(local $s${s} v128)`),
    ...range(vectors).map((v) => `(local $b${v} v128)`),
  ];
  return `  (func $${name}${rows} ${parameters([...ADDRESSES, ...STRIDES, ...scales])}
    (local $t i32) (local $p i32) (local $x v128) ${locals.join(" ")}
    (block $narrow (loop $wide
      (br_if $narrow (i32.lt_s ${local("n")} (i32.const ${4 * vectors})))
${tile(rows, vectors, arithmetic)}
      (br $wide)))
    (block $done (loop $next
      (br_if $done (i32.lt_s ${local("n")} (i32.const 4)))
${tile(rows, 1, arithmetic)}
      (br $next))))`;
}

/**
 * One tile: begins its sums, adds x · b for each of the $k products, stores the results, moves on to the next
 * columns.
 */
function tile(rows, vectors, { scales, initial, add, result }) {
  const sums = range(rows).flatMap((r) => range(vectors).map((v) => ({ r, v, s: `s${r * vectors + v}` })));
  const entries = ({ r, v }) => `(v128.load offset=${16 * v} ${rowOfC(r)})`;
  const lines = [
    ...range(rows).map(rowOfA),
    ...sums.map((sum) => `(local.set $${sum.s} ${initial(entries(sum))})`),
    "(local.set $p (local.get $b))",
    "(local.set $t (local.get $k))",
    "(loop $sum",
    ...range(vectors).map((v) => `(local.set $b${v} (v128.load offset=${16 * v} (local.get $p)))`),
    ...range(rows).flatMap((r) => productsOfRow(r, vectors, add)),
    "(local.set $p (i32.add (local.get $p) (local.get $bRow)))",
    "(br_if $sum (local.tee $t (i32.sub (local.get $t) (i32.const 1)))))",
    ...sums.map((sum) => {
      const stored = result(entries(sum), local(sum.s), sum);
      return `(v128.store offset=${16 * sum.v} ${rowOfC(sum.r)} ${stored})`;
    }),
    move("c", 16 * vectors),
    move("b", 16 * vectors),
    ...(scales.length > 0 ? [move("bScale", 16 * vectors)] : []),
    move("n", -4 * vectors),
  ];
  return lines.map((line) => `      ${line}`).join("\n");
}

/** Sets $a0, $a1, ... to the first entries of the tile's rows of A. */
function rowOfA(r) {
  if (r === 0) return "(local.set $a0 (local.get $a))";
  return `(local.set $a${r} (i32.add (local.get $a${r - 1}) (local.get $aRow)))`;
}

/** The address of the tile in row r of C. */
function rowOfC(r) {
  if (r === 0) return "(local.get $c)";
  return `(i32.add (local.get $c) (i32.mul (local.get $cRow) (i32.const ${r})))`;
}

/** Adds products of one x to the sums of row r; the address of x moves on. */
function productsOfRow(r, vectors, add) {
  return [
    `(local.set $x (v128.load32_splat (local.get $a${r})))`,
    ...range(vectors).map((v) => {
      const sum = `s${r * vectors + v}`;
      return `(local.set $${sum} ${add(local(sum), local("x"), local(`b${v}`))})`;
    }),
    `(local.set $a${r} (i32.add (local.get $a${r}) (local.get $aColumn)))`,
  ];
}
