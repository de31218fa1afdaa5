import { ActiveSet } from "./active-set.ts";
import type { DualBound } from "./bound.ts";
import { projectConstraint } from "./constraint-projection.ts";
import type { Layout } from "./layout.ts";

/** The state of a run, from which a run with other potentials can start. */
export interface WarmStart {
  readonly eta: number;
  /** Per variable. */
  readonly means: Float64Array;
  /** Per link, in the order of the solver. */
  readonly multipliers: Float64Array;
}

/** Smaller changes are ignored: a factor whose inputs changed less is not solved again. */
const STILL = 1e-12;

/**
 * The state of the alternating directions method, and its two halves. Each link has a copy p of its variable,
 * which its factor owns, and a multiplier; each variable has a mean u. With log-potentials t, degrees d,
 * multipliers m and step size eta, an iteration is
 *
 *     p of a factor  = its nearest point to  u + (t / d + m) / eta   (additional potentials counted once)
 *     u of a variable = mean of its copies
 *     m              -= eta (p - u)
 *
 * The stored quantity is s = (t / d + m) / eta, so that the third line is s += u - p. It is done together
 * with the first line of the next iteration: every link is visited once per iteration.
 */
export class Messages {
  readonly layout: Layout;
  eta: number;
  /** Per variable. */
  readonly mean: Float64Array;
  readonly fixed: Int8Array;
  /** Per link. */
  readonly copy: Float64Array;
  readonly scaled: Float64Array;
  /** Per factor that is generic. */
  readonly activeSets: readonly (ActiveSet | undefined)[];
  /** Sum over links of (p - u)², before the multipliers moved; sum over variables of d (u - u before)². */
  primal = Infinity;
  dual = Infinity;
  /** No assignment satisfies some factor. */
  infeasible = false;
  /** Per variable: the sum of its copies while factors are solved, 0 between iterations. */
  readonly #sum: Float64Array;
  readonly #shift: Float64Array;
  readonly #inverseDegree: Float64Array;
  readonly #gathered: Float64Array;
  readonly #scratch: Float64Array;
  readonly #shares: Float64Array;

  constructor(layout: Layout, eta: number) {
    this.layout = layout;
    this.eta = eta;
    const { variables, links, widest, degree, maximizers } = layout;
    this.mean = new Float64Array(variables);
    this.#sum = new Float64Array(variables);
    this.#shift = new Float64Array(variables);
    this.fixed = layout.fixed.slice();
    this.#inverseDegree = degree.map((d) => (d > 0 ? 1 / d : 0));
    this.copy = new Float64Array(links);
    this.scaled = new Float64Array(links);
    this.#shares = new Float64Array(links);
    this.#gathered = new Float64Array(widest);
    this.#scratch = new Float64Array(2 * widest);
    this.activeSets = maximizers.map((maximizer) =>
      maximizer === undefined ? undefined : new ActiveSet(maximizer),
    );
    this.reset(eta);
  }

  /** Means of 1/2, no multipliers. */
  reset(eta: number): void {
    const { layout, mean, fixed, copy, scaled } = this;
    const shift = this.#shift;
    this.eta = eta;
    this.infeasible = false;
    const { variables, links, variable, potential, degree } = layout;
    for (let v = 0; v < variables; v++) {
      mean[v] = fixed[v] >= 0 ? fixed[v] : degree[v] > 0 ? 0.5 : potential[v] > 0 ? 1 : 0;
    }
    for (let l = 0; l < links; l++) {
      const v = variable[l];
      copy[l] = mean[v];
      scaled[l] = potential[v] / (degree[v] * eta);
    }
    shift.fill(1);
    for (const set of this.activeSets) set?.clear();
  }

  /** Changes the step size; multipliers stay what they are. O(links). */
  setEta(eta: number): void {
    const { mean, copy, scaled } = this;
    const shift = this.#shift;
    const { links, variable } = this.layout;
    const ratio = this.eta / eta;
    for (let l = 0; l < links; l++) {
      const step = mean[variable[l]] - copy[l];
      scaled[l] = (scaled[l] + step) * ratio - step;
    }
    shift.fill(1);
    this.eta = eta;
  }

  /**
   * One iteration. Afterwards `dual` is the bound of this iteration, `primal` the value of the previous one.
   */
  iterate(): void {
    this.primal = 0;
    this.#solvePairs();
    const { pairs, generic, factors } = this.layout;
    this.#solve(pairs, generic);
    this.#solve(generic, factors);
    this.#average();
  }

  /** Returns the dual function at the multipliers after this iteration. O(links) and the factors' maxima. */
  boundOf(dualBound: DualBound): number {
    const { mean, copy, scaled } = this;
    const shares = this.#shares;
    const { links, variable } = this.layout;
    for (let l = 0; l < links; l++) shares[l] = scaled[l] + mean[variable[l]] - copy[l];
    return dualBound.evaluate(shares, this.eta, this.fixed);
  }

  /** Returns the state for `restore`. */
  save(): WarmStart {
    return { eta: this.eta, means: this.mean.slice(), multipliers: this.saveMultipliers() };
  }

  /** Returns the multipliers alone. */
  saveMultipliers(): Float64Array {
    const { mean, copy, scaled, eta } = this;
    const inverseDegree = this.#inverseDegree;
    const { links, variable, potential } = this.layout;
    const multipliers = new Float64Array(links);
    for (let l = 0; l < links; l++) {
      const v = variable[l];
      multipliers[l] = eta * (scaled[l] + mean[v] - copy[l]) - potential[v] * inverseDegree[v];
    }
    return multipliers;
  }

  /**
   * Sets the multipliers of a variable that has just been fixed, which may have any value, so that factors
   * comply. O(links).
   */
  force(fixedVariable: number): void {
    const { scaled, fixed, eta, layout } = this;
    const { links, variable } = layout;
    const push = (1 + 4 * layout.largest) / eta;
    for (let l = 0; l < links; l++) {
      if (variable[l] === fixedVariable) scaled[l] = fixed[fixedVariable] === 1 ? push : -push;
    }
  }

  /**
   * Restores means and multipliers of another run, for the potentials of this one. Multipliers of a free
   * variable must sum to 0, which no iteration changes: their sum is subtracted.
   */
  restore({ eta, means, multipliers }: WarmStart): void {
    const { mean, copy, scaled, fixed } = this;
    const shift = this.#shift;
    const sum = this.#sum;
    const inverseDegree = this.#inverseDegree;
    const { variables, links, variable, potential } = this.layout;
    expectCount("means", means.length, variables);
    expectCount("multipliers", multipliers.length, links);
    this.eta = eta;
    sum.fill(0);
    for (let l = 0; l < links; l++) sum[variable[l]] += multipliers[l];
    for (let v = 0; v < variables; v++) mean[v] = fixed[v] >= 0 ? fixed[v] : means[v];
    for (let l = 0; l < links; l++) {
      const v = variable[l];
      const excess = fixed[v] >= 0 ? 0 : sum[v];
      copy[l] = mean[v];
      scaled[l] = ((potential[v] - excess) * inverseDegree[v] + multipliers[l]) / eta;
    }
    sum.fill(0);
    shift.fill(1);
  }

  #solvePairs(): void {
    const { mean, copy, scaled } = this;
    const sum = this.#sum;
    const { pairs, variable, pairPotential } = this.layout;
    const inverseEta = 1 / this.eta;
    let primal = 0;
    for (let f = 0, l = 0; f < pairs; f++, l += 2) {
      const v = variable[l];
      const w = variable[l + 1];
      const meanV = mean[v];
      const meanW = mean[w];
      const stepV = meanV - copy[l];
      const stepW = meanW - copy[l + 1];
      const scaledV = scaled[l] + stepV;
      const scaledW = scaled[l + 1] + stepW;
      scaled[l] = scaledV;
      scaled[l + 1] = scaledW;
      primal += stepV * stepV + stepW * stepW;
      // As projectPair, on numbers instead of an array.
      const c = pairPotential[f] * inverseEta;
      let a = meanV + scaledV;
      let b = meanW + scaledW;
      if (c >= 0) {
        if (a > b + c) b += c;
        else if (b > a + c) a += c;
        else {
          a = (a + b + c) / 2;
          b = a;
        }
      } else if (a + b > 1 - 2 * c) {
        a += c;
        b += c;
      } else if (a + b > 1) {
        a = (a + 1 - b) / 2;
        b = 1 - a;
      }
      a = a > 0 ? (a < 1 ? a : 1) : 0;
      b = b > 0 ? (b < 1 ? b : 1) : 0;
      copy[l] = a;
      copy[l + 1] = b;
      sum[v] += a;
      sum[w] += b;
    }
    this.primal += primal;
  }

  /**
   * Updates factors from one to before another: constraints, or factors that have a maximizer. Factors whose inputs
   * have not changed keep their copies.
   */
  #solve(first: number, end: number): void {
    const { mean, copy, scaled, eta, activeSets } = this;
    const sum = this.#sum;
    const shift = this.#shift;
    const gathered = this.#gathered;
    const scratch = this.#scratch;
    const { variable, start, flip, potentials } = this.layout;
    let primal = 0;
    for (let f = first; f < end; f++) {
      const from = start[f];
      const to = start[f + 1];
      let moved = 0;
      for (let l = from; l < to; l++) {
        const v = variable[l];
        const u = mean[v];
        const step = u - copy[l];
        const square = step * step;
        const own = scaled[l] + step;
        scaled[l] = own;
        primal += square;
        if (square > moved) moved = square;
        if (shift[v] > moved) moved = shift[v];
        gathered[l - from] = flip[l] === 1 ? 1 - (u + own) : u + own;
      }
      if (moved <= STILL * STILL) {
        for (let l = from; l < to; l++) sum[variable[l]] += copy[l];
        continue;
      }
      const set = activeSets[f];
      let nearest = gathered;
      if (set === undefined) {
        if (!projectConstraint(this.layout, f, eta, gathered, scratch)) this.infeasible = true;
      } else {
        for (let i = 0; i < to - from; i++) set.input[i] = eta * gathered[i];
        if (!set.solve(potentials[f]!, eta)) this.infeasible = true;
        nearest = set.output;
      }
      for (let l = from; l < to; l++) {
        const result = flip[l] === 1 ? 1 - nearest[l - from] : nearest[l - from];
        copy[l] = result;
        sum[variable[l]] += result;
      }
    }
    this.primal += primal;
  }

  #average(): void {
    const { mean, fixed } = this;
    const sum = this.#sum;
    const shift = this.#shift;
    const inverseDegree = this.#inverseDegree;
    const { variables, degree } = this.layout;
    let dual = 0;
    for (let v = 0; v < variables; v++) {
      const total = sum[v];
      sum[v] = 0;
      if (fixed[v] >= 0 || degree[v] === 0) {
        shift[v] = 0;
        continue;
      }
      const value = total * inverseDegree[v];
      const step = value - mean[v];
      mean[v] = value;
      shift[v] = step * step;
      dual += degree[v] * step * step;
    }
    this.dual = dual;
  }
}

function expectCount(what: string, found: number, expected: number): void {
  if (found !== expected) throw new RangeError(`a warm start must have ${expected} ${what}, got ${found}`);
}
