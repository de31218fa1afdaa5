import type { Encoder, EncoderIdentity } from "@arcwise/core/encoders";
import { loadAs, readModelBytes } from "@arcwise/core/node";
import type { Place } from "@arcwise/jobs";
import {
  type Analyser,
  analysisOf,
  modelParts,
  type PipelineFacts,
  type PipelinePart,
} from "@arcwise/pipeline";
import { modelFile, openPipeline } from "@arcwise/pipeline/node";
import { RequestFailure } from "../requests/failures.ts";
import type { ServerOptions } from "../server-options.ts";
import { type ModelSpec, namesOf } from "./names.ts";

/** A model that is loaded. */
export interface ServedModel {
  /** The name in answers. */
  readonly name: string;
  readonly names: readonly string[];
  /** Its file. */
  readonly path: string;
  readonly parts: readonly PipelinePart[];
  readonly facts: PipelineFacts;
  readonly analyser: Analyser;
  /** The encoder that it was trained with, if there is one. */
  readonly encoder?: Encoder | undefined;
}

/** Milliseconds that a thread has to complete its sentences after their request has ended. */
const GRACE = 5000;

/**
 * Models that were loaded together, and the place that does their work. The place is closed after the last request when
 * others have replaced them.
 */
export class ModelSet {
  readonly models: readonly ServedModel[];
  readonly place: Place;
  readonly #byName: ReadonlyMap<string, ServedModel>;
  #users = 0;
  #isRetired = false;
  #closed: Promise<void> | undefined;

  constructor(models: readonly ServedModel[], place: Place) {
    this.models = models;
    this.place = place;
    this.#byName = namesOf(models);
  }

  /** Returns the model of a name; without one, the first model. @throws RequestFailure */
  named(name: string | undefined): ServedModel {
    const model = name === undefined || name === "" ? this.models[0] : this.#byName.get(name);
    if (model !== undefined) return model;
    const names = this.models.map((one) => one.name).join(", ");
    const message = `expected one of the models ${names}, found ${JSON.stringify(name)}`;
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
 * @throws ArcwiseError what `modelFile` and `openPipeline` throw; the place is closed then
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
  let encoder: Encoder | undefined;
  const find =
    encoderOf &&
    (async (needed: EncoderIdentity) => {
      encoder = await encoderOf(needed, path);
      return encoder;
    });
  const pipeline = await openPipeline({ model: path }, { place, grace: GRACE, encoder: find });
  const analyser = analysisOf(pipeline);
  const facts = await pipeline.ready();
  // A thread loads a model with its first question: no request waits for that.
  await Promise.all(Array.from({ length: place.width }, async () => analyser.analyse([])));
  const owned = Object.keys(parts) as PipelinePart[];
  return { name: names[0]!, names, path, parts: owned, facts, analyser, encoder };
}
