  ;; Writes the terms of scores of arcs that depend on the head alone, and on its distance from the modifier: the score
  ;; of head h for modifier m, of $length positions, is at $scores + m $row + 4 h. $heads has the units of all heads, a
  ;; row for each unit, $row bytes apart, and $weights the weights of the $units. $middle is the address of the weight
  ;; of distance 0; distances beyond $most count as $most. $alone has space for a 64-bit float a position, in whole
  ;; vectors of four. Sums have 64 bits.
  (func (export "headScores") (param $scores i32) (param $row i32) (param $heads i32) (param $weights i32)
    (param $units i32) (param $middle i32) (param $most i32) (param $length i32) (param $alone i32)
    (local $h i32) (local $m i32) (local $at i32) (local $k i32) (local $distance i32) (local $w v128)
    (local $x v128) (local $low v128) (local $high v128)
    (block $summed (loop $nextHeads
      (br_if $summed (i32.ge_u (local.get $h) (local.get $length)))
      (local.set $low (v128.const f64x2 0 0))
      (local.set $high (v128.const f64x2 0 0))
      (local.set $at (i32.add (local.get $heads) (i32.shl (local.get $h) (i32.const 2))))
      (local.set $k (i32.const 0))
      (block $unitsDone (loop $nextUnit
        (br_if $unitsDone (i32.ge_u (local.get $k) (local.get $units)))
        (local.set $w
          (f64x2.splat
            (f64.promote_f32
              (f32.load (i32.add (local.get $weights) (i32.shl (local.get $k) (i32.const 2)))))))
        (local.set $x (v128.load (local.get $at)))
        (local.set $low
          (f64x2.add (local.get $low) (f64x2.mul (local.get $w) (f64x2.promote_low_f32x4 (local.get $x)))))
        (local.set $high
          (f64x2.add (local.get $high)
            (f64x2.mul (local.get $w)
              (f64x2.promote_low_f32x4
                (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $x) (local.get $x))))))
        (local.set $at (i32.add (local.get $at) (local.get $row)))
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br $nextUnit)))
      (local.set $at (i32.add (local.get $alone) (i32.shl (local.get $h) (i32.const 3))))
      (v128.store (local.get $at) (local.get $low))
      (v128.store offset=16 (local.get $at) (local.get $high))
      (local.set $h (i32.add (local.get $h) (i32.const 4)))
      (br $nextHeads)))
    (block $done (loop $nextModifier
      (br_if $done (i32.ge_u (local.get $m) (local.get $length)))
      (local.set $h (i32.const 0))
      (block $rowDone (loop $nextHead
        (br_if $rowDone (i32.ge_u (local.get $h) (local.get $length)))
        (local.set $distance (i32.sub (local.get $h) (local.get $m)))
        (local.set $distance
          (select (local.get $most) (local.get $distance) (i32.gt_s (local.get $distance) (local.get $most))))
        (local.set $distance
          (select (i32.sub (i32.const 0) (local.get $most)) (local.get $distance)
            (i32.lt_s (local.get $distance) (i32.sub (i32.const 0) (local.get $most)))))
        (f32.store (i32.add (local.get $scores) (i32.shl (local.get $h) (i32.const 2)))
          (f32.demote_f64
            (f64.add
              (f64.load (i32.add (local.get $alone) (i32.shl (local.get $h) (i32.const 3))))
              (f64.promote_f32
                (f32.load (i32.add (local.get $middle) (i32.shl (local.get $distance) (i32.const 2))))))))
        (local.set $h (i32.add (local.get $h) (i32.const 1)))
        (br $nextHead)))
      (local.set $scores (i32.add (local.get $scores) (local.get $row)))
      (local.set $m (i32.add (local.get $m) (i32.const 1)))
      (br $nextModifier))))
