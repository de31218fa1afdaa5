import type { DrawOptions } from "@arcwise/draw";
import { signal } from "@preact/signals";
import type { DecoderName } from "../model/decoder-names.ts";
import { DECODER_NAMES } from "../model/decoder-names.ts";
import { INPUT_KINDS, type InputKind } from "../shared/input.ts";

type Tag = NonNullable<DrawOptions["tags"]>[number];

/** The columns that can be below words. */
export const TAGS = {
  upos: "UPOS",
  xpos: "XPOS",
  lemma: "Lemma",
  feats: "Features",
} as const satisfies Record<Tag, string>;

/** Whether each line of a text is a sentence, for the library. */
export const LINES = { auto: undefined, on: true, off: false } as const;

/** Largest number of trees of a sentence that the page shows. */
export const MAX_TREES = 20;

/** What the view Parse shows, as its link keeps it. */
export interface ParseSettings {
  /** What the text is; `auto`: by its first lines. */
  readonly input: InputKind | "auto";
  /** Whether each line of a text is a sentence; `auto`: as recognised. */
  readonly lines: keyof typeof LINES;
  readonly layout: "arcs" | "tree";
  readonly graph: "basic" | "enhanced";
  readonly tags: readonly Tag[];
  readonly probabilities: boolean;
  /** Number of trees of the current sentence. */
  readonly trees: number;
  /** A decoder to compare with; "": none. */
  readonly decoder: DecoderName | "";
}

const DEFAULTS: ParseSettings = {
  input: "auto",
  lines: "auto",
  layout: "arcs",
  graph: "basic",
  tags: ["upos"],
  probabilities: false,
  trees: 1,
  decoder: "",
};

export const settings = signal<ParseSettings>(DEFAULTS);

/** Changes some settings. */
export function change(changes: Partial<ParseSettings>): void {
  settings.value = { ...settings.value, ...changes };
}

/** Returns the parameters of settings that differ from their defaults. */
export function settingsToParameters(given: ParseSettings): Record<string, string> {
  const texts = Object.entries(given).map(([name, value]) => [name, textOf(value)] as const);
  const defaults = DEFAULTS as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(texts.filter(([name, text]) => text !== textOf(defaults[name])));
}

/** Returns the settings of parameters. Values that are unknown are ignored. */
export function settingsFromParameters(parameters: Readonly<Record<string, string>>): ParseSettings {
  const { input, lines, layout, graph, tags, probabilities, trees, decoder } = parameters;
  const count = Number(trees);
  return {
    input: oneOf([...INPUT_KINDS, "auto"], input, DEFAULTS.input),
    lines: oneOf(["auto", "on", "off"], lines, DEFAULTS.lines),
    layout: oneOf(["arcs", "tree"], layout, DEFAULTS.layout),
    graph: oneOf(["basic", "enhanced"], graph, DEFAULTS.graph),
    tags:
      tags === undefined
        ? DEFAULTS.tags
        : (Object.keys(TAGS) as Tag[]).filter((tag) => tags.split(" ").includes(tag)),
    probabilities: probabilities === "yes",
    trees: Number.isInteger(count) && count >= 1 && count <= MAX_TREES ? count : DEFAULTS.trees,
    decoder: oneOf(Object.keys(DECODER_NAMES) as DecoderName[], decoder, DEFAULTS.decoder),
  };
}

function oneOf<Known extends string, Default>(
  known: readonly Known[],
  value: string | undefined,
  otherwise: Default,
): Known | Default {
  return known.find((one) => one === value) ?? otherwise;
}

function textOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(" ") || "none" : String(value);
}
