  ;; Rounds $m rows of $n floats (a multiple of 4), $fromRow bytes apart, to 16-bit integers up to $most in
  ;; absolute value, at most 2^14, row after row from address $into on; writes what they are to be multiplied with, a
  ;; float a row, from $scale on. Rounds to the nearest integer, ties to even: the sum of a float and 1.5 · 2^23 has
  ;; the integer in its last bits.
  (func $roundRows (export "roundRows") (param $into i32) (param $from i32) (param $m i32) (param $n i32)
    (param $fromRow i32) (param $scale i32) (param $most f32)
    (local $at i32) (local $end i32) (local $v v128) (local $w v128) (local $largest f32)
    (local $magic v128) (local $factor f32)
    (local.set $magic (f32x4.splat (f32.const 12582912)))
    (block $done (loop $next
      (br_if $done (i32.lt_s (local.get $m) (i32.const 1)))
      (local.set $end (i32.add (local.get $from) (i32.mul (local.get $n) (i32.const 4))))
      (local.set $at (local.get $from))
      (local.set $v (v128.const i32x4 0 0 0 0))
      (block $seen (loop $see
        (br_if $seen (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $v (f32x4.pmax (local.get $v) (f32x4.abs (v128.load (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $see)))
      (local.set $v
        (f32x4.pmax (local.get $v)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $v) (local.get $v))))
      (local.set $largest
        (f32.max (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v))))
      (f32.store (local.get $scale) (f32.div (local.get $largest) (local.get $most)))
      ;; A row of zeros, or of entries so small that the factor is infinite, becomes zeros.
      (local.set $factor (f32.div (local.get $most) (local.get $largest)))
      (local.set $w
        (f32x4.splat
          (select (local.get $factor) (f32.const 0) (f32.lt (local.get $factor) (f32.const inf)))))
      (local.set $at (local.get $from))
      (block $rounded (loop $round
        (br_if $rounded (i32.gt_u (i32.add (local.get $at) (i32.const 32)) (local.get $end)))
        (v128.store (local.get $into)
          (i16x8.narrow_i32x4_s
            (i32x4.sub
              (f32x4.add (local.get $magic) (f32x4.mul (local.get $w) (v128.load (local.get $at))))
              (local.get $magic))
            (i32x4.sub
              (f32x4.add (local.get $magic) (f32x4.mul (local.get $w) (v128.load offset=16 (local.get $at))))
              (local.get $magic))))
        (local.set $into (i32.add (local.get $into) (i32.const 16)))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br $round)))
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (local.set $v
            (i32x4.sub
              (f32x4.add (local.get $magic) (f32x4.mul (local.get $w) (v128.load (local.get $at))))
              (local.get $magic)))
          (v128.store64_lane 0 (local.get $into) (i16x8.narrow_i32x4_s (local.get $v) (local.get $v)))
          (local.set $into (i32.add (local.get $into) (i32.const 8)))))
      (local.set $from (i32.add (local.get $from) (local.get $fromRow)))
      (local.set $scale (i32.add (local.get $scale) (i32.const 4)))
      (local.set $m (i32.sub (local.get $m) (i32.const 1)))
      (br $next))))
