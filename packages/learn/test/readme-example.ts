import type { SparseVector } from "@arcwise/core";
import {
  crf,
  DesignBuilder,
  frankWolfe,
  kBestMira,
  lbfgs,
  logLossObjective,
  MaxentClassifier,
  maxentModel,
  mira,
  perceptron,
  type StructuredTask,
  svm,
  trainMaxent,
  trainOnline,
  type WeightVector,
} from "@arcwise/learn";

// The task: mark each letter of a word as a vowel (V) or a consonant (C). The letter y can be either, so the
// marks of adjacent letters have to be decided together. An output is a string of marks.
const lexicon = `sky:CCV yes:CVC by:CV yak:CVC lynx:CVCC you:CVV yoga:CVCV single:CVCCCV penny:CVCCV
  gym:CVC typist:CVCVCC young:CVVCC yogi:CVCV hybrid:CVCCVC yell:CVCC myself:CVCVCC happy:CVCCV`.split(/\s+/);
const examples = lexicon.map((entry) => entry.split(":") as [word: string, marks: string]);

/** Features: each letter with its mark (26 × 2), and each mark with the one before it (3 × 2). */
function addFeatures(word: string, marks: string, scale: number, into: SparseVector): void {
  for (let i = 0; i < word.length; i++) {
    const mark = "CV".indexOf(marks[i]!);
    into.add(2 * (word.charCodeAt(i) - 97) + mark, scale);
    into.add(52 + 2 * (i === 0 ? 2 : "CV".indexOf(marks[i - 1]!)) + mark, scale);
  }
}

function score(word: string, marks: string, weights: WeightVector): number {
  let sum = 0;
  for (let i = 0; i < word.length; i++) {
    const mark = "CV".indexOf(marks[i]!);
    sum += weights[2 * (word.charCodeAt(i) - 97) + mark]!;
    sum += weights[52 + 2 * (i === 0 ? 2 : "CV".indexOf(marks[i - 1]!)) + mark]!;
  }
  return sum;
}

const mistakes = (a: string, b: string) => [...a].filter((mark, i) => mark !== b[i]).length;

/** All strings of marks for a word, best first: words are short. The cost of an output is its wrong marks. */
function ranking(word: string, weights: WeightVector, gold?: string): string[] {
  let outputs = [""];
  for (const _ of word) outputs = outputs.flatMap((marks) => [`${marks}C`, `${marks}V`]);
  const value = (marks: string) => score(word, marks, weights) + (gold ? mistakes(marks, gold) : 0);
  return outputs.sort((a, b) => value(b) - value(a));
}

const task: StructuredTask<string> = {
  size: examples.length,
  dimension: 58,
  decode: (example, weights, costAugmented) => task.kBest!(example, weights, 1, costAugmented)[0]!,
  difference(example, output, into) {
    const [word, gold] = examples[example]!;
    addFeatures(word, gold, 1, into);
    addFeatures(word, output, -1, into);
    return mistakes(output, gold);
  },
  // For k-best MIRA:
  kBest(example, weights, k, costAugmented) {
    const [word, gold] = examples[example]!;
    return ranking(word, weights, costAugmented ? gold : undefined).slice(0, k);
  },
  // For the conditional log-linear loss:
  expectations(example, weights, into) {
    const [word, gold] = examples[example]!;
    const outputs = ranking(word, weights);
    const shares = outputs.map((marks) => Math.exp(score(word, marks, weights)));
    const total = shares.reduce((sum, share) => sum + share, 0);
    let cost = 0;
    for (const [index, marks] of outputs.entries()) {
      const p = shares[index]! / total;
      cost += p * mistakes(marks, gold);
      addFeatures(word, gold, p, into);
      addFeatures(word, marks, -p, into);
    }
    return { cost, loss: Math.log(total) - score(word, gold, weights) };
  },
};

// Online learners: one example at a time.
const online = [
  perceptron(58),
  mira(58),
  kBestMira(58, { k: 3 }),
  svm(58, { l2: 0.01 }),
  crf(58, { l2: 0.001 }),
];
for (const learner of online) {
  await trainOnline(task, learner, { epochs: 40, seed: 1 });
  const weights = learner.result();
  console.log(learner.name, ranking("yelping", weights)[0], ranking("gypsy", weights)[0]);
}

// Learners that minimise a convex function of all examples until a tolerance is reached.
const minimum = lbfgs(logLossObjective(task, { l2: 0.001 }));
console.log("L-BFGS", ranking("gypsy", minimum.weights)[0], minimum.converged);
const machine = await frankWolfe(task, { l2: 0.01, tolerance: 1e-3, epochs: 2000 });
console.log("Frank-Wolfe", ranking("gypsy", machine.weights)[0], machine.primal - machine.dual <= 1e-3);

// Classification: is the letter y a vowel, given the letters beside it?
const builder = new DesignBuilder();
for (const [word, marks] of examples) {
  for (let i = 0; i < word.length; i++) {
    if (word[i] === "y") builder.add([`before ${word[i - 1]}`, `after ${word[i + 1]}`], marks[i]!);
  }
}
const design = builder.build();
const { weights } = trainMaxent(design, { method: "cd", variance: 10 });
const classifier = new MaxentClassifier(maxentModel(design, weights));
console.log("maximum entropy", classifier.classify(["before g", "after p"]));
