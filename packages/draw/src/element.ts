import { parseConllu } from "@arcwise/conllu";
import type { Diagram } from "./diagram.ts";
import type { DrawOptions } from "./options.ts";
import type { DrawableSentence } from "./sentence-diagram.ts";
import { DRAWING_STYLE } from "./style.ts";
import { drawSvg } from "./svg.ts";
import { markup, rawMarkup } from "./text/markup.ts";

const NAME = "arcwise-tree";
/** The attributes of the element; each is the option of `drawSvg` of that name. */
const ATTRIBUTES = ["layout", "graph", "tags", "direction"] as const;
/** Drawings in the shadow tree of an element, of which the style sheet of the page does not know. */
const STYLE = `:host{display:block;overflow-x:auto}svg{display:block;margin:0 auto}${DRAWING_STYLE.replaceAll(":root", ":host")}`;

/** An element `<arcwise-tree>`. */
export interface ArcwiseTreeElement extends HTMLElement {
  /** The sentence or diagram that is drawn in place of the text of the element. */
  sentence: DrawableSentence | Diagram | undefined;
}

/**
 * Defines the element `<arcwise-tree>` in the page: it draws the sentences of its text, in CoNLL-U, or of its property
 * `sentence`, as wide as its place, and again whenever they change. Its attributes `layout`, `graph`, `tags` (names between
 * spaces) and `direction` are the options of `drawSvg`. What is wrong with the text is shown in place of the drawing. Does
 * nothing if the element is defined already, or without a DOM.
 *
 * @example
 * defineArcwiseTree();
 * document.querySelector("arcwise-tree").sentence = nlp.run("Dogs bark.")[0];
 */
export function defineArcwiseTree(): void {
  const { customElements: registry } = globalThis;
  if (registry === undefined || registry.get(NAME) !== undefined) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  registry.define(NAME, elementClass(sheet));
}

/** Returns the class of the element; without a DOM, it could not be declared. */
function elementClass(sheet: CSSStyleSheet): CustomElementConstructor {
  return class extends HTMLElement implements ArcwiseTreeElement {
    static readonly observedAttributes: readonly string[] = ATTRIBUTES;
    readonly #shadow = this.attachShadow({ mode: "open" });
    #sentence: DrawableSentence | Diagram | undefined;
    #width = 0;
    readonly #sizes = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry!.contentRect.width);
      if (width === this.#width) return;
      this.#width = width;
      this.#draw();
    });
    readonly #texts = new MutationObserver(() => this.#draw());

    get sentence(): DrawableSentence | Diagram | undefined {
      return this.#sentence;
    }

    set sentence(sentence: DrawableSentence | Diagram | undefined) {
      this.#sentence = sentence;
      this.#draw();
    }

    connectedCallback(): void {
      this.#shadow.adoptedStyleSheets = [sheet];
      this.#sizes.observe(this);
      this.#texts.observe(this, { characterData: true, childList: true, subtree: true });
    }

    disconnectedCallback(): void {
      this.#sizes.disconnect();
      this.#texts.disconnect();
      this.#width = 0;
    }

    attributeChangedCallback(): void {
      this.#draw();
    }

    #draw(): void {
      if (this.#width === 0) return;
      try {
        const options = { ...optionsOf(this), width: this.#width, isStandalone: false };
        const sentences = this.#sentence === undefined ? sentencesOf(this) : [this.#sentence];
        const drawn = sentences.map((sentence) => rawMarkup(drawSvg(sentence, options)));
        this.#shadow.innerHTML = String(markup`${drawn}`);
      } catch (error) {
        this.#shadow.textContent = (error as Error).message;
      }
    }
  };
}

/** Reads the text of an element. Columns may be separated by spaces, which editors of pages tend to write. */
function sentencesOf({ textContent }: HTMLElement): readonly DrawableSentence[] {
  const lines = textContent.trim().split(/\r?\n/);
  const rows = lines.map((line) => {
    const row = line.trim();
    return row.startsWith("#") || row.includes("\t") ? row : row.replaceAll(/ +/g, "\t");
  });
  return rows.join("") === "" ? [] : parseConllu(`${rows.join("\n")}\n\n`);
}

function optionsOf(element: HTMLElement): DrawOptions {
  const given = ATTRIBUTES.flatMap((name): [string, unknown][] => {
    const value = element.getAttribute(name);
    if (value === null) return [];
    return [[name, name === "tags" ? value.split(/\s+/).filter((tag) => tag !== "") : value]];
  });
  return Object.fromEntries(given);
}
