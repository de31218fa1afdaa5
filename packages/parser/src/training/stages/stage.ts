import { type Place, runStages, type StageOutputs, type StageTable } from "@arcwise/jobs";

/**
 * A stage of a training: its estimated work, and a function of the outputs of other stages.
 *
 * @typeParam Needs outputs of the stages that it awaits
 */
export interface Stage<Context, Settings, Needs, Output> {
  /** Returns the estimated microseconds on one thread for training sentences of `words` words. Default: 0. */
  work?(words: number, settings: Settings): number;
  run(context: Context, of: StageOutputs<Needs>): Output | Promise<Output>;
}

/** The stages of a training, in an order in which they can be run. */
export type Stages<Context, Settings, Outputs> = {
  readonly [Name in keyof Outputs]: Stage<Context, Settings, Outputs, Outputs[Name]>;
};

/**
 * Runs the stages of a training: in sequence, or at the same time in a place for several jobs. If one fails, the others
 * are stopped.
 */
export function trainStages<
  Context extends { readonly run: { readonly place: Place; readonly signal: AbortSignal | undefined } },
  Settings,
  Outputs extends object,
>(stages: Stages<Context, Settings, Outputs>, context: Context): Promise<Outputs> {
  const { place, signal } = context.run;
  const names = Object.keys(stages) as (keyof Outputs)[];
  const table = Object.fromEntries(
    names.map((name) => [
      name,
      (of: StageOutputs<Outputs>, either: AbortSignal) =>
        stages[name].run({ ...context, run: { ...context.run, signal: either } }, of),
    ]),
  ) as StageTable<Outputs>;
  return runStages(table, { inSequence: place.width === 1, signal });
}
