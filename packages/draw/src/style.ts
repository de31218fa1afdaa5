import type { ArcKind, DiagramArc } from "./diagram.ts";

/**
 * Colours of drawings on light and on dark pages. Texts have a contrast of 4.5 : 1 with `paper`, lines of 3 : 1,
 * and the colours of kinds of arcs that are compared are distinct with the common kinds of colour blindness.
 */
export const DRAWING_COLOURS = {
  paper: { light: "#ffffff", dark: "#14181c" },
  ink: { light: "#1c2024", dark: "#e6e9ec" },
  soft: { light: "#5c6670", dark: "#a3adb8" },
  arc: { light: "#4275b5", dark: "#78a6e0" },
  right: { light: "#838b9b", dark: "#838b9b" },
  label: { light: "#3b4754", dark: "#c3ccd6" },
  relabelled: { light: "#711a77", dark: "#e5b8fc" },
  wrong: { light: "#b84a00", dark: "#ff8f4d" },
  missed: { light: "#0275b8", dark: "#509bf1" },
  uncertain: { light: "#966000", dark: "#e8b04a" },
} as const;

type Colour = keyof typeof DRAWING_COLOURS;

/** The colours of a line and its label, its width and dashes. */
export interface ArcLine {
  readonly stroke: Colour;
  readonly label: Colour;
  readonly width: number;
  readonly dashes?: string;
}

/** Kinds of lines: kinds of arcs, and arcs of the one tree that a parser is not sure of. */
export type LineName = ArcKind | "uncertain" | "doubtful";

/** How lines are drawn: kinds differ in dashes and width, and doubt in the probability next to it, not in colour alone. */
export const ARC_LINES: Readonly<Record<LineName, ArcLine>> = {
  plain: { stroke: "arc", label: "label", width: 1.4 },
  uncertain: { stroke: "uncertain", label: "label", width: 1.4 },
  doubtful: { stroke: "wrong", label: "label", width: 1.4 },
  right: { stroke: "right", label: "label", width: 1.4 },
  relabelled: { stroke: "relabelled", label: "relabelled", width: 2, dashes: "9 3" },
  wrong: { stroke: "wrong", label: "wrong", width: 2.2 },
  missed: { stroke: "missed", label: "missed", width: 1.6, dashes: "3 3" },
  alternative: { stroke: "right", label: "label", width: 1.4, dashes: "5 3" },
};

/** Probabilities below which an arc is doubtful, and uncertain. */
const DOUBTFUL = 0.5;
const UNCERTAIN = 0.9;

/** Returns the name of the line of an arc. */
export function lineName({ kind = "plain", probability = 1 }: DiagramArc): LineName {
  if (kind !== "plain" || probability >= UNCERTAIN) return kind;
  return probability < DOUBTFUL ? "doubtful" : "uncertain";
}

function properties(scheme: "light" | "dark"): string {
  return Object.entries(DRAWING_COLOURS)
    .map(([name, of]) => `--aw-${name}:${of[scheme]}`)
    .join(";");
}

/** Colours of the page in place of the attributes of a drawing, which are colours of light pages. */
const RULES = [
  ".aw{color:var(--aw-ink)}",
  ".aw .paper{fill:var(--aw-paper)}",
  ".aw .tag,.aw .token text,.aw .empty .form{fill:var(--aw-soft)}",
  ".aw .token path{stroke:var(--aw-soft)}",
  ".aw .marked .form{fill:var(--aw-wrong)}",
  ".aw .label{stroke:var(--aw-paper)}",
  ...Object.entries(ARC_LINES).flatMap(([kind, { stroke, label }]) => [
    `.aw .arc.${kind} .line{stroke:var(--aw-${stroke})}`,
    `.aw .arc.${kind} .arrow{fill:var(--aw-${stroke})}`,
    `.aw .arc.${kind} .label{fill:var(--aw-${label})}`,
  ]),
  ".aw .arc:hover .line{stroke:var(--aw-ink);stroke-width:2.6}",
  ".aw .arc:hover .arrow,.aw .arc:hover .label{fill:var(--aw-ink)}",
].join("");

/**
 * The style sheet of drawings: colours, light and dark by the preference of the reader, and arcs under the pointer.
 * Its custom properties, `--aw-arc` and so on by the names of `DRAWING_COLOURS`, are declared on `:root`; a page may
 * declare others on any element around a drawing. A drawing in a page without it has the colours of light pages.
 *
 * @example
 * const page = `<style>${DRAWING_STYLE}</style>${drawSvg(sentence, { isStandalone: false })}`;
 */
export const DRAWING_STYLE =
  `:root{${properties("light")}}` + `@media(prefers-color-scheme:dark){:root{${properties("dark")}}}${RULES}`;
