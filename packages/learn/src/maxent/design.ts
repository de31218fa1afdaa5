import { ArcwiseError, describeValue } from "@arcwise/core/errors";
import { checkReceived, iterable, satisfying, string } from "@arcwise/core/options";
import { checkInteger } from "../checks.ts";

/**
 * A sparse design matrix for the classification of contexts. An event is a context with its class; a context
 * is a set of features, each with a value above 0, which is 1 for indicators. There is a weight for each pair
 * of a feature and a class that occur in one event, so that column t of the matrix, the function f_t(x, y) of
 * weight t, has as many non-zeros as its feature has events.
 *
 * Nothing is stored for a non-zero of the matrix: rows and columns follow from the features of the events.
 * Memory is 8 bytes for each feature of each event (24 with values) and 22 for each weight.
 */
export interface MaxentDesign {
  readonly classes: readonly string[];
  readonly features: readonly string[];
  /** Number of events. */
  readonly events: number;
  /** Number of weights. */
  readonly dimension: number;
  /**
   * Number of non-zeros of the matrix: the sum over the weights of the number of events that have their
   * feature.
   */
  readonly nonZeros: number;
  /** Class of each event. */
  readonly eventClass: Uint16Array;
  /** The features of event x are eventFeatures[eventStart[x]] .. [eventStart[x + 1] - 1]. */
  readonly eventStart: Int32Array;
  readonly eventFeatures: Int32Array;
  /** The value of each entry of `eventFeatures`; absent where all are 1. */
  readonly eventValues?: Float64Array | undefined;
  /**
   * The events with feature i, ascending, are featureEvents[featureStart[i]] .. [featureStart[i + 1] - 1].
   */
  readonly featureStart: Int32Array;
  readonly featureEvents: Int32Array;
  /** The value of each entry of `featureEvents`; absent where all are 1. */
  readonly featureValues?: Float64Array | undefined;
  /** The weights of feature i, by ascending class, are weightStart[i] .. weightStart[i + 1] - 1. */
  readonly weightStart: Int32Array;
  readonly weightClass: Uint16Array;
  readonly weightFeature: Int32Array;
  /** Sum of the values of the feature of each weight over the events of its class; for indicators a count. */
  readonly counts: Float64Array;
  /**
   * The weights of class y, by ascending feature, are classWeights[classStart[y]] .. [classStart[y + 1] - 1].
   */
  readonly classStart: Int32Array;
  readonly classWeights: Int32Array;
}

/** Options of a design matrix. */
export interface DesignOptions {
  /** Features that occur in fewer events are left out. Default: 1. */
  readonly cutoff?: number | undefined;
}

/** A feature of an event: the name of an indicator, or a name with a value. */
export type MaxentFeature = string | readonly [name: string, value: number];

/** Class indices have 16 bits. */
const MAX_CLASSES = 65_535;

const PAIR = satisfying(
  "a name, or a name with a value",
  (value) => Array.isArray(value) && typeof value[0] === "string",
);
const FEATURES = iterable<MaxentFeature>("features");

/** Returns the name and the value of a feature. */
function pairOf(feature: MaxentFeature, at: string): readonly [name: string, value: number] {
  if (typeof feature === "string") return [feature, 1];
  checkReceived(PAIR, feature, `${at}: feature`);
  const [name, value] = feature;
  if (typeof value === "number" && value > 0 && value < Infinity) return feature;
  const message = `${at}: feature "${name}": expected a value above 0, got ${describeValue(value)}`;
  throw new ArcwiseError("invalid-data", message, { at });
}

/** Collects events and builds their design matrix. */
export class DesignBuilder {
  readonly #features = new Map<string, number>();
  readonly #classes = new Map<string, number>();
  readonly #eventStart: number[] = [0];
  readonly #eventClass: number[] = [];
  #eventFeatures = new Int32Array(1024);
  /** Values of the features so far; undefined as long as all are 1. */
  #eventValues: number[] | undefined;
  #size = 0;

  /**
   * Adds an event; one that is refused leaves the builder as it was. Of a repeated feature the first one counts.
   *
   * @throws ArcwiseError `invalid-data` with the number of the event, when the class or a feature is not as described, or a
   *   value is not above 0 and finite
   * @throws RangeError beyond 65,535 classes
   */
  add(features: Iterable<MaxentFeature>, label: string): void {
    const at = `event ${this.#eventClass.length + 1}`;
    checkReceived(FEATURES, features, at);
    checkReceived(string, label, `${at}: class`);
    const pairs = Array.from(features, (feature) => pairOf(feature, at));
    if (this.#classes.size === MAX_CLASSES && !this.#classes.has(label))
      throw new RangeError(`expected at most ${MAX_CLASSES} classes`);
    const from = this.#size;
    for (const [name, value] of pairs) {
      const id = numberOf(this.#features, name);
      if (!this.#has(id, from)) this.#append(id, value);
    }
    this.#eventStart.push(this.#size);
    this.#eventClass.push(numberOf(this.#classes, label));
  }

  #has(id: number, from: number): boolean {
    for (let k = from; k < this.#size; k++) if (this.#eventFeatures[k] === id) return true;
    return false;
  }

  #append(id: number, value: number): void {
    if (value !== 1) this.#eventValues ??= new Array<number>(this.#size).fill(1);
    this.#eventValues?.push(value);
    if (this.#size === this.#eventFeatures.length) {
      const longer = new Int32Array(2 * this.#size);
      longer.set(this.#eventFeatures);
      this.#eventFeatures = longer;
    }
    this.#eventFeatures[this.#size++] = id;
  }

  /**
   * Builds the matrix of the events so far. O(features of all events + weights · log classes).
   *
   * @throws RangeError when there is no event, or the cut-off is not an integer >= 1
   */
  build({ cutoff = 1 }: DesignOptions = {}): MaxentDesign {
    checkInteger("cutoff", cutoff, 1);
    if (this.#eventClass.length === 0) throw new RangeError("expected at least one event, got none");
    const { ids, features } = this.#frequent(cutoff);
    const rows = this.#rows(ids);
    const eventClass = Uint16Array.from(this.#eventClass);
    const columns = transposed(rows, features.length);
    const weights = weightsOf(columns, eventClass, this.#classes.size);
    const byClass = grouped(weights.weightClass, this.#classes.size);
    let nonZeros = 0;
    for (let i = 0; i < features.length; i++) {
      const events = columns.start[i + 1] - columns.start[i];
      nonZeros += events * (weights.weightStart[i + 1] - weights.weightStart[i]);
    }
    return {
      classes: [...this.#classes.keys()],
      features,
      events: eventClass.length,
      dimension: weights.counts.length,
      nonZeros,
      eventClass,
      ...rows,
      featureStart: columns.start,
      featureEvents: columns.items,
      featureValues: columns.values,
      ...weights,
      classStart: byClass.start,
      classWeights: byClass.items,
    };
  }

  /** Returns new indices for the features that occur often enough, -1 for the others. */
  #frequent(cutoff: number): { readonly ids: Int32Array; readonly features: string[] } {
    const counts = new Int32Array(this.#features.size);
    for (let k = 0; k < this.#size; k++) counts[this.#eventFeatures[k]]++;
    const ids = new Int32Array(counts.length).fill(-1);
    const features: string[] = [];
    for (const [name, id] of this.#features) {
      if (counts[id] >= cutoff) ids[id] = features.push(name) - 1;
    }
    return { ids, features };
  }

  #rows(ids: Int32Array): Pick<MaxentDesign, "eventStart" | "eventFeatures" | "eventValues"> {
    const eventStart = new Int32Array(this.#eventStart.length);
    const eventFeatures = new Int32Array(this.#size);
    const values = this.#eventValues;
    const eventValues = values && new Float64Array(this.#size);
    let size = 0;
    for (let event = 0; event < this.#eventClass.length; event++) {
      for (let k = this.#eventStart[event]; k < this.#eventStart[event + 1]; k++) {
        const id = ids[this.#eventFeatures[k]];
        if (id < 0) continue;
        if (eventValues !== undefined) eventValues[size] = values![k];
        eventFeatures[size++] = id;
      }
      eventStart[event + 1] = size;
    }
    return {
      eventStart,
      eventFeatures: eventFeatures.slice(0, size),
      eventValues: eventValues?.slice(0, size),
    };
  }
}

function numberOf(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, numbers.size);
  return numbers.size - 1;
}

/** Inverts the rows: for each of `count` features its events, ascending, and its values there. */
function transposed(
  {
    eventStart: listStart,
    eventFeatures: lists,
    eventValues,
  }: Pick<MaxentDesign, "eventStart" | "eventFeatures" | "eventValues">,
  count: number,
) {
  const start = new Int32Array(count + 1);
  for (let k = 0; k < lists.length; k++) start[lists[k] + 1]++;
  for (let i = 0; i < count; i++) start[i + 1] += start[i];
  const next = start.slice(0, count);
  const items = new Int32Array(lists.length);
  const values = eventValues && new Float64Array(lists.length);
  for (let list = 0; list < listStart.length - 1; list++) {
    for (let k = listStart[list]; k < listStart[list + 1]; k++) {
      const at = next[lists[k]]++;
      items[at] = list;
      if (values !== undefined) values[at] = eventValues![k];
    }
  }
  return { start, items, values };
}

/** Returns the positions of each value below `count`, ascending. */
function grouped(values: Uint16Array, count: number) {
  const start = new Int32Array(count + 1);
  for (let k = 0; k < values.length; k++) start[values[k] + 1]++;
  for (let i = 0; i < count; i++) start[i + 1] += start[i];
  const next = start.slice(0, count);
  const items = new Int32Array(values.length);
  for (let k = 0; k < values.length; k++) items[next[values[k]]++] = k;
  return { start, items };
}

/** Makes a weight for each pair of a feature and a class that occurs. */
function weightsOf(
  { start: featureStart, items: featureEvents, values }: ReturnType<typeof transposed>,
  eventClass: Uint16Array,
  classes: number,
) {
  const features = featureStart.length - 1;
  const weightStart = new Int32Array(features + 1);
  const occurrences = new Float64Array(classes);
  const weightClass: number[] = [];
  const counts: number[] = [];
  for (let i = 0; i < features; i++) {
    const seen: number[] = [];
    for (let k = featureStart[i]; k < featureStart[i + 1]; k++) {
      const label = eventClass[featureEvents[k]];
      if (occurrences[label] === 0) seen.push(label);
      occurrences[label] += values?.[k] ?? 1;
    }
    seen.sort((a, b) => a - b);
    for (const label of seen) {
      weightClass.push(label);
      counts.push(occurrences[label]);
      occurrences[label] = 0;
    }
    weightStart[i + 1] = weightClass.length;
  }
  const weightFeature = new Int32Array(weightClass.length);
  for (let i = 0; i < features; i++) weightFeature.fill(i, weightStart[i], weightStart[i + 1]);
  return {
    weightStart,
    weightClass: Uint16Array.from(weightClass),
    weightFeature,
    counts: Float64Array.from(counts),
  };
}
