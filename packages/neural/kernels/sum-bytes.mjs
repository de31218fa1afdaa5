/**
 * The kernel `sumBytes` as WebAssembly text. The text is generated because a row is done in strips of four
 * vectors, whose sums stay in registers, and then in strips of one.
 */

/** Vectors of 8 columns in a wide strip. */
const VECTORS = 4;
/** Rows whose sums of 8-bit integers fit into 16 bits. */
const MAX_ROWS = 256;

const range = (count) => Array.from({ length: count }, (_, i) => i);
const local = (name) => `(local.get $${name})`;

/**
 * Writes the sums of rows of 8-bit integers as 32-bit integers to address $into, $columns of them (a multiple
 * of 8). The offsets of the rows from $table, 32-bit integers, are at $entry up to before $end.
 */
export function sumBytesFunction() {
  const sums = [...range(VECTORS).map((v) => `s${v}`), ...range(2 * VECTORS).map((v) => `t${v}`)];
  return `  (func (export "sumBytes") (param $into i32) (param $columns i32)
    (param $table i32) (param $entry i32) (param $end i32)
    (local $next i32) (local $stop i32) (local $from i32)
    ${sums.map((name) => `(local $${name} v128)`).join(" ")}
    (block $narrow (loop $wide
      (br_if $narrow (i32.lt_s (local.get $columns) (i32.const ${8 * VECTORS})))
${strip(VECTORS)}
      (br $wide)))
    (block $done (loop $last
      (br_if $done (i32.lt_s (local.get $columns) (i32.const 8)))
${strip(1)}
      (br $last))))`;
}

/** Sums all rows in one strip of columns, a block of rows at a time, and moves on to the next columns. */
function strip(vectors) {
  const zero = "(v128.const i32x4 0 0 0 0)";
  const stop = `(i32.add ${local("next")} (i32.const ${4 * MAX_ROWS}))`;
  const addHalf = (half, v, k) =>
    `(local.set $t${k} (i32x4.add ${local(`t${k}`)} (i32x4.extend_${half}_i16x8_s ${local(`s${v}`)})))`;
  const lines = [
    ...range(2 * vectors).map((k) => `(local.set $t${k} ${zero})`),
    `(local.set $next ${local("entry")})`,
    `(block $summed${vectors} (loop $block`,
    `(br_if $summed${vectors} (i32.ge_u ${local("next")} ${local("end")}))`,
    `(local.set $stop (select ${stop} ${local("end")} (i32.lt_u ${stop} ${local("end")})))`,
    ...range(vectors).map((v) => `(local.set $s${v} ${zero})`),
    "(loop $rows",
    `(local.set $from (i32.add ${local("table")} (i32.load ${local("next")})))`,
    ...range(vectors).map((v) => {
      const entries = `(v128.load8x8_s offset=${8 * v} ${local("from")})`;
      return `(local.set $s${v} (i16x8.add ${local(`s${v}`)} ${entries}))`;
    }),
    `(local.set $next (i32.add ${local("next")} (i32.const 4)))`,
    `(br_if $rows (i32.lt_u ${local("next")} ${local("stop")})))`,
    ...range(vectors).flatMap((v) => [addHalf("low", v, 2 * v), addHalf("high", v, 2 * v + 1)]),
    "(br $block)))",
    ...range(2 * vectors).map((k) => `(v128.store offset=${16 * k} ${local("into")} ${local(`t${k}`)})`),
    `(local.set $into (i32.add ${local("into")} (i32.const ${32 * vectors})))`,
    `(local.set $table (i32.add ${local("table")} (i32.const ${8 * vectors})))`,
    `(local.set $columns (i32.sub ${local("columns")} (i32.const ${8 * vectors})))`,
  ];
  return lines.map((line) => `      ${line}`).join("\n");
}
