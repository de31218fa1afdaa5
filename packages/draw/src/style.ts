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
} as const;

function properties(scheme: "light" | "dark"): string {
  return Object.entries(DRAWING_COLOURS)
    .map(([name, colour]) => `--aw-${name}:${colour[scheme]}`)
    .join(";");
}

/** Kinds of arcs differ in dashes and width too, not in colour alone. */
const RULES = [
  ".aw{color:var(--aw-ink)}",
  ".aw .paper{fill:var(--aw-paper)}",
  ".aw .tag,.aw .token text{fill:var(--aw-soft)}",
  ".aw .token path{stroke:var(--aw-soft)}",
  ".aw .empty .form{font-style:italic;fill:var(--aw-soft)}",
  ".aw .marked .form{fill:var(--aw-wrong);text-decoration:underline;text-underline-offset:3px}",
  ".aw .arc{--aw-line:var(--aw-arc)}",
  ".aw .arc .line{stroke:var(--aw-line)}",
  ".aw .arc .arrow{fill:var(--aw-line)}",
  ".aw .label{fill:var(--aw-label);stroke:var(--aw-paper)}",
  ".aw .arc.right,.aw .arc.alternative{--aw-line:var(--aw-right)}",
  ...["relabelled", "wrong", "missed"].flatMap((kind) => [
    `.aw .arc.${kind}{--aw-line:var(--aw-${kind})}`,
    `.aw .arc.${kind} .label{fill:var(--aw-${kind})}`,
  ]),
  ".aw .arc.relabelled .line{stroke-width:2;stroke-dasharray:9 3}",
  ".aw .arc.wrong .line{stroke-width:2.2}",
  ".aw .arc.missed .line{stroke-width:1.6;stroke-dasharray:3 3}",
  ".aw .arc.alternative .line{stroke-dasharray:5 3}",
  ".aw .arc:hover{--aw-line:var(--aw-ink)}",
  ".aw .arc:hover .line{stroke-width:2.6}",
  ".aw .arc:hover .label{fill:var(--aw-ink)}",
].join("");

/**
 * The style sheet of drawings, light and dark by the preference of the reader. Its custom properties, `--aw-arc`
 * and so on by the names of `DRAWING_COLOURS`, are declared on `:root`; a page may declare others on any element
 * around a drawing.
 */
export const DRAWING_STYLE =
  `:root{${properties("light")}}` + `@media(prefers-color-scheme:dark){:root{${properties("dark")}}}${RULES}`;
