  ;; C += A B for $m rows, $n columns (a multiple of 4) and $k products an entry. Addresses and strides are in
  ;; bytes. A has a stride for rows and one for columns, so that a transpose is another pair of strides. Rows
  ;; are done four at a time, then two, then one, by the tile functions. Each entry of C is a sum in the order
  ;; of k: same bits everywhere.
  (func (export "multiply") (param $c i32) (param $a i32) (param $b i32) (param $m i32) (param $n i32)
    (param $k i32)
    (param $aRow i32) (param $aColumn i32) (param $bRow i32) (param $cRow i32)
    (if (i32.lt_s (local.get $k) (i32.const 1)) (then (return)))
    (block $done4 (loop $next4
      (br_if $done4 (i32.lt_s (local.get $m) (i32.const 4)))
      (call $rows4 (local.get $c) (local.get $a) (local.get $b) (local.get $n) (local.get $k)
        (local.get $aRow) (local.get $aColumn) (local.get $bRow) (local.get $cRow))
      (local.set $c (i32.add (local.get $c) (i32.mul (local.get $cRow) (i32.const 4))))
      (local.set $a (i32.add (local.get $a) (i32.mul (local.get $aRow) (i32.const 4))))
      (local.set $m (i32.sub (local.get $m) (i32.const 4)))
      (br $next4)))
    (block $done2 (loop $next2
      (br_if $done2 (i32.lt_s (local.get $m) (i32.const 2)))
      (call $rows2 (local.get $c) (local.get $a) (local.get $b) (local.get $n) (local.get $k)
        (local.get $aRow) (local.get $aColumn) (local.get $bRow) (local.get $cRow))
      (local.set $c (i32.add (local.get $c) (i32.mul (local.get $cRow) (i32.const 2))))
      (local.set $a (i32.add (local.get $a) (i32.mul (local.get $aRow) (i32.const 2))))
      (local.set $m (i32.sub (local.get $m) (i32.const 2)))
      (br $next2)))
    (block $done1 (loop $next1
      (br_if $done1 (i32.lt_s (local.get $m) (i32.const 1)))
      (call $rows1 (local.get $c) (local.get $a) (local.get $b) (local.get $n) (local.get $k)
        (local.get $aRow) (local.get $aColumn) (local.get $bRow) (local.get $cRow))
      (local.set $c (i32.add (local.get $c) (i32.mul (local.get $cRow) (i32.const 1))))
      (local.set $a (i32.add (local.get $a) (i32.mul (local.get $aRow) (i32.const 1))))
      (local.set $m (i32.sub (local.get $m) (i32.const 1)))
      (br $next1))))
