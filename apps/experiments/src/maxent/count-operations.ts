import { type MaxentDesign, type MaxentMethod, trainMaxent } from "@arcwise/learn/maxent";

/** The entries of a design matrix that one iteration of a method reads. */
export interface Operations {
  readonly iteration: number;
  /** Reads of non-zeros, in passes over all of them. */
  readonly passes: number;
  /** The same in steps on single weights; absent for methods that change all weights at once. */
  readonly inSteps?: number | undefined;
  /** Step lengths tried per direction; coordinate descent only. */
  readonly trials?: number | undefined;
}

/** Methods that change one weight after the other. */
const COORDINATE: ReadonlySet<MaxentMethod> = new Set(["cd", "exact-cd", "scgis"]);
/** A step of coordinate descent reads its column for the derivative, for the curvature, and in each trial. */
const BEFORE_TRIALS = 2;

/**
 * Counts what each iteration of a method reads, from weights of 0. The arrays of the design report their reads:
 * `featureEvents` and `weightClass` have an entry for each non-zero that is visited, `counts` is read before a
 * step on a weight, and `classStart` before the scores of a class are computed.
 */
export function countOperations(
  design: MaxentDesign,
  method: MaxentMethod,
  iterations: number,
): Operations[] {
  const { featureStart, weightFeature, nonZeros } = design;
  let reads = 0;
  let inSteps = 0;
  let steps = 0;
  let trials = 0;
  let weight = -1;
  let readsBefore = 0;
  /** Ends the step on a weight. */
  const end = (): void => {
    const read = reads - readsBefore;
    if (weight >= 0 && read > 0) {
      const feature = weightFeature[weight]!;
      inSteps += read;
      steps++;
      trials += read / (featureStart[feature + 1]! - featureStart[feature]!) - BEFORE_TRIALS;
    }
    weight = -1;
  };
  const onNonZero = (): void => {
    reads++;
  };
  const counted: MaxentDesign = {
    ...design,
    featureEvents: observed(design.featureEvents, onNonZero),
    weightClass: observed(design.weightClass, onNonZero),
    counts: observed(design.counts, (t) => {
      end();
      weight = t;
      readsBefore = reads;
    }),
    classStart: observed(design.classStart, end),
  };
  const found: Operations[] = [];
  trainMaxent(counted, {
    method,
    iterations,
    tolerance: 0,
    onIteration({ iteration }) {
      end();
      found.push({
        iteration,
        passes: reads / nonZeros,
        inSteps: COORDINATE.has(method) ? inSteps / nonZeros : undefined,
        trials: method === "cd" ? trials / steps : undefined,
      });
      reads = 0;
      inSteps = 0;
      steps = 0;
      trials = 0;
      return true;
    },
  });
  return found;
}

/** Returns the array as it is, with a call for each read of an entry. */
function observed<Values extends Int32Array | Uint16Array | Float64Array>(
  values: Values,
  onRead: (index: number) => void,
): Values {
  return new Proxy(values, {
    get(target, key) {
      if (key !== "length") onRead(Number(key));
      return Reflect.get(target, key);
    },
  });
}
