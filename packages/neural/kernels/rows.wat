  ;; Copies rows of $width bytes (a multiple of 16): the rows whose numbers, 32-bit integers, are from $entry up to
  ;; before $end, of those from address $from on, $fromRow bytes apart, to rows from $into on.
  (func (export "copyRows") (param $into i32) (param $intoRow i32) (param $from i32) (param $fromRow i32)
    (param $width i32) (param $entry i32) (param $end i32)
    (local $at i32) (local $source i32) (local $stop i32)
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $entry) (local.get $end)))
      (local.set $at (local.get $into))
      (local.set $source
        (i32.add (local.get $from) (i32.mul (i32.load (local.get $entry)) (local.get $fromRow))))
      (local.set $stop (i32.add (local.get $into) (local.get $width)))
      (block $rowDone (loop $nextVector
        (br_if $rowDone (i32.ge_u (local.get $at) (local.get $stop)))
        (v128.store (local.get $at) (v128.load (local.get $source)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $source (i32.add (local.get $source) (i32.const 16)))
        (br $nextVector)))
      (local.set $into (i32.add (local.get $into) (local.get $intoRow)))
      (local.set $entry (i32.add (local.get $entry) (i32.const 4)))
      (br $next))))
  ;; Copies a row of $width bytes (a multiple of 16) to $rows rows.
  (func (export "fillRows") (param $into i32) (param $intoRow i32) (param $row i32) (param $rows i32)
    (param $width i32)
    (local $at i32) (local $source i32) (local $stop i32)
    (block $done (loop $next
      (br_if $done (i32.lt_s (local.get $rows) (i32.const 1)))
      (local.set $at (local.get $into))
      (local.set $source (local.get $row))
      (local.set $stop (i32.add (local.get $into) (local.get $width)))
      (block $rowDone (loop $nextVector
        (br_if $rowDone (i32.ge_u (local.get $at) (local.get $stop)))
        (v128.store (local.get $at) (v128.load (local.get $source)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $source (i32.add (local.get $source) (i32.const 16)))
        (br $nextVector)))
      (local.set $into (i32.add (local.get $into) (local.get $intoRow)))
      (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
      (br $next))))
  ;; Writes the transpose of $rows rows of $columns floats. Rows are $fromRow and $intoRow bytes apart.
  (func (export "transpose") (param $into i32) (param $intoRow i32) (param $from i32) (param $fromRow i32)
    (param $rows i32) (param $columns i32)
    (local $at i32) (local $source i32) (local $stop i32)
    (block $done (loop $next
      (br_if $done (i32.lt_s (local.get $rows) (i32.const 1)))
      (local.set $at (local.get $into))
      (local.set $source (local.get $from))
      (local.set $stop (i32.add (local.get $from) (i32.shl (local.get $columns) (i32.const 2))))
      (block $rowDone (loop $nextEntry
        (br_if $rowDone (i32.ge_u (local.get $source) (local.get $stop)))
        (f32.store (local.get $at) (f32.load (local.get $source)))
        (local.set $at (i32.add (local.get $at) (local.get $intoRow)))
        (local.set $source (i32.add (local.get $source) (i32.const 4)))
        (br $nextEntry)))
      (local.set $into (i32.add (local.get $into) (i32.const 4)))
      (local.set $from (i32.add (local.get $from) (local.get $fromRow)))
      (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
      (br $next))))
