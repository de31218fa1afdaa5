  ;; Makes the steps of a long short-term memory of sequences in lockstep, for $width bytes of units each. A step is four
  ;; 32-bit integers, from $step up to before $end: its first row, the first row of the states read before, the number of
  ;; sequences that continue from there, the first ones of the step; and then the number of all. $gates is the address of
  ;; row 0 of the gates, which have the sums of the inputs; $states of row 0 of the states, which are $statesRow bytes
  ;; apart. $cells and $tangents are rows of the sequences. $weights are the weights of states: floats, or integers if
  ;; $scales is the address of their scales, not 0; $rounded has space for the integers and scales of a step, up to $most
  ;; in absolute value.
  (func (export "lstmSteps") (param $gates i32) (param $cells i32) (param $tangents i32)
    (param $states i32) (param $statesRow i32) (param $width i32) (param $step i32) (param $end i32)
    (param $weights i32) (param $scales i32) (param $rounded i32) (param $most f32)
    (local $gate i32) (local $state i32) (local $earlier i32) (local $continued i32) (local $new i32)
    (local $units i32) (local $gateRow i32) (local $roundedScales i32)
    (local.set $units (i32.shr_u (local.get $width) (i32.const 2)))
    (local.set $gateRow (i32.shl (local.get $width) (i32.const 2)))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $step) (local.get $end)))
      (local.set $gate
        (i32.add (local.get $gates) (i32.mul (i32.load (local.get $step)) (local.get $gateRow))))
      (local.set $state
        (i32.add (local.get $states) (i32.mul (i32.load (local.get $step)) (local.get $statesRow))))
      (local.set $earlier
        (i32.add (local.get $states) (i32.mul (i32.load offset=4 (local.get $step)) (local.get $statesRow))))
      (local.set $continued (i32.load offset=8 (local.get $step)))
      (local.set $new (i32.sub (i32.load offset=12 (local.get $step)) (local.get $continued)))
      (if (i32.gt_s (local.get $continued) (i32.const 0))
        (then
          (if (local.get $scales)
            (then
              (local.set $roundedScales
                (i32.add (local.get $rounded)
                  (i32.mul (local.get $continued) (i32.shl (local.get $units) (i32.const 1)))))
              (call $roundRows (local.get $rounded) (local.get $earlier) (local.get $continued)
                (local.get $units) (local.get $statesRow) (local.get $roundedScales) (local.get $most))
              (call $multiplyIntegers (local.get $continued) (local.get $gate) (local.get $rounded)
                (local.get $weights) (local.get $width) (i32.shr_u (local.get $units) (i32.const 1))
                (i32.shl (local.get $units) (i32.const 1)) (local.get $gateRow) (local.get $roundedScales)
                (local.get $scales)))
            (else
              (call $multiply (local.get $continued) (local.get $gate) (local.get $earlier)
                (local.get $weights) (local.get $width) (local.get $units) (local.get $statesRow) (i32.const 4)
                (local.get $gateRow) (local.get $gateRow))))
          (call $cell (local.get $gate) (local.get $cells) (local.get $cells) (local.get $tangents)
            (local.get $state) (local.get $width) (local.get $continued) (local.get $gateRow)
            (local.get $statesRow))))
      (if (i32.gt_s (local.get $new) (i32.const 0))
        (then
          (call $cell
            (i32.add (local.get $gate) (i32.mul (local.get $continued) (local.get $gateRow)))
            (i32.const -1)
            (i32.add (local.get $cells) (i32.mul (local.get $continued) (local.get $width)))
            (i32.add (local.get $tangents) (i32.mul (local.get $continued) (local.get $width)))
            (i32.add (local.get $state) (i32.mul (local.get $continued) (local.get $statesRow)))
            (local.get $width) (local.get $new) (local.get $gateRow) (local.get $statesRow))))
      (local.set $step (i32.add (local.get $step) (i32.const 16)))
      (br $next))))
