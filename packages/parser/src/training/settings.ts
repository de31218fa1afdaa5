import { type Decoder, PART_KINDS, type PartKind, UnsupportedPart } from "@arcwise/core";
import type { Learner } from "@arcwise/learn";
import { type DecoderRequest, type DecoderSource, decoderOf } from "../decoding/decoders.ts";
import { isModule } from "../decoding/make-decoder.ts";
import {
  resolveTemplates,
  type TemplateSets,
  templateChanges,
} from "../scoring/templates/feature-templates.ts";
import type { TensorPlan } from "../scoring/tensor/tensor-plan.ts";
import { checkTreeFeatures, type TreeFeatures } from "../scoring/trees/tree-features.ts";
import type { TrainOptions } from "../types.ts";
import { checkLearner, learnerOf } from "./learners.ts";
import {
  type LabelSettings,
  type LearningSettings,
  labelSettings,
  learningSettings,
  type NetworkSettings,
  networkSettings,
  type Order,
  type ShardSettings,
  shardSettings,
  tensorPlan,
} from "./stage-settings.ts";

const EPOCHS = 10;
const SEED = 1;
/** Default maximum number of candidate heads of a word. */
const MAX_HEADS = 16;
/** The default decoder of each order. */
const DECODER_OF_ORDER = { 1: "mst", 2: "eisner", 3: "eisner" } as const;
/** Kinds of parts beyond arcs that a model of each order scores. */
export const KINDS_OF_ORDER: Readonly<Record<Order, readonly PartKind[]>> = {
  1: [],
  2: ["grandparent", "nextSibling", "lastSibling"],
  3: ["grandparent", "nextSibling", "lastSibling", "grandSibling", "triSibling"],
};

/** Everything that determines a trained model: `TrainOptions`, checked and with all defaults. */
export interface Settings {
  readonly decoder: Decoder;
  /** The source from which other threads make the decoder. */
  readonly decoderSource: DecoderSource;
  /** The specifier of the decoder's module, if it came from one. */
  readonly decoderModule: string | undefined;
  readonly order: Order;
  /** Kinds of parts besides those of the order, in the order of `PART_KINDS`. */
  readonly parts: readonly PartKind[];
  readonly global: boolean;
  /** Features of a module, scored besides those of the views; undefined without one. */
  readonly treeFeatures: TreeFeatures | undefined;
  readonly templates: TemplateSets;
  /** The changes of a document of templates to the built-in ones. */
  readonly templateChanges: readonly string[];
  readonly learner: Learner;
  readonly epochs: number;
  readonly seed: number;
  readonly prune: false | { readonly most: number };
  readonly learning: LearningSettings;
  readonly shards: ShardSettings;
  readonly labels: LabelSettings;
  readonly tensor: TensorPlan | undefined;
  readonly network: NetworkSettings | undefined;
}

/**
 * Checks options without training.
 *
 * @throws RangeError on an option out of range, or a learner that does not go with the decoder and order
 * @throws UnsupportedPart when the decoder cannot score the parts of the order, or whole trees
 * @throws UnsupportedCapability when an option needs a capability that the decoder lacks
 */
export function checkTrainOptions(options: TrainOptions): void {
  settingsOf(options);
}

/** Returns the complete templates of the model that options would train. @throws as `checkTrainOptions` */
export function templatesFor(options: TrainOptions): TemplateSets {
  return settingsOf(options).templates;
}

/** Checks options and adds all defaults. @throws as `checkTrainOptions` */
export function settingsOf(options: TrainOptions): Settings {
  const order = options.order ?? 1;
  if (!Object.hasOwn(KINDS_OF_ORDER, order)) throw new RangeError(`order must be 1, 2 or 3, got ${order}`);
  const { decoder, ...origin } = trainingDecoder(options, order);
  for (const kind of KINDS_OF_ORDER[order]) requireScored(decoder, kind);
  const choice = options.learner ?? "mira";
  const learning = options.learning ?? {};
  const learner = learnerOf(choice, learning);
  checkLearner(learner, decoder, order);
  const shards = shardSettings(options.shards ?? { count: 1 }, learner);
  const parts = partKinds(options.parts ?? [], decoder, order);
  const global = globalSetting(options.global ?? false, decoder);
  const prune = pruneSetting(options.prune);
  const labels = labelSettings(options.labels ?? {}, order);
  const kinds = [...KINDS_OF_ORDER[order], ...parts];
  const use = { order, kinds, pruner: prune !== false, labeller: labels.labeller, global };
  return {
    decoder,
    ...origin,
    order,
    parts,
    global,
    treeFeatures: typeof options.global === "object" ? options.global : undefined,
    templates: resolveTemplates(use, options.templates),
    templateChanges: templateChanges(options.templates ?? {}),
    learner,
    epochs: options.epochs ?? EPOCHS,
    seed: options.seed ?? SEED,
    prune,
    learning: learningSettings({ ...learning, choice, learner }, decoder, shards),
    shards,
    labels,
    tensor: options.tensor && tensorPlan(options.tensor, learner, shards),
    network: options.network && networkSettings(options.network, learner, options.tensor),
  };
}

/** Returns the decoder of options, and the source from which other threads make it. */
function trainingDecoder(
  { decoder: choice, learning = {} }: TrainOptions,
  order: Order,
): Pick<Settings, "decoder" | "decoderSource" | "decoderModule"> {
  const given = choice ?? DECODER_OF_ORDER[order];
  const { restarts } = learning;
  if (restarts !== undefined && (!Number.isSafeInteger(restarts) || restarts < 1))
    throw new RangeError(`expected at least 1 restart, got ${restarts}`);
  const request: DecoderRequest = { purpose: "training", order, ...(restarts !== undefined && { restarts }) };
  const decoder = decoderOf(given, request);
  const source = { name: decoder.name, request };
  if (isModule(given)) {
    return { decoder, decoderSource: { ...source, url: given.url }, decoderModule: given.specifier };
  }
  const isNamed = typeof given === "string";
  return { decoder, decoderSource: isNamed ? source : { ...source, local: true }, decoderModule: undefined };
}

/** @throws UnsupportedPart when the decoder does not score a kind of parts, or whole trees */
function requireScored({ name, handles }: Decoder, kind: PartKind | "global"): void {
  if (!handles.has(kind)) throw new UnsupportedPart(name, kind, handles);
}

/** Returns kinds of parts besides those of the order, in the order of `PART_KINDS`. */
function partKinds(parts: readonly PartKind[] | "full", decoder: Decoder, order: Order): PartKind[] {
  if (parts.length === 0) return [];
  if (order === 1) throw new RangeError("more kinds of parts are for orders 2 and 3, got order 1");
  const asked = new Set(parts === "full" ? PART_KINDS.filter((kind) => decoder.handles.has(kind)) : parts);
  for (const kind of asked) {
    if (!PART_KINDS.includes(kind))
      throw new RangeError(`no kind of parts is named "${kind}"; there are ${PART_KINDS.join(", ")}`);
    requireScored(decoder, kind);
  }
  const known: readonly PartKind[] = KINDS_OF_ORDER[order];
  return PART_KINDS.filter((kind) => asked.has(kind) && !known.includes(kind));
}

/** @throws UnsupportedPart when the decoder takes no scores of whole trees */
function globalSetting(global: boolean | TreeFeatures, decoder: Decoder): boolean {
  if (typeof global !== "boolean") checkTreeFeatures(global, global.specifier);
  if (global !== false) requireScored(decoder, "global");
  return global !== false;
}

function pruneSetting(prune: TrainOptions["prune"]): Settings["prune"] {
  if (prune === false) return false;
  const most = prune?.most ?? MAX_HEADS;
  if (!Number.isSafeInteger(most) || most < 1)
    throw new RangeError(`expected to keep at least 1 head, got ${most}`);
  return { most };
}
