import { fileFormat, int8, writeModel } from "@arcwise/core/container";
import { lineLength, PART_LINE } from "@arcwise/core/features";
import { tableEntries } from "@arcwise/neural";
import { labellerDimension } from "../labelling/labeller-configuration.ts";
import { PRUNER_LINE } from "../pruning/pruner.ts";
import { globalDimension } from "../scoring/trees/global-scorer.ts";
import type { ParserModel } from "../types.ts";
import { LABEL_FILTER } from "./common-checks.ts";
import { FEATURES } from "./features-version.ts";
import { type TrainedModel, trained } from "./model.ts";
import { checkHeader } from "./model-check.ts";
import type { ModelHeader } from "./model-header.ts";
import { NETWORK } from "./network-model.ts";

/** How a parser is stored in a file. */
export const PARSER_FILE = fileFormat({
  kind: "model",
  header: checkHeader,
  headerOf({ description, configuration, labels, encoder, ...model }: TrainedModel): ModelHeader {
    const { filter, labeller, arcWeights, partWeights, prunerWeights, globalWeights } = model;
    return {
      ...{ features: FEATURES, description, configuration, labels, encoder },
      filter: filter && LABEL_FILTER.stored(filter),
      reach: [...model.reach],
      scales: {
        arcs: arcWeights.scale,
        parts: partWeights.scale,
        pruner: prunerWeights.scale,
        global: globalWeights?.scale,
      },
      labeller: labeller && { configuration: labeller.configuration, scale: labeller.weights.scale },
      network: NETWORK.headerOf(model.network),
    };
  },
  sections({ configuration, labels, labeller, network }: ModelHeader, entriesOf, model?: TrainedModel) {
    const { arcBits, partBits, prunerBits, partTemplates, pruning, global } = configuration;
    const hasParts = Object.keys(partTemplates).length > 0;
    return {
      // A kernel sums the lines of arcs and of the pruner.
      arcs: int8({
        entries: arcBits === 0 ? 0 : lineLength(labels.length) * 2 ** arcBits,
        allocate: tableEntries,
        vector: model?.arcWeights.values,
      }),
      parts: int8({ entries: hasParts ? PART_LINE * 2 ** partBits : 0, vector: model?.partWeights.values }),
      pruner: int8({
        entries: pruning === false ? 0 : PRUNER_LINE * 2 ** prunerBits,
        allocate: tableEntries,
        vector: model?.prunerWeights.values,
      }),
      global: global && int8({ entries: globalDimension(global), vector: model?.globalWeights?.values }),
      labeller:
        labeller &&
        int8({
          entries: labellerDimension(labeller.configuration, labels.length),
          vector: model?.labeller?.weights.values,
        }),
      ...NETWORK.sections(network, entriesOf, model?.network),
    };
  },
  read({ features: _, scales, filter, reach, labeller, network, ...header }, sections): TrainedModel {
    const { arcs, parts, pruner, global } = sections;
    return {
      ...header,
      filter: filter && LABEL_FILTER.read(filter),
      reach: Int32Array.from(reach),
      arcWeights: { values: arcs, scale: scales.arcs },
      partWeights: { values: parts, scale: scales.parts },
      prunerWeights: { values: pruner, scale: scales.pruner },
      globalWeights: global && { values: global, scale: scales.global! },
      labeller: labeller && {
        configuration: labeller.configuration,
        weights: { values: sections.labeller!, scale: labeller.scale },
      },
      network: NETWORK.read(network, sections),
    };
  },
});

/** The bytes of a model file. O(weights). */
export function saveParser(model: ParserModel): Uint8Array {
  return writeModel(PARSER_FILE, trained(model));
}
