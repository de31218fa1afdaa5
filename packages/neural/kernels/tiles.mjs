/**
 * The inner loops of `multiply` as WebAssembly text: for each height of tile a function that computes that
 * many rows of C += A B. A tile of up to 8 vectors of C stays in registers while the sums run over `$k`;
 * taller tiles are narrower. The text is generated because the loops are unrolled: by hand it would be the
 * same lines sixteen times.
 */
import { multiplyAdd } from "./multiply-add.mjs";

/**
 * Rows of a tile, and the vectors of 4 columns that its wide loop has. `multiply.wat` calls `$rows4`,
 * `$rows2`, `$rows1`.
 */
const TILES = [
  { rows: 4, vectors: 2 },
  { rows: 2, vectors: 4 },
  { rows: 1, vectors: 8 },
];

const range = (count) => Array.from({ length: count }, (_, i) => i);

/** The functions of all tiles. @param fused whether products are added by fused multiply-adds */
export function tileFunctions(fused) {
  const plus = multiplyAdd(fused);
  return TILES.map((tile) => rowsFunction(tile, plus)).join("\n");
}

/**
 * A function over `rows` rows of C from address $c on: wide tiles while $n columns are enough for one, then
 * tiles of one vector. Strides $aRow, $aColumn, $bRow, $cRow are in bytes; $n is a multiple of 4, $k at least
 * 1.
 */
function rowsFunction({ rows, vectors }, plus) {
  const locals = [
    ...range(rows).map((r) => `(local $a${r} i32)`),
    ...range(rows * vectors).map((s) => `(local $s${s} v128)`),
    ...range(vectors).map((v) => `(local $b${v} v128)`),
  ];
  return `  (func $rows${rows} (param $c i32) (param $a i32) (param $b i32) (param $n i32) (param $k i32)
    (param $aRow i32) (param $aColumn i32) (param $bRow i32) (param $cRow i32)
    (local $t i32) (local $p i32) (local $x v128) ${locals.join(" ")}
    (block $narrow (loop $wide
      (br_if $narrow (i32.lt_s (local.get $n) (i32.const ${4 * vectors})))
${tile(rows, vectors, plus)}
      (br $wide)))
    (block $done (loop $next
      (br_if $done (i32.lt_s (local.get $n) (i32.const 4)))
${tile(rows, 1, plus)}
      (br $next))))`;
}

/**
 * One tile: loads its sums, adds x · b for each of the $k products, stores the sums, moves on to the next
 * columns.
 */
function tile(rows, vectors, plus) {
  const sums = range(rows).flatMap((r) => range(vectors).map((v) => ({ r, v, s: `$s${r * vectors + v}` })));
  const lines = [
    ...range(rows).map(rowOfA),
    ...sums.map(({ r, v, s }) => `(local.set ${s} (v128.load offset=${16 * v} ${rowOfC(r)}))`),
    "(local.set $p (local.get $b))",
    "(local.set $t (local.get $k))",
    "(loop $sum",
    ...range(vectors).map((v) => `(local.set $b${v} (v128.load offset=${16 * v} (local.get $p)))`),
    ...range(rows).flatMap((r) => productsOfRow(r, vectors, plus)),
    "(local.set $p (i32.add (local.get $p) (local.get $bRow)))",
    "(br_if $sum (local.tee $t (i32.sub (local.get $t) (i32.const 1)))))",
    ...sums.map(({ r, v, s }) => `(v128.store offset=${16 * v} ${rowOfC(r)} (local.get ${s}))`),
    `(local.set $c (i32.add (local.get $c) (i32.const ${16 * vectors})))`,
    `(local.set $b (i32.add (local.get $b) (i32.const ${16 * vectors})))`,
    `(local.set $n (i32.sub (local.get $n) (i32.const ${4 * vectors})))`,
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

/**
 * Adds an entry of A, in all lanes, times the vectors of B to the sums of row r; the entry's address moves
 * on.
 */
function productsOfRow(r, vectors, plus) {
  return [
    `(local.set $x (v128.load32_splat (local.get $a${r})))`,
    ...range(vectors).map((v) => {
      const sum = `$s${r * vectors + v}`;
      return `(local.set ${sum} ${plus(`(local.get ${sum})`, "(local.get $x)", `(local.get $b${v})`)})`;
    }),
    `(local.set $a${r} (i32.add (local.get $a${r}) (local.get $aColumn)))`,
  ];
}
