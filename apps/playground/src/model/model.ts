import type { PipelineFacts, RemotePipeline } from "@arcwise/pipeline";
import { computed, signal } from "@preact/signals";
import { type HostModel, host } from "../app/host.ts";
import type { Call, PageCall } from "./calls.ts";
import { startWorker } from "./start-worker.ts";

/** Where a model comes from that a worker of this page loads. */
export type LoadedSource =
  | { readonly kind: "english" }
  | { readonly kind: "file"; readonly name: string; readonly bytes: Uint8Array };

/** Where a model comes from. */
export type ModelSource = LoadedSource | { readonly kind: "server" };

/** A model in a worker or at the server of the page: a pipeline, and what the playground asks in addition. */
export interface RunningModel {
  readonly name: string;
  readonly source: ModelSource;
  readonly nlp: Omit<RemotePipeline, "stream">;
  readonly call: Call;
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

/** Returns the name of the model in use, with its language if that is known and not its name. */
export function describeModel(): string {
  const state = modelState.value;
  const language = state.status === "ready" ? state.facts.language : undefined;
  return language === undefined || language === state.name ? state.name : `${state.name} (${language})`;
}

let worker: Worker | undefined;

/** Begins with the first model of the server of the page; with the model of English where the page is on its own. */
export function startFirstModel(): void {
  const first = host?.models.find(({ href, parse }) => href !== undefined || parse !== undefined);
  if (host === undefined) startModel({ kind: "english" });
  else if (first !== undefined) void startHostModel(first);
  else modelState.value = { name: "No model", status: "none" };
}

/** Loads a model of the server of the page, or lets the server parse by it. */
export async function startHostModel(model: HostModel): Promise<void> {
  const { name, href } = model;
  modelState.value = { name, status: "loading" };
  try {
    if (href === undefined) {
      const { serverModel } = await import("./server-model.ts");
      if (modelState.value.name === name) use(serverModel(model));
      return;
    }
    const response = await fetch(href!);
    if (!response.ok) throw new Error(`expected the model ${name}, found status ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (modelState.value.name === name) startModel({ kind: "file", name, bytes });
  } catch (error) {
    modelState.value = { name, status: "failed", message: (error as Error).message };
  }
}

/** Loads a model in a worker of its own, and ends the worker of the model before. */
export function startModel(source: LoadedSource): void {
  const { worker: started, channel, nlp } = startWorker(source.kind === "file" ? source.bytes : undefined);
  const name = source.kind === "file" ? source.name : "English";
  const call = (function_: string, input: unknown, signal?: AbortSignal) =>
    channel.call("call", { name: function_, input } as PageCall, { signal });
  use({ name, source, nlp, call: call as Call }, started);
}

function use(model: RunningModel, started?: Worker): void {
  worker?.terminate();
  worker = started;
  const { name } = model;
  modelState.value = { name, status: "loading" };
  running.value = model;
  const settle = (state: ModelState) => {
    if (running.value === model) modelState.value = state;
  };
  model.nlp.ready().then(
    (facts) => settle({ name, status: "ready", facts }),
    (error: Error) => settle({ name, status: "failed", message: error.message }),
  );
}
