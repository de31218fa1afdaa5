import { arcFeatures, lineLength, type Template } from "@arcwise/core/features";
import { ArcScorer } from "./arcs/arc-scorer.ts";
import type { LabelFilter } from "./arcs/label-filter.ts";
import { PartScorer, type PartTemplates } from "./parts/part-scorer.ts";
import { type GlobalConfiguration, GlobalScorer } from "./trees/global-scorer.ts";
import { matchTreeFeatures, type TreeFeatures } from "./trees/tree-features.ts";

/** The scorers of a model: of arcs with their labels, of parts, of whole trees. */
export interface Scorers {
  readonly arcs: ArcScorer;
  readonly parts: PartScorer;
  readonly global?: GlobalScorer | undefined;
}

/** The features of arcs, parts and whole trees. Plain data. */
export interface FeatureConfiguration {
  readonly arcTemplates: readonly Template[];
  readonly partTemplates: PartTemplates;
  /** The table of arcs has 2^bits lines; 0 without templates of arcs. */
  readonly arcBits: number;
  /** The table of parts has 2^bits lines; 0 without parts. */
  readonly partBits: number;
  /** Features of whole trees; undefined: only arcs and parts are scored. */
  readonly global: GlobalConfiguration | undefined;
}

/** The properties of a model that determine its scorers, except weights. Plain data. */
export interface ScorerSettings {
  readonly configuration: FeatureConfiguration;
  /** Number of labels. */
  readonly labels: number;
  readonly filter: LabelFilter;
}

/**
 * Compiles the features of a model.
 *
 * @param treeFeatures the module that the configuration names, if it names one
 */
export function createScorers(
  { configuration, labels, filter }: ScorerSettings,
  treeFeatures?: TreeFeatures,
): Scorers {
  const { arcTemplates, arcBits, partTemplates, partBits, global } = configuration;
  const own = matchTreeFeatures(global?.module, treeFeatures);
  return {
    arcs: new ArcScorer(arcFeatures(arcTemplates, arcBits, lineLength(labels)), labels, filter),
    parts: new PartScorer(partTemplates, partBits),
    global: global && new GlobalScorer(global, own),
  };
}
