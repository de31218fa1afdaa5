/**
 * The kernel `cell` as WebAssembly text: a step of a long short-term memory. The text is generated because
 * the five hyperbolic tangents of a step are written out in line: calls of a function take longer.
 */

const GATES = ["input", "forget", "candidate", "output"];

const NEXT_GATE = "\n      (local.set $at (i32.add (local.get $at) (local.get $width)))\n";

const local = (name) => `(local.get $${name})`;
const all = (number) => `(f32x4.splat (f32.const ${number}))`;
const add = (x, y) => `(f32x4.add ${x} ${y})`;
const multiply = (x, y) => `(f32x4.mul ${x} ${y})`;
/** sum + x y, the product rounded, then the sum. */
const plus = (sum, x, y) => add(sum, multiply(x, y));
const move = (name, by) => `      (local.set $${name} (i32.add ${local(name)} ${local(by)}))`;
const divide = (x, y) => `(f32x4.div ${x} ${y})`;

/**
 * One step of $rows sequences, for $width bytes of units each. $gate is the address of the sums of the input
 * gate, followed by the sums of the forget gate, the candidate and the output gate, which are replaced by their
 * values; $before is the address of the previous cells, -1 for none, which may be the address of the cells. Gates
 * and states have rows $gateRow and $stateRow bytes apart; other rows follow each other.
 */
export function cellFunction() {
  const before = "(v128.load (i32.add (local.get $before) (local.get $k)))";
  return `  (func $cell (export "cell") (param $gate i32) (param $before i32)
    (param $cell i32) (param $tangent i32) (param $state i32) (param $width i32)
    (param $rows i32) (param $gateRow i32) (param $stateRow i32)
    (local $k i32) (local $at i32) (local $x v128) (local $s v128) (local $t v128) (local $now v128)
    ${GATES.map((gate) => `(local $${gate} v128)`).join(" ")}
    (block $done (loop $nextRow
      (br_if $done (i32.lt_s (local.get $rows) (i32.const 1)))
      (local.set $k (i32.const 0))
      (block $rowDone (loop $next
      (br_if $rowDone (i32.ge_u (local.get $k) (local.get $width)))
      (local.set $at (i32.add (local.get $gate) (local.get $k)))
${GATES.map((gate) => gateValue(gate)).join(NEXT_GATE)}
      (local.set $now ${multiply(local("input"), local("candidate"))})
      (if (i32.ne (local.get $before) (i32.const -1))
        (then (local.set $now ${plus(local("now"), local("forget"), before)})))
      (v128.store (i32.add (local.get $cell) (local.get $k)) (local.get $now))
      (local.set $x (local.get $now))
${tanh()}
      (v128.store (i32.add (local.get $tangent) (local.get $k)) (local.get $t))
      (v128.store (i32.add (local.get $state) (local.get $k)) ${multiply(local("output"), local("t"))})
      (local.set $k (i32.add (local.get $k) (i32.const 16)))
      (br $next)))
${["cell", "tangent"].map((name) => move(name, "width")).join("\n")}
${move("gate", "gateRow")}
${move("state", "stateRow")}
      (if (i32.ne (local.get $before) (i32.const -1)) (then ${move("before", "width")}))
      (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
      (br $nextRow))))`;
}

/** Replaces the sums of a gate at $at by its values, and sets its local to them; tanh of the candidate. */
function gateValue(gate) {
  const isSigmoid = gate !== "candidate";
  const sums = "(v128.load (local.get $at))";
  return `      (local.set $x ${isSigmoid ? multiply(all(0.5), sums) : sums})
${tanh()}
      (local.set $${gate} ${isSigmoid ? plus(all(0.5), all(0.5), local("t")) : local("t")})
      (v128.store (local.get $at) (local.get $${gate}))`;
}

/**
 * Sets $t to the hyperbolic tangents of $x: Lambert's continued fraction at a quarter of x, then the formula
 * for double arguments twice, as `tanh` of `functions.ts`. `pmin` and `pmax` are one instruction each.
 */
function tanh() {
  const [x, s, t] = ["x", "s", "t"].map(local);
  const clamped = `(f32x4.pmax (f32x4.pmin ${x} ${all(10)}) ${all(-10)})`;
  const numerator = plus(all(135135), s, plus(all(17325), s, add(all(378), s)));
  const denominator = plus(all(135135), s, plus(all(62370), s, plus(all(3150), all(28), s)));
  const twice = divide(add(t, t), plus(all(1), t, t));
  return `      (local.set $x ${multiply(all(0.25), clamped)})
      (local.set $s ${multiply(x, x)})
      (local.set $t ${divide(multiply(x, numerator), denominator)})
      (local.set $t ${twice})
      (local.set $t ${twice})`;
}
