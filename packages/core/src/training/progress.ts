/** A step of a training: one of these, or a step that a later version has. */
export type TrainingStep =
  | "encode"
  | "tokenizer"
  | "tagger"
  | "jackknife"
  | "prune"
  | "network"
  | "weights"
  | "labels"
  | "vectors"
  | (string & Record<never, never>);

/**
 * The progress of a training: the same for tokenisers, taggers, parsers, graph parsers and pipelines.
 *
 * @example
 * const onProgress = ({ step, trainingShare }: TrainingProgress) => console.log(step, trainingShare);
 * const model = await trainPipeline(treebank, { onProgress });
 */
export interface TrainingProgress {
  /**
   * "encode": the vectors of an encoder; "tokenizer"; "tagger"; "jackknife": taggers of parts of the treebank; "prune": the pruner of arcs;
   * "network": the recurrent network; "weights": the sparse weights of the parser; "labels": the labeller;
   * "vectors": word vectors.
   */
  readonly step: TrainingStep;
  /** The current target of the step: a column of a tagger; the characters or tokens of a tokeniser. */
  readonly target?: string | undefined;
  /** In "jackknife": the part of the treebank, from 1, that the tagger is for. */
  readonly part?: number | undefined;
  /** The epoch, from 1. In "prune": the pruner, each of which leaves out another part of the treebank. */
  readonly epoch: number;
  readonly epochs: number;
  /** Whether this is the report of the end of an epoch. */
  readonly epochDone: boolean;
  /** Share of the step that is done, from 0 to 1. It is 1 once, in the last report of the step. */
  readonly share: number;
  /**
   * Share of the whole training that is done, from 0 to 1, by the estimated work of the steps. It does not
   * fall.
   */
  readonly trainingShare: number;
  /** Mean loss so far in this epoch, in nats; in the weights of graphs the mean cost of mistakes. */
  readonly loss?:
    | { readonly value: number; readonly per: "character" | "token" | "word" | "sentence" }
    | undefined;
  /** Share of mistakes in the training data so far in this epoch, and what is counted: a column, or arcs. */
  readonly error?: { readonly share: number; readonly of: string } | undefined;
  /**
   * Scores on the development set in percent, by name: `uas` and `las`, `f1` of labelled edges, a column, or
   * `tokens` and `sentences`.
   */
  readonly dev?: Readonly<Record<string, number>> | undefined;
}

/** The progress of a step, where the share of the whole training is not known. */
export type StepProgress = Omit<TrainingProgress, "trainingShare">;

/** Returns the share of a step of several epochs, given the examples done in one of them. */
export function epochShare(epoch: number, epochs: number, done: number, total: number): number {
  return (epoch - 1 + done / Math.max(1, total)) / epochs;
}

/**
 * Returns a function that takes the progress of one of several jobs of a step, which may run at the same time, and
 * reports it with the share of all jobs that is done and their mean loss.
 *
 * @example
 * const report = jobReports(2, (at) => reporter.report("network", at));
 * report(0, { step: "network", epoch: 1, epochs: 1, epochDone: true, share: 1 }); // share: 0.5
 */
export function jobReports(
  jobs: number,
  report: (at: StepProgress) => void,
): (job: number, at: StepProgress) => void {
  const last = new Map<number, StepProgress>();
  return (job, at) => {
    last.set(job, at);
    const all = [...last.values()];
    const losses = all.flatMap(({ loss }) => loss?.value ?? []);
    report({
      ...at,
      share: sum(all.map(({ share }) => share)) / jobs,
      loss: at.loss && { ...at.loss, value: sum(losses) / losses.length },
    });
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Reports the progress of the parts of a training with the share of all of them.
 *
 * @typeParam Part names of the parts, such as steps
 */
export class TrainingReporter<Part extends string = TrainingStep> {
  readonly #work: ReadonlyMap<string, number>;
  readonly #onProgress: ((progress: TrainingProgress) => void) | undefined;
  readonly #shares = new Map<string, number>();
  readonly #last = new Map<string, StepProgress>();
  #highest = 0;

  /** @param work the estimated work of each part, in any unit; parts without work do not count */
  constructor(
    work: Readonly<Record<Part, number>> | Readonly<Partial<Record<Part, number>>>,
    onProgress: ((progress: TrainingProgress) => void) | undefined,
  ) {
    const entries = Object.entries(work) as [string, number | undefined][];
    this.#work = new Map(entries.map(([part, amount = 0]) => [part, amount]));
    this.#onProgress = onProgress;
  }

  /** @param share the share of the part that is done, where it has several steps */
  report(part: Part, at: StepProgress, share: number = at.share): void {
    this.#shares.set(part, share);
    this.#last.set(part, at);
    this.#onProgress?.({ ...at, trainingShare: this.#total() });
  }

  /** Reports the end of a part that ended before its last epoch; a part without reports counts as done. */
  finish(part: Part): void {
    const last = this.#last.get(part);
    if (last !== undefined && last.share < 1) this.report(part, { ...last, epochDone: false, share: 1 });
    this.#shares.set(part, 1);
  }

  #total(): number {
    let done = 0;
    let all = 0;
    for (const [part, amount] of this.#work) {
      done += amount * (this.#shares.get(part) ?? 0);
      all += amount;
    }
    this.#highest = Math.max(this.#highest, all === 0 ? 0 : Math.min(1, done / all));
    return this.#highest;
  }
}
