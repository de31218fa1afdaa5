import { type Encoder, requireSameEncoder } from "@arcwise/core/encoders";
import { loadAs, readModelBytes } from "@arcwise/core/node";
import { suggestion } from "@arcwise/core/options";
import { type Place, type Shared, share } from "@arcwise/jobs";
import { modelParts, type PipelineFacts, type PipelinePart } from "@arcwise/pipeline";
import { modelFile, type PipelineFiles } from "@arcwise/pipeline/node";
import { RequestFailure } from "../failures.ts";
import type { ServerOptions } from "../server-options.ts";
import { type ModelSpec, namesOf } from "./names.ts";
import { serverJob } from "./server-jobs.ts";
import { Turns } from "./turns.ts";

/** A model that is loaded. */
export interface ServedModel {
  /** The name in answers. */
  readonly name: string;
  readonly names: readonly string[];
  /** Its file. */
  readonly path: string;
  readonly parts: readonly PipelinePart[];
  readonly facts: PipelineFacts;
  /** The files that threads load. */
  readonly files: Shared<PipelineFiles>;
  /** The encoder that it was trained with, if there is one. */
  readonly encoder?: Encoder | undefined;
}

/**
 * Models that were loaded together, and the place that does their work. The place is closed after the last request when
 * others have replaced them.
 */
export class ModelSet {
  readonly models: readonly ServedModel[];
  readonly place: Place;
  /** The turns of requests at the place. */
  readonly turns: Turns;
  readonly #byName: ReadonlyMap<string, ServedModel>;
  #users = 0;
  #isRetired = false;
  #closed: Promise<void> | undefined;

  constructor(models: readonly ServedModel[], place: Place) {
    this.models = models;
    this.place = place;
    this.turns = new Turns(place.width);
    this.#byName = namesOf(models);
  }

  /** Returns the model of a name; without one, the first model. */
  named(name: string | undefined): ServedModel {
    const model = name === undefined || name === "" ? this.models[0] : this.#byName.get(name);
    if (model !== undefined) return model;
    const names = this.models.map((one) => one.name).join(", ");
    const found = name!.slice(0, 100);
    const near = suggestion(found, this.#byName.keys());
    const message = `expected one of the models ${names}, found ${JSON.stringify(found)}${near}`;
    throw new RequestFailure({ status: 400, code: "unknown-model", message });
  }

  /** Begins a request. */
  use(): void {
    this.#users++;
  }

  /** Ends a request. */
  leave(): void {
    this.#users--;
    this.#closeIfUnused();
  }

  /** Lets the place be closed after the last request. */
  retire(): void {
    this.#isRetired = true;
    this.#closeIfUnused();
  }

  /** Closes the place and the encoders now. */
  close(): Promise<void> {
    this.#closed ??= closeAll(this.models, this.place);
    return this.#closed;
  }

  #closeIfUnused(): void {
    if (this.#isRetired && this.#users === 0) void this.close();
  }
}

async function closeAll(models: readonly ServedModel[], place: Place): Promise<void> {
  await place.close();
  for (const { encoder } of models) await encoder?.close?.();
}

/**
 * Loads models in each thread of a new place.
 *
 * @param encoderOf returns the encoder of a model; undefined: models that need one are refused
 */
export async function loadModels(
  specs: readonly ModelSpec[],
  place: Place,
  encoderOf?: ServerOptions["encoder"],
): Promise<ModelSet> {
  const models: ServedModel[] = [];
  try {
    for (const spec of specs) models.push(await loadModel(spec, place, encoderOf));
    return new ModelSet(models, place);
  } catch (error) {
    await closeAll(models, place);
    throw error;
  }
}

async function loadModel(
  { names, model }: ModelSpec,
  place: Place,
  encoderOf: ServerOptions["encoder"],
): Promise<ServedModel> {
  const path = await modelFile(model);
  const { parts } = loadAs(path, await readModelBytes(path), (bytes) => modelParts(bytes));
  const files = share({ model: path });
  const load = async () => {
    const reply = await place.do(serverJob, { files, task: { kind: "facts" } });
    return ("result" in reply ? reply.result : undefined) as PipelineFacts;
  };
  // A thread loads a model with its first job: no request waits for that.
  const [facts] = await Promise.all(Array.from({ length: place.width }, load));
  const encoder = facts!.encoder && (await encoderOf?.(facts!.encoder, path));
  requireSameEncoder(facts!.encoder, encoder);
  const owned = Object.keys(parts) as PipelinePart[];
  return { name: names[0]!, names, path, parts: owned, facts: facts!, files, encoder };
}
