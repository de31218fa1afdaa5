  ;; A step of Adam for $length parameters (a multiple of 4) from address $at on. $gradients, $means and
  ;; $squares are the distances in bytes from a parameter to its gradient, the mean of its gradients and that
  ;; of their squares:
  ;;
  ;;   gradient  = $factor * gradient, then cleared in memory
  ;;   mean      = $decay * mean + (1 - $decay) * gradient
  ;;   square    = $squareDecay * square + (1 - $squareDecay) * gradient^2
  ;;   parameter = parameter - $rate * mean / (sqrt(square * $correction) + $epsilon)
  (func (export "adam") (param $at i32) (param $length i32)
    (param $gradients i32) (param $means i32) (param $squares i32)
    (param $factor f32) (param $decay f32) (param $squareDecay f32)
    (param $rate f32) (param $correction f32) (param $epsilon f32)
    (local $end i32) (local $gradient v128) (local $mean v128) (local $square v128)
    (local $factors v128) (local $decays v128) (local $squareDecays v128) (local $rates v128)
    (local $corrections v128) (local $epsilons v128)
    (local.set $factors (f32x4.splat (local.get $factor)))
    (local.set $decays (f32x4.splat (local.get $decay)))
    (local.set $squareDecays (f32x4.splat (local.get $squareDecay)))
    (local.set $rates (f32x4.splat (local.get $rate)))
    (local.set $corrections (f32x4.splat (local.get $correction)))
    (local.set $epsilons (f32x4.splat (local.get $epsilon)))
    (local.set $end (i32.add (local.get $at) (i32.mul (local.get $length) (i32.const 4))))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $gradient
        (f32x4.mul (local.get $factors) (v128.load (i32.add (local.get $at) (local.get $gradients)))))
      (v128.store (i32.add (local.get $at) (local.get $gradients)) (v128.const f32x4 0 0 0 0))
      (local.set $mean
        (f32x4.add
          (f32x4.mul (local.get $decays) (v128.load (i32.add (local.get $at) (local.get $means))))
          (f32x4.mul (f32x4.sub (f32x4.splat (f32.const 1)) (local.get $decays)) (local.get $gradient))))
      (local.set $square
        (f32x4.add
          (f32x4.mul (local.get $squareDecays) (v128.load (i32.add (local.get $at) (local.get $squares))))
          (f32x4.mul
            (f32x4.sub (f32x4.splat (f32.const 1)) (local.get $squareDecays))
            (f32x4.mul (local.get $gradient) (local.get $gradient)))))
      (v128.store (i32.add (local.get $at) (local.get $means)) (local.get $mean))
      (v128.store (i32.add (local.get $at) (local.get $squares)) (local.get $square))
      (v128.store (local.get $at)
        (f32x4.sub
          (v128.load (local.get $at))
          (f32x4.div
            (f32x4.mul (local.get $rates) (local.get $mean))
            (f32x4.add
              (f32x4.sqrt (f32x4.mul (local.get $square) (local.get $corrections)))
              (local.get $epsilons)))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $next))))
