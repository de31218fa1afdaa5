import { PART_KINDS } from "@arcwise/core";
import { ModelError } from "@arcwise/core/container";
import { ArcwiseError, escapeInvisible } from "@arcwise/core/errors";
import {
  checkArcTemplate,
  GLOBAL_VIEWS,
  GLOBAL_WORDS,
  PART_FEATURES,
  parsePartTemplate,
  type Template,
} from "@arcwise/core/features";
import {
  type Check,
  either,
  list,
  partial,
  readable,
  refuse,
  string,
  suggestion,
} from "@arcwise/core/options";
import { parseTreeTemplate } from "./labeller-templates.ts";

/** A document of feature templates is invalid. The message begins with the path inside the document. */
export class TemplateError extends ArcwiseError {
  override readonly name = "TemplateError";

  constructor(path: string, what: string) {
    super("invalid-templates", escapeInvisible(path === "" ? what : `${path}: ${what}`));
  }
}

/** An object with some of the given members. */
function members(checks: Readonly<Record<string, Check>>): Check {
  const known = Object.keys(checks);
  const names = known.join(", ");
  return (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      refuse(at, `an object of ${names}`, value);
    const other = Object.keys(value).find((name) => !known.includes(name));
    if (other !== undefined)
      throw new TemplateError(at, `expected one of ${names}, found "${other}"${suggestion(other, known)}`);
    partial(checks)(value, at);
  };
}

/** A list of templates that `read` accepts, of at least `min`; or additions to the built-in one, and removals from it. */
function templateList(read: (template: Template) => unknown, min = 0): Check {
  const [whole, some] = [min, 0].map((least) => list(readable(read), { min: least, distinct: true }));
  const changes = members({ add: some!, remove: some! });
  return (value, at) => {
    if (typeof value !== "object" || value === null)
      refuse(at, 'a list of templates, or { "add": [...], "remove": [...] }', value);
    (Array.isArray(value) ? whole! : changes)(value, at);
  };
}

/** An object with a list for each of some names. */
function lists<Name extends string>(
  names: readonly Name[],
  read: (name: Name, template: Template) => unknown,
) {
  return members(
    Object.fromEntries(names.map((name) => [name, templateList((template) => read(name, template))])),
  );
}

const DOCUMENT = members({
  comment: string,
  arc: templateList(checkArcTemplate, 1),
  pruner: templateList(checkArcTemplate, 1),
  parts: lists(PART_KINDS, (kind, template) => parsePartTemplate(template, PART_FEATURES[kind].words)),
  labeller: members({ arc: templateList(checkArcTemplate), tree: templateList(parseTreeTemplate) }),
  global: either(
    false,
    lists(GLOBAL_VIEWS, (view, template) => parsePartTemplate(template, GLOBAL_WORDS[view])),
  ),
});

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
  try {
    DOCUMENT(document, "");
  } catch (error) {
    throw error instanceof ModelError ? new TemplateError("", error.message) : error;
  }
}
