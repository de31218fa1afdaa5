import type { LabelledSentence } from "@arcwise/sequence";
import { hmmDecoder, trainHmm } from "@arcwise/sequence/hmm";
import type { SequenceModel } from "./sequence-model.ts";

/** Words with fewer occurrences, and unknown words, are represented by their spelling. */
const RARE = 3;

/** Trains a tagger by a hidden Markov model over words; rare words of similar spelling share a symbol. */
export function trainHmmTagger(examples: readonly LabelledSentence[], order: 2 | 3): SequenceModel {
  const counts = new Map<string, number>();
  for (const { sentence } of examples) {
    for (const { form } of sentence) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const nameOf = (form: string): string =>
    (counts.get(form) ?? 0) >= RARE ? `word ${form}` : spelling(form);
  const symbols = new Map<string, number>();
  const labels = new Map<string, number>();
  const numberOf = (numbers: Map<string, number>, name: string): number => {
    const found = numbers.get(name) ?? numbers.size;
    numbers.set(name, found);
    return found;
  };
  const sequences = examples.map(({ sentence, labels: gold }) => ({
    symbols: Int32Array.from(sentence, ({ form }) => numberOf(symbols, nameOf(form))),
    labels: Int32Array.from(gold, (label) => numberOf(labels, label)),
  }));
  // An unseen spelling: its smoothed probability is the same for every label.
  const unknown = symbols.size;
  const hmm = trainHmm(sequences, { labels: labels.size, symbols: unknown + 1, order });
  const decode = hmmDecoder(hmm);
  const names = [...labels.keys()];
  return {
    weights: hmm.transitions.length + hmm.emissions.length,
    label(sentence) {
      const known = Int32Array.from(sentence, ({ form }) => symbols.get(nameOf(form)) ?? unknown);
      return Array.from(decode(known), (label) => names[label]!);
    },
  };
}

function spelling(form: string): string {
  const marks = [
    /^\p{Lu}/u.test(form) ? "capital" : "",
    /\d/.test(form) ? "digit" : "",
    form.includes("-") ? "hyphen" : "",
  ];
  return `like ${marks.join(" ")} ${/\d/.test(form) ? "" : form.slice(-2).toLowerCase()}`;
}
