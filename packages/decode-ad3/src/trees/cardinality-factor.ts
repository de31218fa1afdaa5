import { ArcFactor } from "./arc-factor.ts";

/**
 * Factor that requires from `fewest` to `most` of its literals to hold; a literal is an arc that is on, or
 * one that is off. It expresses at-most-one, exactly-one, at-least-one and implication. A maximum takes O(k²)
 * for k literals.
 */
export class CardinalityFactor extends ArcFactor {
  #fewest = 0;
  #most = 0;
  #isNegated = new Uint8Array(0);
  #order: number[] = [];

  /** The arcs must differ. Arcs in `negated` hold when they are off. */
  reset(arcs: readonly number[], negated: readonly boolean[], fewest: number, most: number): void {
    this.start(arcs.length, arcs.length);
    this.arcs.set(arcs);
    this.#isNegated = Uint8Array.from(negated, Number);
    this.#fewest = fewest;
    this.#most = Math.min(most, arcs.length);
    this.#order = [...arcs.keys()];
  }

  protected best(potentials: Float64Array, slot: number): number {
    const { places, variables } = this;
    const isNegated = this.#isNegated;
    const order = this.#order;
    const fewest = this.#fewest;
    const most = this.#most;
    const gain = (i: number): number => (isNegated[i] === 1 ? -potentials[i] : potentials[i]);
    // A negated literal of an excluded arc, of potential -Infinity, always holds.
    let sure = 0;
    let value = 0;
    for (let i = 0; i < variables; i++) {
      if (isNegated[i] === 0) continue;
      if (potentials[i] === -Infinity) sure++;
      else value += potentials[i];
    }
    if (sure > most || fewest > most) return -Infinity;
    order.sort((a, b) => (gain(b) === gain(a) ? a - b : gain(b) - gain(a)));
    let holding = sure;
    while (holding < most && (holding < fewest || gain(order[holding]) > 0)) value += gain(order[holding++]);
    const from = slot * this.stride;
    let at = from;
    for (let i = 0; i < variables; i++) {
      const holds = order.indexOf(i) < holding ? 1 : 0;
      if (holds !== isNegated[i]) places[++at] = i;
    }
    places[from] = at - from;
    this.own[slot] = 0;
    return value;
  }

  configure(on: Uint8Array, slot: number): number {
    const { arcs, places, variables } = this;
    const isNegated = this.#isNegated;
    const fewest = this.#fewest;
    const most = this.#most;
    const from = slot * this.stride;
    let at = from;
    let holding = 0;
    for (let i = 0; i < variables; i++) {
      const value = on[arcs[i]];
      if (value === 1) places[++at] = i;
      if (value !== isNegated[i]) holding++;
    }
    places[from] = at - from;
    this.own[slot] = holding >= fewest && holding <= most ? 0 : -Infinity;
    return this.own[slot];
  }
}
