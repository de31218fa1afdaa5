import type { PipelineFacts, RemotePipeline } from "@arcwise/pipeline";
import { computed, signal } from "@preact/signals";
import type { PlaygroundCalls } from "./calls.ts";
import { type Call, connectCalls } from "./channel.ts";
import { startWorker } from "./start-worker.ts";

/** Where a model comes from. */
export type ModelSource =
  | { readonly kind: "english" }
  | { readonly kind: "file"; readonly name: string; readonly bytes: Uint8Array };

/** A model in a worker: a pipeline, and what the playground asks in addition. */
export interface RunningModel {
  readonly name: string;
  readonly source: ModelSource;
  readonly nlp: RemotePipeline;
  readonly call: Call<PlaygroundCalls>;
}

/** The state of the model that was chosen last. */
export type ModelState = { readonly name: string } & (
  | { readonly status: "loading" }
  | { readonly status: "ready"; readonly facts: PipelineFacts }
  | { readonly status: "failed"; readonly message: string }
);

export const modelState = signal<ModelState>({ name: "English", status: "loading" });
/** The model in use. Requests wait until it is loaded. */
export const running = signal<RunningModel | undefined>(undefined);

/** Whether the model finds semantic graphs. */
export const isSemantic = computed(
  () => modelState.value.status === "ready" && modelState.value.facts.graphs?.kind === "semantic",
);

let worker: Worker | undefined;

/** Loads a model in a worker of its own, and ends the worker of the model before. */
export function startModel(source: ModelSource): void {
  worker?.terminate();
  const { worker: started, nlp } = startWorker(source.kind === "file" ? source.bytes : undefined);
  worker = started;
  const name = source.kind === "file" ? source.name : "English";
  modelState.value = { name, status: "loading" };
  running.value = { name, source, nlp, call: connectCalls<PlaygroundCalls>(started) };
  const settle = (state: ModelState) => {
    if (worker === started) modelState.value = state;
  };
  nlp.ready().then(
    (facts) => settle({ name, status: "ready", facts }),
    (error: Error) => settle({ name, status: "failed", message: error.message }),
  );
}
