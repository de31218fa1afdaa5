  ;; Replaces $length floats (a multiple of 4) from address $at on by their leaky rectified values: $leak times what is
  ;; negative, the product rounded to 64 bits, then to 32.
  (func (export "leakyRelu") (param $at i32) (param $length i32) (param $leak f64)
    (local $end i32) (local $v v128) (local $leaks v128)
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $length) (i32.const 2))))
    (local.set $leaks (f64x2.splat (local.get $leak)))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $v (v128.load (local.get $at)))
      (v128.store (local.get $at)
        (v128.bitselect
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (f32x4.demote_f64x2_zero
              (f64x2.mul (local.get $leaks) (f64x2.promote_low_f32x4 (local.get $v))))
            (f32x4.demote_f64x2_zero
              (f64x2.mul (local.get $leaks)
                (f64x2.promote_low_f32x4
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $v) (local.get $v))))))
          (local.get $v)
          (f32x4.lt (local.get $v) (v128.const f32x4 0 0 0 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $next))))
  ;; Writes leaky rectified sums of pairs of rows of $width bytes (a multiple of 16), a row each from address $into on.
  ;; A pair is two 32-bit integers, from $pair up to before $end: a row from address $first on, and one from $second on,
  ;; $row bytes apart. Sums and products have 64 bits.
  (func (export "pairRows") (param $into i32) (param $first i32) (param $second i32) (param $row i32)
    (param $width i32) (param $pair i32) (param $end i32) (param $leak f64)
    (local $a i32) (local $b i32) (local $stop i32) (local $leaks v128) (local $zero v128)
    (local $x v128) (local $y v128) (local $low v128) (local $high v128)
    (local.set $leaks (f64x2.splat (local.get $leak)))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $pair) (local.get $end)))
      (local.set $a
        (i32.add (local.get $first) (i32.mul (i32.load (local.get $pair)) (local.get $row))))
      (local.set $b
        (i32.add (local.get $second) (i32.mul (i32.load offset=4 (local.get $pair)) (local.get $row))))
      (local.set $stop (i32.add (local.get $a) (local.get $width)))
      (block $rowDone (loop $nextUnits
        (br_if $rowDone (i32.ge_u (local.get $a) (local.get $stop)))
        (local.set $x (v128.load (local.get $a)))
        (local.set $y (v128.load (local.get $b)))
        (local.set $low
          (f64x2.add (f64x2.promote_low_f32x4 (local.get $x)) (f64x2.promote_low_f32x4 (local.get $y))))
        (local.set $high
          (f64x2.add
            (f64x2.promote_low_f32x4
              (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $x) (local.get $x)))
            (f64x2.promote_low_f32x4
              (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $y) (local.get $y)))))
        (v128.store (local.get $into)
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (f32x4.demote_f64x2_zero
              (v128.bitselect (f64x2.mul (local.get $leaks) (local.get $low)) (local.get $low)
                (f64x2.lt (local.get $low) (local.get $zero))))
            (f32x4.demote_f64x2_zero
              (v128.bitselect (f64x2.mul (local.get $leaks) (local.get $high)) (local.get $high)
                (f64x2.lt (local.get $high) (local.get $zero))))))
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (local.set $into (i32.add (local.get $into) (i32.const 16)))
        (br $nextUnits)))
      (local.set $pair (i32.add (local.get $pair) (i32.const 8)))
      (br $next))))
