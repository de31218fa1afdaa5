import { basename } from "node:path";
import { ArcwiseError } from "@arcwise/core/errors";

/** A model of a command line or a program. */
export interface ModelSpec {
  /** Names that clients use; the first one names it in answers. */
  readonly names: readonly string[];
  /** A model file, or the name of an installed package. */
  readonly model: string;
}

/** `NAME=MODEL`, `NAME:OTHER=MODEL` or `MODEL`. */
const NAMED = /^([\p{L}\p{N}_.:-]+)=(.+)$/u;

/**
 * Reads `MODEL`, `NAME=MODEL` or `NAME:OTHER=MODEL`. Without a name, a model has the name of its file without `.model`, or
 * of its package without scope.
 *
 * @example modelSpec("cs:ces=czech.model"); // { names: ["cs", "ces"], model: "czech.model" }
 */
export function modelSpec(text: string): ModelSpec {
  const [, given, file] = NAMED.exec(text) ?? [];
  const names = given === undefined ? [basename(text).replace(/\.model$/, "")] : given.split(":");
  if (names.includes("")) {
    const expected = "a model: MODEL, NAME=MODEL or NAME:OTHER=MODEL";
    throw new ArcwiseError("invalid-argument", `expected ${expected}, found ${JSON.stringify(text)}`, {
      expected,
    });
  }
  return { names, model: file ?? text };
}

/**
 * Returns models by what clients may call them: each name, and what is left of it without its last parts, which hyphens
 * separate. If several models share such a name, it is the first one's.
 *
 * @example namesOf([{ names: ["english-ewt", "en"] }]).get("english"); // that model
 */
export function namesOf<Model extends { readonly names: readonly string[] }>(
  models: readonly Model[],
): ReadonlyMap<string, Model> {
  const byName = new Map<string, Model>();
  for (const model of models) {
    for (const name of model.names) {
      const parts = name.split("-");
      for (let n = parts.length; n > 0; n--) {
        const prefix = parts.slice(0, n).join("-");
        if (!byName.has(prefix)) byName.set(prefix, model);
      }
    }
  }
  return byName;
}
