/** Colours on light and on dark pages. */
const LIGHT = {
  paper: "#ffffff",
  ink: "#1c2024",
  soft: "#68727d",
  arc: "#6b7f99",
  label: "#3b4a5c",
  wrong: "#b84a00",
  relabelled: "#7d1d84",
  missed: "#0275b8",
} as const;
const DARK: Readonly<Record<keyof typeof LIGHT, string>> = {
  paper: "#14181c",
  ink: "#e6e9ec",
  soft: "#98a2ad",
  arc: "#8ba0bb",
  label: "#c3cfdd",
  wrong: "#ff8f4d",
  relabelled: "#e5b8fc",
  missed: "#5aa9f5",
};

function properties(colours: Readonly<Record<string, string>>): string {
  return Object.entries(colours)
    .map(([name, value]) => `--aw-${name}:${value}`)
    .join(";");
}

const RULES = [
  ".aw{color:var(--aw-ink)}",
  ".aw .paper{fill:var(--aw-paper)}",
  ".aw .tag,.aw .token text{fill:var(--aw-soft)}",
  ".aw .token path{stroke:var(--aw-soft)}",
  ".aw .empty .form{font-style:italic;fill:var(--aw-soft)}",
  ".aw .arc{--aw-line:var(--aw-arc)}",
  ".aw .arc .line{stroke:var(--aw-line)}",
  ".aw .arc .arrow{fill:var(--aw-line)}",
  ".aw .label{fill:var(--aw-label);stroke:var(--aw-paper)}",
  ...["wrong", "relabelled", "missed"].flatMap((kind) => [
    `.aw .arc.${kind}{--aw-line:var(--aw-${kind})}`,
    `.aw .arc.${kind} .label{fill:var(--aw-${kind})}`,
  ]),
  ".aw .arc.wrong .line,.aw .arc.relabelled .line{stroke-width:1.8}",
  ".aw .arc.missed .line,.aw .arc.alternative .line{stroke-dasharray:5 3}",
  ".aw .arc:hover{--aw-line:var(--aw-ink)}",
  ".aw .arc:hover .line{stroke-width:2.4}",
  ".aw .arc:hover .label{fill:var(--aw-ink)}",
].join("");

/**
 * The style sheet of drawings, light and dark by the preference of the reader. Its custom properties
 * (`--aw-paper`, `--aw-ink`, `--aw-soft`, `--aw-arc`, `--aw-label`, `--aw-wrong`, `--aw-relabelled`,
 * `--aw-missed`) are declared on `:root`; a page may declare others on any element around a drawing.
 */
export const DRAWING_STYLE =
  `:root{${properties(LIGHT)}}` + `@media(prefers-color-scheme:dark){:root{${properties(DARK)}}}${RULES}`;
