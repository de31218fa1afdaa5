import { ArcwiseError } from "@arcwise/core/errors";

/** The name of the hidden states of a layer: graphs are from outside, and a list has as many numbers. */
const HIDDEN_STATES = /^hidden_states[._](\d{1,3})$/;
const LAST = "last_hidden_state";

/** The options that choose outputs. */
interface Choice {
  readonly layers?: readonly number[] | undefined;
  readonly outputs?: readonly string[] | undefined;
}

/** Returns the names of the outputs of a graph whose mean an encoder takes. */
export function chosenOutputs(names: readonly string[], { layers, outputs }: Choice): string[] {
  const hidden = hiddenStates(names);
  if (outputs !== undefined && layers !== undefined)
    throw refused("outputs", "either layers or outputs", "both");
  if (outputs !== undefined) return requireOutputs("outputs", outputs, names);
  const chosen = layers ?? (hidden.size > 0 ? middleLayers(Math.max(...hidden.keys())) : undefined);
  if (chosen !== undefined)
    return requireOutputs(
      "layers",
      chosen.map((n) => hidden.get(n) ?? `hidden_states.${n}`),
      names,
    );
  if (names.includes(LAST)) return [LAST];
  if (names.length === 1) return [...names];
  throw refused("outputs", `the name of an output: ${names.join(", ")}`, "nothing");
}

/** Returns the outputs that are hidden states, by their layer. */
function hiddenStates(names: readonly string[]): Map<number, string> {
  return new Map(
    names.flatMap((name) => {
      const [, layer] = HIDDEN_STATES.exec(name) ?? [];
      return layer === undefined ? [] : [[Number(layer), name] as const];
    }),
  );
}

/**
 * Returns the layers of a model that are read unless others are asked for: from half of all to five sixths. First layers
 * know the form of words, last ones what the model was trained for.
 */
function middleLayers(all: number): number[] {
  const first = Math.floor(all / 2);
  const last = Math.max(first, Math.floor((5 * all) / 6));
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function requireOutputs(
  at: "layers" | "outputs",
  chosen: readonly string[],
  names: readonly string[],
): string[] {
  const missing = chosen.find((name) => !names.includes(name));
  if (missing !== undefined) throw refused(at, `outputs of the graph: ${names.join(", ")}`, missing);
  if (chosen.length === 0) throw refused(at, "at least one output", "none");
  return [...new Set(chosen)];
}

function refused(at: string, expected: string, found: string): ArcwiseError {
  return new ArcwiseError("invalid-option", `onnxEncoder: ${at}: expected ${expected}; found ${found}`, {
    at,
    expected,
    found,
  });
}
