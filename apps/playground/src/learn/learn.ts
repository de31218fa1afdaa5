import type { ConlluSentence } from "@arcwise/conllu";
import { openChannel } from "@arcwise/jobs";
import type { TrainingProgress } from "@arcwise/pipeline";
import { signal } from "@preact/signals";
import { report } from "../app/store.ts";
import { type LoadedSource, running, startModel } from "../model/model.ts";
import type { Learned, learn } from "./learning.ts";

/** The state of the training of the page. */
export type Training =
  | { readonly status: "running"; readonly progress?: TrainingProgress | undefined; readonly began: number }
  | { readonly status: "failed"; readonly message: string }
  | {
      readonly status: "done";
      readonly learned: Learned;
      readonly name: string;
      readonly before: LoadedSource;
    };

/** The training that was started last; undefined before the first one, and after one was cancelled. */
export const training = signal<Training | undefined>(undefined);

let worker: Worker | undefined;

/** Sentences and settings of a lesson. */
export interface LearnOptions {
  readonly epochs: number;
  readonly holdsOut: boolean;
}

/** Learns from sentences in a worker, unless the model is at a server. All views use the new model once it is done. */
export function startLearning(sentences: readonly ConlluSentence[], options: LearnOptions): void {
  const { source, name } = running.value!;
  if (source.kind === "server") return;
  worker?.terminate();
  const began = performance.now();
  const started = new Worker(new URL("./learn-worker.ts", import.meta.url), { type: "module" });
  worker = started;
  training.value = { status: "running", began };
  const bytes = source.kind === "file" ? source.bytes : undefined;
  const onProgress = (progress: TrainingProgress) => {
    if (worker === started) training.value = { status: "running", progress, began };
  };
  openChannel<{ learn: typeof learn }>(started)
    .call("learn", { bytes, sentences, ...options }, { onProgress })
    .then(
      (learned) => {
        if (worker === started) finish(learned, name, source);
      },
      ({ message }: Error) => {
        if (worker !== started) return;
        stop();
        training.value = { status: "failed", message };
      },
    );
}

function stop(): void {
  worker?.terminate();
  worker = undefined;
}

/** Ends the training. The model stays as it is. */
export function cancelLearning(): void {
  stop();
  training.value = undefined;
  report("The training was cancelled. The model is as it was.");
}

function finish(learned: Learned, name: string, before: LoadedSource): void {
  stop();
  const next = nextName(name);
  training.value = { status: "done", learned, name: next, before };
  startModel({ kind: "file", name: next, bytes: learned.bytes });
  report(`All views use ${next} now.`);
}

/** Returns the name of a model that was continued: with the number of times. */
export function nextName(name: string): string {
  const [, base = "", times] = /^(.*?)(?:\.model)?(?: \+(\d+))?$/.exec(name)!;
  return `${base} +${Number(times ?? 0) + 1}`;
}

/** Uses the model again that was continued last. */
export function revert(before: LoadedSource): void {
  training.value = undefined;
  startModel(before);
  report("All views use the model again that was continued.");
}
