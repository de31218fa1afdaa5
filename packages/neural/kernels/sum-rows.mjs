/**
 * The kernels `sumRows` and `sumByteRows` as WebAssembly text. The text is generated because a row is done in
 * wide strips, whose sums stay in registers, and then in strips of one vector.
 */

/** Vectors of 4 columns in a wide strip. */
const VECTORS = 8;

const range = (count) => Array.from({ length: count }, (_, i) => i);

/**
 * Adds rows of a table to each of $rows rows of $columns columns (a multiple of 4) from address $into on, $intoRow bytes
 * apart: the rows whose numbers, 32-bit integers, are at $entries, from the index at $start up to before the next one,
 * in this order. $table is the address of row 0, $row the length of a row in bytes.
 */
export function sumRowsFunction() {
  return sumFunction("sumRows", "", {
    bytes: 4,
    begin: [],
    add: (v) => [add(v, `(v128.load offset=${16 * v} (local.get $from))`)],
    addOne: [add(0, "(v128.load (local.get $from))")],
  });
}

/**
 * The same of a table of 8-bit integers, which are multiplied by the scale of their row: row k has the 32-bit
 * float at $scales + 4 k.
 */
export function sumByteRowsFunction() {
  const half = (which) => `(f32x4.convert_i32x4_s (i32x4.extend_${which}_i16x8_s (local.get $entries)))`;
  const scaled = (numbers) => `(f32x4.mul ${numbers} (local.get $scale))`;
  return sumFunction("sumByteRows", "(param $scales i32)", {
    bytes: 1,
    locals: "(local $scale v128) (local $entries v128)",
    begin: [
      "(local.set $scale (f32x4.splat (f32.load (i32.add (local.get $scales)",
      "  (i32.shl (i32.load (local.get $next)) (i32.const 2))))))",
    ],
    add: (v) =>
      v % 2 === 0
        ? [
            `(local.set $entries (v128.load8x8_s offset=${4 * v} (local.get $from)))`,
            add(v, scaled(half("low"))),
          ]
        : [add(v, scaled(half("high")))],
    addOne: [
      "(local.set $entries (i16x8.extend_low_i8x16_s (v128.load32_zero (local.get $from))))",
      add(0, scaled(half("low"))),
    ],
  });
}

function add(v, entries) {
  return `(local.set $s${v} (f32x4.add (local.get $s${v}) ${entries}))`;
}

/**
 * A function for one row, and the exported function for all of them.
 *
 * @param table the size of an entry of the table in `bytes`, and what a row does: what comes first, then the
 *   addition of each vector of a wide strip, or of the one vector of a narrow strip
 */
function sumFunction(name, parameters, table) {
  const scales = parameters === "" ? "" : "(local.get $scales)";
  const entry = (offset) =>
    `(i32.add (local.get $entries) (i32.shl (i32.load offset=${offset} (local.get $start)) (i32.const 2)))`;
  return `  (func $${name} (param $into i32) (param $columns i32)
    (param $table i32) ${parameters} (param $row i32) (param $entry i32) (param $end i32)
    (local $next i32) (local $from i32) ${table.locals ?? ""} ${range(VECTORS)
      .map((v) => `(local $s${v} v128)`)
      .join(" ")}
    (if (i32.ge_u (local.get $entry) (local.get $end)) (then (return)))
    (block $narrow (loop $wide
      (br_if $narrow (i32.lt_s (local.get $columns) (i32.const ${4 * VECTORS})))
${strip(VECTORS, table)}
      (br $wide)))
    (block $done (loop $last
      (br_if $done (i32.lt_s (local.get $columns) (i32.const 4)))
${strip(1, table)}
      (br $last))))
  (func (export "${name}") (param $into i32) (param $intoRow i32) (param $rows i32) (param $columns i32)
    (param $table i32) ${parameters} (param $row i32) (param $start i32) (param $entries i32)
    (block $done (loop $next
      (br_if $done (i32.lt_s (local.get $rows) (i32.const 1)))
      (call $${name} (local.get $into) (local.get $columns) (local.get $table) ${scales} (local.get $row)
        ${entry(0)}
        ${entry(4)})
      (local.set $into (i32.add (local.get $into) (local.get $intoRow)))
      (local.set $start (i32.add (local.get $start) (i32.const 4)))
      (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
      (br $next))))`;
}

/** Adds all rows in one strip of columns, and moves on to the next columns. */
function strip(vectors, table) {
  const lines = [
    ...range(vectors).map((v) => `(local.set $s${v} (v128.load offset=${16 * v} (local.get $into)))`),
    "(local.set $next (local.get $entry))",
    "(loop $rows",
    "(local.set $from (i32.add (local.get $table)",
    "  (i32.mul (local.get $row) (i32.load (local.get $next)))))",
    ...table.begin,
    ...(vectors === 1 ? table.addOne : range(vectors).flatMap(table.add)),
    "(local.set $next (i32.add (local.get $next) (i32.const 4)))",
    "(br_if $rows (i32.lt_u (local.get $next) (local.get $end))))",
    ...range(vectors).map((v) => `(v128.store offset=${16 * v} (local.get $into) (local.get $s${v}))`),
    `(local.set $into (i32.add (local.get $into) (i32.const ${16 * vectors})))`,
    `(local.set $table (i32.add (local.get $table) (i32.const ${4 * vectors * table.bytes})))`,
    `(local.set $columns (i32.sub (local.get $columns) (i32.const ${4 * vectors})))`,
  ];
  return lines.map((line) => `      ${line}`).join("\n");
}
