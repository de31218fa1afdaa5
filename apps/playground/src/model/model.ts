import type { PipelineFacts, RemotePipeline } from "@arcwise/pipeline";
import { computed, signal } from "@preact/signals";
import { type HostModel, host } from "../app/host.ts";
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
  | { readonly status: "none" }
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

/** Begins with the first model of the server of the page; with the model of English where the page is on its own. */
export function startFirstModel(): void {
  const first = host?.models.find(({ href }) => href !== undefined);
  if (host === undefined) startModel({ kind: "english" });
  else if (first !== undefined) void startHostModel(first);
  else modelState.value = { name: "No model", status: "none" };
}

/** Loads a model of the server of the page. */
export async function startHostModel({ name, href }: HostModel): Promise<void> {
  modelState.value = { name, status: "loading" };
  try {
    const response = await fetch(href!);
    if (!response.ok) throw new Error(`expected the model ${name}, found status ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (modelState.value.name === name) startModel({ kind: "file", name, bytes });
  } catch (error) {
    modelState.value = { name, status: "failed", message: (error as Error).message };
  }
}

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
