import {
  type ArcKind,
  arcKey,
  type Diagram,
  type DiagramArc,
  drawSvg,
  judgeArcs,
  type Markup,
  markup,
  rawMarkup,
} from "@arcwise/draw";
import {
  FILTERS,
  type Filter,
  type PackedSet,
  type SentenceSet,
  type ShownSentence,
  selectSentences,
  unpackSentences,
} from "./sentences.ts";

/** The edges below the words: gold edges that were not found, all gold edges, or the edges of a contestant. */
type Below = "missed" | "gold" | number;

/** The choices of a user: sentences, and the edges above and below them. */
interface View {
  readonly filter: Filter;
  readonly search: string;
  readonly above: number;
  readonly below: Below;
}

/**
 * Returns the diagram of a sentence: above the words what a contestant found, below them gold edges that it
 * missed, all gold edges, or what another contestant found.
 */
export function sentenceDiagram(sentence: ShownSentence, above: number, below: Below): Diagram {
  const { forms, graphs, found } = sentence;
  const gold = graphs[0]!;
  const judged = judgeArcs(graphs[found[above]!]!, gold);
  const under = (): readonly DiagramArc[] => {
    if (below === "missed") return judged.missed;
    if (below === "gold") return gold.map((edge) => ({ ...edge, kind: "right" }));
    return judgeArcs(graphs[found[below]!]!, gold).predicted;
  };
  return {
    words: forms.map((form, i) => ({ id: `${i + 1}`, form, tags: [] })),
    arcs: [...judged.predicted, ...under().map((arc) => ({ ...arc, isBelow: true }))],
    tokens: [],
    direction: "ltr",
  };
}

/** Draws a diagram for a page, in lines of at most `width` pixels. */
export function drawDiagram(diagram: Diagram, width: number): Markup {
  return rawMarkup(drawSvg(diagram, { width, isStandalone: false }));
}

const KINDS: readonly (readonly [kind: ArcKind, text: string])[] = [
  ["right", "right"],
  ["relabelled", "right head, wrong label: found / gold"],
  ["wrong", "wrong head"],
  ["missed", "gold arc that is missed"],
];

/** A list of the kinds of arcs, each drawn as in the diagrams. */
export const ARC_LEGEND = markup`<ul class="legend arc-legend">${KINDS.map(
  ([kind, text]) => markup`<li>${rawMarkup(arcKey(kind))}${text}</li>`,
)}</ul>`;

/** Sets up every browser of sentences of a page, from the data that the page holds. */
export function sentenceBrowsers(page: Document): void {
  for (const [i, root] of [...page.querySelectorAll<HTMLElement>(".browser")].entries()) {
    const data = root.querySelector('script[type="application/json"]')?.textContent ?? "";
    const set = unpackSentences(JSON.parse(data) as PackedSet);
    if (set.sentences.length > 0) setUp(root, set, `browser-${i + 1}`);
  }
}

function setUp(root: HTMLElement, set: SentenceSet, id: string): void {
  const body = root.querySelector<HTMLElement>(".browser-body")!;
  body.innerHTML = String(controls(set, id));
  const part = <T extends HTMLElement>(name: string): T => body.querySelector<T>(`[data-part="${name}"]`)!;
  const [filter, search] = [part<HTMLSelectElement>("filter"), part<HTMLInputElement>("search")];
  const [above, below] = [part<HTMLSelectElement>("above"), part<HTMLSelectElement>("below")];
  let selected: readonly number[] = [];
  let at = 0;

  const view = (): View => ({
    filter: filter.value as Filter,
    search: search.value,
    above: Number(above.value),
    below: below.value === "missed" || below.value === "gold" ? below.value : Number(below.value),
  });
  const draw = (): void => {
    const sentence = set.sentences[selected[at]!];
    // Not `disabled`, by which a button would lose the focus, and keys would go elsewhere.
    part("previous").setAttribute("aria-disabled", `${at === 0}`);
    part("next").setAttribute("aria-disabled", `${at + 1 >= selected.length}`);
    part("position").textContent =
      sentence === undefined
        ? "No sentence fits"
        : `${at + 1} of ${selected.length} (sentence ${sentence.index + 1} of the file)`;
    part("diagram").innerHTML =
      sentence === undefined ? "" : String(diagram(sentence, view(), part("diagram").clientWidth));
    part("results").innerHTML = sentence === undefined ? "" : String(results(set, sentence, view().above));
    scrollToError(part("diagram"));
  };
  /** Selects anew, and stays at the sentence that was shown if it is still selected. */
  const select = (): void => {
    const before = selected[at];
    const { filter: wanted, search: text, above: shown } = view();
    selected = selectSentences(set.sentences, { filter: wanted, shown, search: text });
    at = Math.max(0, before === undefined ? 0 : selected.indexOf(before));
    draw();
  };
  const go = (step: number): void => {
    const to = Math.min(selected.length - 1, Math.max(0, at + step));
    if (to === at || to < 0) return;
    at = to;
    draw();
  };

  for (const control of [filter, above]) control.addEventListener("change", select);
  search.addEventListener("input", select);
  below.addEventListener("change", draw);
  part("previous").addEventListener("click", () => go(-1));
  part("next").addEventListener("click", () => go(1));
  part("results").addEventListener("click", ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>("button[data-contestant]");
    if (button === null) return;
    const { contestant } = button.dataset;
    above.value = contestant!;
    select();
    part("results").querySelector<HTMLButtonElement>(`[data-contestant="${contestant}"]`)?.focus();
  });
  root.addEventListener("keydown", (event) => {
    const step = stepOf(event);
    if (step === 0) return;
    event.preventDefault();
    go(step);
  });
  select();
}

/** Space to the left of an error that a diagram is scrolled to, in pixels. */
const BEFORE_ERROR = 60;

/** Scrolls a diagram that is wider than the screen so that its first error is in sight. */
function scrollToError(diagram: HTMLElement): void {
  diagram.scrollLeft = 0;
  const errors = [...diagram.querySelectorAll("g.wrong, g.relabelled, g.missed")];
  const lefts = errors.map((error) => error.getBoundingClientRect().left);
  const first = Math.min(...lefts) - diagram.getBoundingClientRect().left;
  if (first > diagram.clientWidth / 2) diagram.scrollLeft = first - BEFORE_ERROR;
}

/** Returns how far a key goes: 1 or -1; 0 for other keys, and for keys of a control or a scrolled diagram. */
function stepOf({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): number {
  if (ctrlKey || metaKey || altKey) return 0;
  const element = target as Element;
  if (element.closest("input, select") !== null) return 0;
  if (key === "n") return 1;
  if (key === "p") return -1;
  const scrolls = element.closest("[data-part=diagram]");
  if (scrolls !== null && scrolls.scrollWidth > scrolls.clientWidth) return 0;
  return key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
}

function controls({ contestants }: SentenceSet, id: string): Markup {
  const options = contestants.map((name, i) => option(`${i}`, name));
  const filters = Object.entries(FILTERS).map(([value, text]) => option(value, text, value === "any"));
  const control = (name: string, label: string, element: Markup): Markup =>
    markup`<div class="control"><label for="${id}-${name}">${label}</label>${element}</div>`;
  const select = (name: string, content: readonly Markup[]): Markup =>
    markup`<select id="${id}-${name}" data-part="${name}">${content}</select>`;
  const gold = [option("missed", "gold arcs that are missed"), option("gold", "all gold arcs")];
  const search = markup`<input id="${id}-search" data-part="search" type="search" autocomplete="off" spellcheck="false">`;
  return markup`<div class="controls">${[
    control("filter", "Show", select("filter", filters)),
    control("search", "With the text or label", search),
    control("above", "Above the words", select("above", options)),
    control("below", "Below the words", select("below", [...gold, ...options])),
  ]}</div>
<div class="steps"><button type="button" data-part="previous" aria-keyshortcuts="p ArrowLeft">← Previous</button>
<button type="button" data-part="next" aria-keyshortcuts="n ArrowRight">Next →</button>
<span data-part="position" role="status"></span>
<small class="keys">Keys: <kbd>n</kbd> next, <kbd>p</kbd> previous</small></div>
<div class="scroll" data-part="diagram" tabindex="0" role="region" aria-label="Arc diagram"></div>
${ARC_LEGEND}<div class="scroll" data-part="results"></div>`;
}

function option(value: string, text: string, isChosen = false): Markup {
  return markup`<option value="${value}"${isChosen ? markup` selected` : undefined}>${text}</option>`;
}

/** Minimum width of lines of words, for screens that are narrower than any phone. */
const MIN_WIDTH = 300;

function diagram(sentence: ShownSentence, { above, below }: View, width: number): Markup {
  return drawDiagram(sentenceDiagram(sentence, above, below), Math.max(MIN_WIDTH, width));
}

/** Returns a table of all contestants on one sentence. */
function results({ contestants }: SentenceSet, { graphs, found }: ShownSentence, shown: number): Markup {
  const rows = contestants.map((name, i) => {
    const judged = judgeArcs(graphs[found[i]!]!, graphs[0]!);
    const count = (kind: ArcKind): number => judged.predicted.filter((arc) => arc.kind === kind).length;
    const counts = [count("right"), count("relabelled"), count("wrong"), judged.missed.length];
    const cells = counts.map((value) => markup`<td class="right">${value}</td>`);
    const button = markup`<button type="button" class="link" data-contestant="${i}" aria-pressed="${i === shown}">${name}</button>`;
    const chosen = i === shown ? markup` class="chosen"` : undefined;
    return markup`<tr${chosen}><th scope="row" class="left">${button}</th>${cells}</tr>`;
  });
  const heads = ["right arcs", "wrong label", "wrong head", "missed"].map(
    (name) => markup`<th scope="col" class="right">${name}</th>`,
  );
  return markup`<table><thead><tr><th scope="col" class="left">name</th>${heads}</tr></thead><tbody>${rows}</tbody></table>`;
}
