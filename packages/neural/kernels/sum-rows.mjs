/**
 * The kernel `sumRows` as WebAssembly text. The text is generated because a row is done in wide strips, whose
 * sums stay in registers, and then in strips of one vector.
 */

/** Vectors of 4 columns in a wide strip. */
const VECTORS = 8;

const range = (count) => Array.from({ length: count }, (_, i) => i);

/**
 * Adds rows of a table to $columns columns (a multiple of 4) at address $into: those whose numbers, 32-bit
 * integers, are at $entry up to before $end, in this order. $table is the address of row 0, $row the length
 * of a row in bytes.
 */
export function sumRowsFunction() {
  return `  (func (export "sumRows") (param $into i32) (param $columns i32)
    (param $table i32) (param $row i32) (param $entry i32) (param $end i32)
    (local $next i32) (local $from i32) ${range(VECTORS)
      .map((v) => `(local $s${v} v128)`)
      .join(" ")}
    (if (i32.ge_u (local.get $entry) (local.get $end)) (then (return)))
    (block $narrow (loop $wide
      (br_if $narrow (i32.lt_s (local.get $columns) (i32.const ${4 * VECTORS})))
${strip(VECTORS)}
      (br $wide)))
    (block $done (loop $last
      (br_if $done (i32.lt_s (local.get $columns) (i32.const 4)))
${strip(1)}
      (br $last))))`;
}

/** Adds all rows in one strip of columns, and moves on to the next columns. */
function strip(vectors) {
  const lines = [
    ...range(vectors).map((v) => `(local.set $s${v} (v128.load offset=${16 * v} (local.get $into)))`),
    "(local.set $next (local.get $entry))",
    "(loop $rows",
    "(local.set $from (i32.add (local.get $table)",
    "  (i32.mul (local.get $row) (i32.load (local.get $next)))))",
    ...range(vectors).map((v) => {
      const entries = `(v128.load offset=${16 * v} (local.get $from))`;
      return `(local.set $s${v} (f32x4.add (local.get $s${v}) ${entries}))`;
    }),
    "(local.set $next (i32.add (local.get $next) (i32.const 4)))",
    "(br_if $rows (i32.lt_u (local.get $next) (local.get $end))))",
    ...range(vectors).map((v) => `(v128.store offset=${16 * v} (local.get $into) (local.get $s${v}))`),
    `(local.set $into (i32.add (local.get $into) (i32.const ${16 * vectors})))`,
    `(local.set $table (i32.add (local.get $table) (i32.const ${16 * vectors})))`,
    `(local.set $columns (i32.sub (local.get $columns) (i32.const ${4 * vectors})))`,
  ];
  return lines.map((line) => `      ${line}`).join("\n");
}
