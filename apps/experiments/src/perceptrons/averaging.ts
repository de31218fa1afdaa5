import { perceptron, trainOnline } from "@arcwise/learn";
import { createParsingWork, prepareTraining, type TrainingExample } from "@arcwise/parser";

/** Attachment scores in percent. */
type Splits = Readonly<Record<"dev" | "test", { readonly uas: number; readonly las: number }>>;

/** Accuracy after an epoch, by averaged weights and by the last ones. */
export interface AveragingPoint {
  readonly epoch: number;
  readonly averaged: Splits;
  readonly last: Splits;
}

/** Trains a parser with the perceptron, and measures both kinds of weights after each epoch. */
export async function measureAveraging(
  { train, dev, test }: Readonly<Record<"train" | "dev" | "test", readonly TrainingExample[]>>,
  { order, epochs, seed }: { readonly order: 1 | 2 | 3; readonly epochs: number; readonly seed: number },
  onEpoch: (epoch: number) => void,
): Promise<AveragingPoint[]> {
  const options = { preset: "linear", order, seed, dev, learner: "perceptron" } as const;
  const { work, evaluate } = await prepareTraining(train, options);
  const { task } = createParsingWork(work);
  const learner = perceptron(task.dimension);
  const measure = (weights: Float32Array): Splits => ({
    dev: evaluate(weights, dev)!,
    test: evaluate(weights, test)!,
  });
  const points: AveragingPoint[] = [];
  await trainOnline(task, learner, {
    epochs,
    seed,
    onEpoch: ({ epoch }) => {
      const averaged = measure(learner.weights.average());
      points.push({ epoch, averaged, last: measure(learner.weights.values) });
      onEpoch(epoch);
    },
  });
  return points;
}
