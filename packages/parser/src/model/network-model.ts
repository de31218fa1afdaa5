import {
  integer,
  list,
  number,
  optional,
  readable,
  record,
  refuse,
  type Vector,
} from "@arcwise/core/container";
import { parseWordTemplate, type WordTemplate } from "@arcwise/core/features";
import { MatrixMemory } from "@arcwise/neural";
import { ArcNetwork } from "../scoring/network/arc-network.ts";
import { isUnits, networkSize } from "../scoring/network/network-layout.ts";
import { ModelError, type SectionTable } from "./container.ts";
import { quantizeParameters, restoreRows } from "./quantize-rows.ts";
import { checkCodes, checkScales } from "./sections.ts";

/** What says how a network scores, beside its parameters. Plain data. */
export interface NetworkConfiguration {
  readonly units: number;
  readonly labels: number;
  readonly templates: readonly WordTemplate[];
  /** What its scores of arcs are multiplied by, and those of labels. */
  readonly weight: number;
  readonly labelWeight: number;
  /**
   * Heads whose probability has a logarithm further below that of the likeliest one are not looked at;
   * undefined: all are.
   */
  readonly margin?: number | undefined;
}

/**
 * A quantised network, as stored in a model file. Parameters are kept in bytes, each row of as many as there
 * are units with a scale of its own.
 */
export interface QuantizedNetwork {
  readonly configuration: NetworkConfiguration;
  /** The features of words that have an embedding, ascending. */
  readonly codes: Int32Array;
  readonly values: Int8Array;
  readonly scales: Float32Array;
}

const MAX_FEATURES = 2 ** 22;
/** Numbers of templates fit into a byte. */
const MAX_TEMPLATES = 255;

/** Rounds the parameters of a network to bytes. O(parameters). @throws RangeError when one is not finite */
export function quantizeNetwork(
  configuration: NetworkConfiguration,
  codes: Int32Array,
  parameters: Float32Array,
): QuantizedNetwork {
  return {
    configuration,
    codes,
    ...quantizeParameters(parameters, configuration.units, "parameters of the network"),
  };
}

/** The network of a model, with its parameters. O(parameters). */
export function restoreNetwork({ configuration, codes, values, scales }: QuantizedNetwork): ArcNetwork {
  const { units, labels } = configuration;
  const network = new ArcNetwork(new MatrixMemory(), { features: codes.length, units, labels }, false);
  restoreRows(values, scales, units, network.parameters.values);
  return network;
}

/** The vectors of a network in a model file. */
export function networkVectors({ codes, values, scales }: QuantizedNetwork): Record<string, Vector> {
  return { networkCodes: codes, network: values, networkScales: scales };
}

const MAX_MARGIN = 2 ** 32;
/** Factors of scores: their product with any logarithm of a probability is finite. */
const FACTOR = number(2 ** -32, 2 ** 10);

/**
 * Checks what the header of a model file says of a network, and takes its vectors.
 *
 * @param labels of the model
 * @throws ModelError that names the first thing that is wrong
 */
export function checkNetwork(value: unknown, labels: number, sections: SectionTable): void {
  const at = "damaged model file: header.network";
  record<NetworkConfiguration>({
    units: (units, of) => {
      if (!isUnits(units)) refuse(of, "a number of units", units);
    },
    labels: integer(labels, labels),
    templates: list(readable(parseWordTemplate), { max: MAX_TEMPLATES, distinct: true }),
    weight: FACTOR,
    labelWeight: FACTOR,
    margin: optional(number(0, MAX_MARGIN)),
  })(value, at);
  const { units } = value as NetworkConfiguration;
  // Codes are ascending: one of them may be 0.
  const features = sections.takeDense("networkCodes", "int32", 1);
  if (features > MAX_FEATURES) refuse(at, `at most ${MAX_FEATURES} features`, features);
  const size = networkSize({ features, units, labels });
  sections.expect("network", "int8", size);
  sections.expect("networkScales", "float32", size / units);
}

/**
 * The network of a model file that was checked.
 *
 * @throws ModelError when the vectors do not hold what they should
 */
export function readNetwork(
  configuration: NetworkConfiguration,
  vectors: Readonly<Record<string, Vector>>,
): QuantizedNetwork {
  const { networkCodes: codes, network: values, networkScales: scales } = vectors;
  if (!(codes instanceof Int32Array && values instanceof Int8Array && scales instanceof Float32Array)) {
    throw new ModelError("damaged model file: no parameters of the network");
  }
  checkCodes(codes, "network");
  checkScales(scales, "network");
  return { configuration, codes, values, scales };
}
