import { runShardsAt, runShardsHere, type ShardRunner } from "@arcwise/learn";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { createScorers } from "../scoring/scorers.ts";
import { type TrainingContext, workOf } from "./context.ts";
import { continuedWeights } from "./continued/continued-weights.ts";
import { HEADS_AND_LABELS } from "./counted-task.ts";
import { evaluator } from "./evaluation.ts";
import { createParsingTask, createParsingWork, type ParsingWork } from "./parsing-work.ts";
import { requireRemakable } from "./remake-work.ts";
import { parsingShards } from "./shard-jobs.ts";
import type { Pruning } from "./stages/prune.ts";
import type { WeightsPlan } from "./stages/weights.ts";

/** Returns the plan for learning the weights of arcs, parts and trees. */
export function treeWeights(context: TrainingContext, pruning: Pruning): WeightsPlan<EncodedTree> {
  const { settings, scorers, words, base, labels, dimensions } = context;
  const { decoder } = settings;
  const work = workOf(context, pruning.arcs);
  const { count, mixes } = settings.shards;
  return {
    task: () => createParsingTask(work, { scorers, decoder }),
    shards:
      count > 1
        ? {
            ...{ shards: count, mixes, units: words },
            // A wrong label on a right head counts half.
            figures: (cost) => ({ error: { share: cost, of: HEADS_AND_LABELS } }),
            runner: (isHere) => shardRunner(context, work, isHere),
          }
        : undefined,
    initial: () => base && continuedWeights(base, labels.strings.length, dimensions, settings.learner),
    evaluator: (network) => evaluator(context, pruning, network),
  };
}

function shardRunner(
  { run: { place }, settings }: TrainingContext,
  work: ParsingWork,
  isHere: boolean,
): ShardRunner {
  const { learner, decoder, treeFeatures } = settings;
  if (isHere) {
    const scorers = createScorers(work, treeFeatures);
    const { task, learner: online } = createParsingWork(work, { learner, decoder, scorers });
    return runShardsHere(task, online);
  }
  requireRemakable(work, settings);
  return runShardsAt(place, parsingShards, work);
}
