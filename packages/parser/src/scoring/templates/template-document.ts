import { PART_KINDS, type PartKind } from "@arcwise/core";
import { ArcwiseError, describeValue, escapeInvisible } from "@arcwise/core/errors";
import {
  checkArcTemplate,
  GLOBAL_VIEWS,
  GLOBAL_WORDS,
  type GlobalView,
  PART_FEATURES,
  parsePartTemplate,
  type Template,
} from "@arcwise/core/features";
import { suggestion } from "@arcwise/core/options";
import { parseTreeTemplate } from "./labeller-templates.ts";

/** A document of feature templates is invalid. The message begins with the path inside the document. */
export class TemplateError extends ArcwiseError {
  override readonly name = "TemplateError";

  constructor(path: string, what: string) {
    super("invalid-templates", escapeInvisible(path === "" ? what : `${path}: ${what}`));
  }
}

/** Checks one template of a list. @throws RangeError */
type Check = (template: Template) => void;

/** The named lists of each section that has some. */
const SECTIONS: Readonly<Record<"parts" | "labeller" | "global", Readonly<Record<string, Check>>>> = {
  parts: Object.fromEntries(PART_KINDS.map((kind) => [kind, checkPart(kind)])),
  labeller: { arc: checkArcTemplate, tree: (template) => void parseTreeTemplate(template) },
  global: Object.fromEntries(GLOBAL_VIEWS.map((view) => [view, checkView(view)])),
};

/** The lists at the top of a document. */
const LISTS: Readonly<Record<string, Check>> = { arc: checkArcTemplate, pruner: checkArcTemplate };
const KNOWN = ["comment", ...Object.keys(LISTS), ...Object.keys(SECTIONS)];

function checkPart(kind: PartKind): Check {
  return (template) => void parsePartTemplate(template, PART_FEATURES[kind].words);
}

function checkView(view: GlobalView): Check {
  return (template) => void parsePartTemplate(template, GLOBAL_WORDS[view]);
}

/** Reads the text of a document of feature templates, `FeatureTemplates` in JSON, and checks it. */
export function parseDocument(text: string): unknown {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new TemplateError("", `expected JSON: ${(error as Error).message}`);
  }
  checkTemplates(document);
  return document;
}

/** Checks a document of feature templates. */
export function checkTemplates(document: unknown): void {
  for (const [name, value] of entriesOf(document, "", KNOWN)) {
    if (name === "comment") {
      if (typeof value !== "string") throw unexpected(name, "a text", value);
    } else if (LISTS[name] !== undefined) {
      checkList(value, name, LISTS[name]);
      if (Array.isArray(value) && value.length === 0)
        throw new TemplateError(name, "expected a template, found none");
    } else if (!(name === "global" && value === false)) {
      const section = SECTIONS[name as keyof typeof SECTIONS];
      for (const [list, templates] of entriesOf(value, name, Object.keys(section))) {
        checkList(templates, `${name}.${list}`, section[list]);
      }
    }
  }
}

/** Returns the entries of an object whose keys are known. */
function entriesOf(value: unknown, path: string, known: readonly string[]): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw unexpected(path, `an object of ${known.join(", ")}`, value);
  }
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  for (const [key] of entries) {
    if (known.includes(key)) continue;
    throw new TemplateError(
      path,
      `expected one of ${known.join(", ")}, found "${key}"${suggestion(key, known)}`,
    );
  }
  return entries;
}

function checkList(value: unknown, path: string, check: Check): void {
  if (Array.isArray(value)) {
    checkEach(value, path, check);
    return;
  }
  if (typeof value !== "object" || value === null) {
    throw unexpected(path, 'a list of templates, or { "add": [...], "remove": [...] }', value);
  }
  for (const [key, list] of entriesOf(value, path, ["add", "remove"])) {
    if (!Array.isArray(list)) throw unexpected(`${path}.${key}`, "a list of templates", list);
    checkEach(list, `${path}.${key}`, check);
  }
}

function checkEach(list: readonly unknown[], path: string, check: Check): void {
  const seen = new Map<string, number>();
  for (const [index, template] of list.entries()) {
    const place = `${path}[${index}]`;
    if (typeof template !== "string") throw unexpected(place, "a template", template);
    const before = seen.get(template);
    if (before !== undefined) {
      throw new TemplateError(
        place,
        `expected each template once, found the template of ${path}[${before}] again`,
      );
    }
    seen.set(template, index);
    try {
      check(template);
    } catch (error) {
      throw error instanceof RangeError ? new TemplateError(place, error.message) : error;
    }
  }
}

function unexpected(path: string, expected: string, found: unknown): TemplateError {
  return new TemplateError(path, `expected ${expected}, found ${describeValue(found)}`);
}
