import type { DependencyTree, Sentence } from "@arcwise/core";
import {
  buildEncoder,
  extendEncoderData,
  namedFeatures,
  type SentenceEncoder,
  sentenceEncoder,
  vocabularyCounter,
} from "@arcwise/core/features";
import { checkLearned, suggestion } from "@arcwise/core/options";
import { LABELS } from "../model/common-checks.ts";
import { LabelSet, type TrainedModel } from "../model/model.ts";
import { allTemplates } from "../scoring/templates/feature-templates.ts";
import { TemplateError } from "../scoring/templates/template-document.ts";
import type { Settings } from "./settings.ts";

/** Forms and lemmas seen fewer times are unknown words. */
const MIN_COUNT = 2;

/** Returns the encoder of a training: with the words of the model that is continued, and more. O(words). */
export function encoderOf(
  sentences: readonly Sentence[],
  { order, templates }: Settings,
  base: TrainedModel | undefined,
): SentenceEncoder {
  if (base !== undefined) return sentenceEncoder(extendEncoderData(base.encoder, sentences, MIN_COUNT));
  const features = namedFeatures(allTemplates(templates));
  if (features.length > 0) checkNames(features, sentences);
  return buildEncoder(sentences, MIN_COUNT, { fine: order > 1, features });
}

/** Checks that words have the morphological features that templates name. */
function checkNames(named: readonly string[], sentences: readonly Sentence[]): void {
  const feats = sentences.flatMap((sentence) => sentence.map((word) => word.feats ?? ""));
  const items = feats.flatMap((text) => text.split("|")).filter((item) => item.indexOf("=") > 0);
  const known = new Set(items.map((item) => item.slice(0, item.indexOf("="))));
  const missing = named.find((name) => !known.has(name));
  if (missing === undefined) return;
  const all = known.size === 0 ? "none" : [...known].sort().join(", ");
  const message = `expected morphological features of the training words (${all}), found "${missing}"`;
  throw new TemplateError("", message + suggestion(missing, known));
}

/** The label of arcs between words if the training data lacks one: the unspecified label of Universal Dependencies. */
const UNSPECIFIED = "dep";

/**
 * Returns all labels of trees, after the labels of a model that is continued. Trees of one word have only labels of roots, which
 * no other word may have: there is a label for arcs between words in any case.
 *
 * @param isPartial whether words without a head or a label are not annotated
 */
export function labelsOf(
  trees: readonly DependencyTree[],
  isPartial: boolean,
  base: TrainedModel | undefined,
): LabelSet {
  const counter = vocabularyCounter();
  for (const { heads, labels } of trees) {
    for (const [m, label] of labels.entries())
      if (m > 0 && !(isPartial && (heads[m] < 0 || label === ""))) counter.add(label);
  }
  const { strings } = counter.vocabulary();
  checkLearned(LABELS, strings, "labels");
  if (base !== undefined) return new LabelSet([...new Set([...base.labels, ...strings])]);
  const hasArcs = trees.some(({ heads }) => heads.some((head) => head > 0));
  const isUnlabelled = strings.length > 0 && strings.every((label) => label === "");
  return new LabelSet(
    hasArcs || isUnlabelled || strings.includes(UNSPECIFIED) ? strings : [...strings, UNSPECIFIED],
  );
}
