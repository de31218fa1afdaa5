import type { Vector } from "@arcwise/core/container";
import type { WordTemplate } from "@arcwise/core/features";
import { MatrixMemory } from "@arcwise/neural";
import { ArcNetwork } from "../scoring/network/arc-network.ts";
import { isUnits, networkSize } from "../scoring/network/network-layout.ts";
import { ModelError, type Section } from "./container.ts";
import { quantizeRows, restoreRows } from "./quantize-rows.ts";
import { checkCodes, checkScales, entriesOf, expectEntries } from "./sections.ts";

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
 * A network at rest. Parameters are kept in bytes, each row of as many as there are units with a scale of its
 * own.
 */
export interface QuantizedNetwork {
  readonly configuration: NetworkConfiguration;
  /** The features of words that have an embedding, ascending. */
  readonly codes: Int32Array;
  readonly values: Int8Array;
  readonly scales: Float32Array;
}

const MAX_FEATURES = 2 ** 22;

/** Rounds the parameters of a network to bytes. O(parameters). @throws RangeError when one is not finite */
export function quantizeNetwork(
  configuration: NetworkConfiguration,
  codes: Int32Array,
  parameters: Float32Array,
): QuantizedNetwork {
  return {
    configuration,
    codes,
    ...quantizeRows(parameters, configuration.units, "parameters of the network"),
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

/**
 * Checks what the header of a model file says of a network, and the sizes of its vectors.
 *
 * @param labels of the model
 * @throws ModelError that names the first thing that is wrong
 */
export function checkNetwork(value: unknown, labels: number, sections: readonly Section[]): void {
  const { units, templates, weight, labelWeight, margin, ...others } = (value ??
    {}) as Partial<NetworkConfiguration>;
  const sound =
    isUnits(units) &&
    others.labels === labels &&
    Array.isArray(templates) &&
    templates.every((template) => typeof template === "string") &&
    [weight, labelWeight].every((factor) => Number.isFinite(factor) && factor! > 0) &&
    (margin === undefined || (Number.isFinite(margin) && margin >= 0));
  if (!sound) throw new ModelError("damaged model file: its header has no sound network");
  const features = entriesOf("networkCodes", "int32", sections);
  if (features > MAX_FEATURES) throw new ModelError(`damaged model file: ${features} features of a network`);
  const size = networkSize({ features, units, labels });
  expectEntries("network", "int8", size, sections);
  expectEntries("networkScales", "float32", size / units, sections);
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
