/**
 * The kernels of `src/network/matrices.ts` as WebAssembly text, over vectors of four 32-bit floats.
 *
 * `multiply`: C += A B by tiles of 8 vectors that stay in registers while the sums run. Numbers of columns are multiples of 4;
 * A may lie by rows or by columns, since both of its strides are arguments. Rows are done four, then two, then one at a time,
 * since a lone row (a step of a recurrent network) has as much to compute only if it takes more columns.
 *
 * `adam`: a step of `Adam` for parameters whose slopes, means and means of squares lie at distances from them.
 */

/** Rows of a tile, and vectors of 4 columns that it has at most. */
const TILES = [
  { rows: 4, vectors: 2 },
  { rows: 2, vectors: 4 },
  { rows: 1, vectors: 8 },
] as const;

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

/** The text of the module: it imports a memory, and exports `multiply` and `adam`. */
export function kernelsModule(): string {
  return `(module
  (import "arcwise" "memory" (memory 1))
${TILES.map(rowsFunction).join("\n")}
${multiplyFunction()}
${adamFunction()}
)
`;
}

/** The rows of C from $c on, as many as the tile has: column by column, wide tiles and then narrow ones. */
function rowsFunction({ rows, vectors }: (typeof TILES)[number]): string {
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
${tile(rows, vectors)}
      (br $wide)))
    (block $done (loop $next
      (br_if $done (i32.lt_s (local.get $n) (i32.const 4)))
${tile(rows, 1)}
      (br $next))))`;
}

/** A tile of C: its sums, then the step to the columns behind it. */
function tile(rows: number, vectors: number): string {
  const at = (r: number) =>
    r === 0 ? "(local.get $c)" : `(i32.add (local.get $c) (i32.mul (local.get $cRow) (i32.const ${r})))`;
  const sums = range(rows).flatMap((r) => range(vectors).map((v) => ({ r, v, s: `$s${r * vectors + v}` })));
  const lines = [
    ...range(rows).map((r) =>
      r === 0
        ? "(local.set $a0 (local.get $a))"
        : `(local.set $a${r} (i32.add (local.get $a${r - 1}) (local.get $aRow)))`,
    ),
    ...sums.map(({ r, v, s }) => `(local.set ${s} (v128.load offset=${16 * v} ${at(r)}))`),
    "(local.set $p (local.get $b))",
    "(local.set $t (local.get $k))",
    "(loop $sum",
    ...range(vectors).map((v) => `(local.set $b${v} (v128.load offset=${16 * v} (local.get $p)))`),
    ...range(rows).flatMap((r) => [
      `(local.set $x (v128.load32_splat (local.get $a${r})))`,
      ...range(vectors).map((v) => {
        const sum = `$s${r * vectors + v}`;
        return `(local.set ${sum} (f32x4.add (local.get ${sum}) (f32x4.mul (local.get $x) (local.get $b${v}))))`;
      }),
      `(local.set $a${r} (i32.add (local.get $a${r}) (local.get $aColumn)))`,
    ]),
    "(local.set $p (i32.add (local.get $p) (local.get $bRow)))",
    "(br_if $sum (local.tee $t (i32.sub (local.get $t) (i32.const 1)))))",
    ...sums.map(({ r, v, s }) => `(v128.store offset=${16 * v} ${at(r)} (local.get ${s}))`),
    `(local.set $c (i32.add (local.get $c) (i32.const ${16 * vectors})))`,
    `(local.set $b (i32.add (local.get $b) (i32.const ${16 * vectors})))`,
    `(local.set $n (i32.sub (local.get $n) (i32.const ${4 * vectors})))`,
  ];
  return lines.map((line) => `      ${line}`).join("\n");
}

/** All rows of C. Strides are in bytes. */
function multiplyFunction(): string {
  const step = ({ rows }: (typeof TILES)[number]) => `    (block $done${rows} (loop $next${rows}
      (br_if $done${rows} (i32.lt_s (local.get $m) (i32.const ${rows})))
      (call $rows${rows} (local.get $c) (local.get $a) (local.get $b) (local.get $n) (local.get $k)
        (local.get $aRow) (local.get $aColumn) (local.get $bRow) (local.get $cRow))
      (local.set $c (i32.add (local.get $c) (i32.mul (local.get $cRow) (i32.const ${rows}))))
      (local.set $a (i32.add (local.get $a) (i32.mul (local.get $aRow) (i32.const ${rows}))))
      (local.set $m (i32.sub (local.get $m) (i32.const ${rows})))
      (br $next${rows})))`;
  return `  (func (export "multiply") (param $c i32) (param $a i32) (param $b i32) (param $m i32) (param $n i32) (param $k i32)
    (param $aRow i32) (param $aColumn i32) (param $bRow i32) (param $cRow i32)
    (if (i32.lt_s (local.get $k) (i32.const 1)) (then (return)))
${TILES.map(step).join("\n")})`;
}

/** Places and distances in bytes; so many numbers as $length, a multiple of 4. Slopes are cleared. */
function adamFunction(): string {
  const splat = (name: string) => `(local.set ${name}s (f32x4.splat (local.get ${name})))`;
  const load = (by: string) => `(v128.load (i32.add (local.get $at) (local.get ${by})))`;
  const mean = (name: string, decay: string, by: string, value: string) =>
    `(local.set ${name} (f32x4.add (f32x4.mul (local.get ${decay}s) ${load(by)})
        (f32x4.mul (f32x4.sub (f32x4.splat (f32.const 1)) (local.get ${decay}s)) ${value})))`;
  return `  (func (export "adam") (param $at i32) (param $length i32) (param $slopes i32) (param $means i32) (param $squares i32)
    (param $factor f32) (param $decay f32) (param $squareDecay f32) (param $rate f32) (param $correction f32) (param $least f32)
    (local $end i32) (local $slope v128) (local $mean v128) (local $square v128)
    (local $factors v128) (local $decays v128) (local $squareDecays v128) (local $rates v128)
    (local $corrections v128) (local $leasts v128)
    ${["$factor", "$decay", "$squareDecay", "$rate", "$correction", "$least"].map(splat).join("\n    ")}
    (local.set $end (i32.add (local.get $at) (i32.mul (local.get $length) (i32.const 4))))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $slope (f32x4.mul (local.get $factors) ${load("$slopes")}))
      (v128.store (i32.add (local.get $at) (local.get $slopes)) (v128.const f32x4 0 0 0 0))
      ${mean("$mean", "$decay", "$means", "(local.get $slope)")}
      ${mean("$square", "$squareDecay", "$squares", "(f32x4.mul (local.get $slope) (local.get $slope))")}
      (v128.store (i32.add (local.get $at) (local.get $means)) (local.get $mean))
      (v128.store (i32.add (local.get $at) (local.get $squares)) (local.get $square))
      (v128.store (local.get $at) (f32x4.sub (v128.load (local.get $at))
        (f32x4.div (f32x4.mul (local.get $rates) (local.get $mean))
          (f32x4.add (f32x4.sqrt (f32x4.mul (local.get $square) (local.get $corrections))) (local.get $leasts)))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $next))))`;
}
