  ;; The backward pass of a step of a long short-term memory: replaces the gates by the gradients of their
  ;; sums, and adds to the gradients of the previous cells. $ofState and $ofCell are the addresses of the gradients of
  ;; states and cells, $ofBefore the address of the gradients of the previous cells, read where $before is not -1.
  (func (export "cellBack") (param $gate i32) (param $before i32) (param $tangent i32)
    (param $ofState i32) (param $ofCell i32) (param $ofBefore i32) (param $width i32)
    (local $k i32) (local $at i32) (local $one v128) (local $input v128) (local $forget v128)
    (local $candidate v128) (local $output v128) (local $t v128) (local $state v128) (local $into v128)
    (local $earlier v128)
    (local.set $one (f32x4.splat (f32.const 1)))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $k) (local.get $width)))
      (local.set $at (i32.add (local.get $gate) (local.get $k)))
      (local.set $input (v128.load (local.get $at)))
      (local.set $at (i32.add (local.get $at) (local.get $width)))
      (local.set $forget (v128.load (local.get $at)))
      (local.set $at (i32.add (local.get $at) (local.get $width)))
      (local.set $candidate (v128.load (local.get $at)))
      (local.set $at (i32.add (local.get $at) (local.get $width)))
      (local.set $output (v128.load (local.get $at)))
      (local.set $t (v128.load (i32.add (local.get $tangent) (local.get $k))))
      (local.set $state (v128.load (i32.add (local.get $ofState) (local.get $k))))
      (local.set $into
        (f32x4.add
          (v128.load (i32.add (local.get $ofCell) (local.get $k)))
          (f32x4.mul
            (f32x4.mul (local.get $state) (local.get $output))
            (f32x4.sub (local.get $one) (f32x4.mul (local.get $t) (local.get $t))))))
      (v128.store (local.get $at)
        (f32x4.mul
          (f32x4.mul (local.get $state) (local.get $t))
          (f32x4.mul (local.get $output) (f32x4.sub (local.get $one) (local.get $output)))))
      (local.set $at (i32.sub (local.get $at) (local.get $width)))
      (v128.store (local.get $at)
        (f32x4.mul
          (f32x4.mul (local.get $into) (local.get $input))
          (f32x4.sub (local.get $one) (f32x4.mul (local.get $candidate) (local.get $candidate)))))
      (local.set $earlier (v128.const f32x4 0 0 0 0))
      (if (i32.ne (local.get $before) (i32.const -1))
        (then
          (local.set $earlier (v128.load (i32.add (local.get $before) (local.get $k))))
          (v128.store
            (i32.add (local.get $ofBefore) (local.get $k))
            (f32x4.add
              (v128.load (i32.add (local.get $ofBefore) (local.get $k)))
              (f32x4.mul (local.get $into) (local.get $forget))))))
      (local.set $at (i32.sub (local.get $at) (local.get $width)))
      (v128.store (local.get $at)
        (f32x4.mul
          (f32x4.mul (local.get $into) (local.get $earlier))
          (f32x4.mul (local.get $forget) (f32x4.sub (local.get $one) (local.get $forget)))))
      (local.set $at (i32.sub (local.get $at) (local.get $width)))
      (v128.store (local.get $at)
        (f32x4.mul
          (f32x4.mul (local.get $into) (local.get $candidate))
          (f32x4.mul (local.get $input) (f32x4.sub (local.get $one) (local.get $input)))))
      (local.set $k (i32.add (local.get $k) (i32.const 16)))
      (br $next))))
