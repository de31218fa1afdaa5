import { describeValue, invalidArgument } from "@arcwise/core/errors";
import { checkArgument, string } from "@arcwise/core/options";

/** Characters that XML 1.0 does not allow, and controls that no page should show. */
const ILLEGAL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A piece of XML or HTML, made by `markup`. `String(piece)` returns its text. */
export class Markup {
  readonly #text: string;

  /** @internal use `markup` */
  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  /** Whether a value is a piece of markup, not an object that looks like one. */
  static is(value: unknown): value is Markup {
    return typeof value === "object" && value !== null && #text in value;
  }
}

/**
 * A template of XML or HTML: its own text is markup, and every value is escaped as the content of an element or of
 * a quoted attribute, whatever its type. Pieces made by `markup` are inserted as they are, the items of lists one
 * after another, and nothing for `undefined`. Characters that XML does not allow become U+FFFD.
 *
 *     String(markup`<b title="${"a\"b"}">${"1 < 2"}</b>`) // <b title="a&quot;b">1 &lt; 2</b>
 *
 * @throws ArcwiseError with code `invalid-argument` when a value has no text
 */
export function markup(template: TemplateStringsArray, ...values: readonly unknown[]): Markup {
  if (!Array.isArray(template) || !template.every((text) => typeof text === "string"))
    throw invalidArgument("markup", "a template", describeValue(template));
  let text = template[0]!;
  for (const [i, value] of values.entries()) text += contentOf(value) + template[i + 1]!;
  return new Markup(text);
}

/**
 * Returns a text that is markup already, such as the result of `drawSvg`, as a piece for `markup`. Nothing is
 * escaped: never call it with a text that holds words of a user or of a file.
 */
export function rawMarkup(text: string): Markup {
  checkArgument(string, text, "rawMarkup: text");
  return new Markup(text);
}

/** Returns a `<style>` element. Rules cannot end it: `</` becomes `<\/`, which means the same in strings of CSS. */
export function styleElement(rules: string): Markup {
  return markup`<style>${rawMarkup(textOf(rules).replaceAll("</", "<\\/"))}</style>`;
}

/** Bundlers rewrite templates with this end tag, so that programs can stand in pages. */
const SCRIPT_END = rawMarkup(`</${"script"}>`);

/**
 * Returns a `<script>` element. Strings and templates of the program cannot end it: `</script` becomes
 * `<\/script` and `<!--` becomes `<\!--`, which mean the same there.
 */
export function scriptElement(program: string): Markup {
  const text = textOf(program)
    .replaceAll(/<\/(?=script)/gi, "<\\/")
    .replaceAll("<!--", "<\\!--");
  return markup`<script>${rawMarkup(text)}${SCRIPT_END}`;
}

function contentOf(value: unknown): string {
  if (Markup.is(value)) return value.toString();
  if (Array.isArray(value)) return value.map(contentOf).join("");
  return value === undefined ? "" : escaped(textOf(value));
}

function escaped(text: string): string {
  return text.replace(ILLEGAL, "\ufffd").replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return `${value}`;
  throw invalidArgument("markup", "a text, a number or a piece of markup", describeValue(value));
}
