import type { PartKind } from "@arcwise/core";
import {
  ARC_TEMPLATES,
  GLOBAL_TEMPLATES,
  type GlobalView,
  LEAN_ARC_TEMPLATES,
  PART_FEATURES,
  PRUNER_TEMPLATES,
  type Template,
} from "@arcwise/core/features";
import { suggestion } from "@arcwise/core/options";
import { LABEL_ARC_TEMPLATES, LABEL_TREE_TEMPLATES } from "./labeller-templates.ts";
import { checkTemplates, parseDocument, TemplateError } from "./template-document.ts";

/** A list of templates in a document: a complete list, or changes of the built-in one. */
export type TemplateList =
  | readonly Template[]
  | { readonly add?: readonly Template[] | undefined; readonly remove?: readonly Template[] | undefined };

/**
 * A document of feature templates: the contents of a JSON file of the setting `templates`. Sections and lists that are
 * omitted are the built-in ones. A section of something that the model does not have is an error.
 */
export interface FeatureTemplates {
  /** Any text; ignored. */
  readonly comment?: string | undefined;
  /** Features of single arcs. */
  readonly arc?: TemplateList | undefined;
  /** Features of parts, by their kind. */
  readonly parts?: Readonly<Partial<Record<PartKind, TemplateList>>> | undefined;
  /** Features of the pruner. */
  readonly pruner?: TemplateList | undefined;
  /**
   * Features of labels, of a model with the labeller "sequence": of single arcs, and of the tree around them.
   */
  readonly labeller?:
    | { readonly arc?: TemplateList | undefined; readonly tree?: TemplateList | undefined }
    | undefined;
  /** Features of whole trees by view; false: no view has any, because a module has features of its own. */
  readonly global?: false | Readonly<Partial<Record<GlobalView, TemplateList>>> | undefined;
}

/** The complete templates of a model; a section is absent if the model lacks the component it describes. */
export interface TemplateSets {
  readonly arc: readonly Template[];
  readonly parts: Readonly<Partial<Record<PartKind, readonly Template[]>>>;
  readonly pruner?: readonly Template[] | undefined;
  readonly labeller?: { readonly arc: readonly Template[]; readonly tree: readonly Template[] } | undefined;
  readonly global?: Readonly<Partial<Record<GlobalView, readonly Template[]>>> | undefined;
}

/** The parts of a model that determine which templates it has. */
export interface TemplateUse {
  readonly order: number;
  /** Kinds of parts that the model scores. */
  readonly kinds: readonly PartKind[];
  readonly pruner: boolean;
  readonly labeller: "joint" | "sequence";
  /** Whether whole trees are scored. */
  readonly global: boolean;
}

/** Returns the built-in templates of a model. */
export function builtInTemplates({ order, kinds, pruner, labeller, global }: TemplateUse): TemplateSets {
  return {
    arc: order === 1 ? LEAN_ARC_TEMPLATES : ARC_TEMPLATES,
    parts: Object.fromEntries(kinds.map((kind) => [kind, PART_FEATURES[kind].templates])),
    pruner: pruner ? PRUNER_TEMPLATES : undefined,
    labeller: labeller === "sequence" ? { arc: LABEL_ARC_TEMPLATES, tree: LABEL_TREE_TEMPLATES } : undefined,
    global: global ? GLOBAL_TEMPLATES : undefined,
  };
}

/** Applies a document to the built-in templates of a model. */
export function resolveTemplates(use: TemplateUse, document: FeatureTemplates = {}): TemplateSets {
  checkTemplates(document);
  const builtIn = builtInTemplates(use);
  const { arc, pruner, labeller, global } = document;
  expectUse("pruner", pruner, use.pruner, "the model has no pruner (prune is off)");
  expectUse("labeller", labeller, builtIn.labeller, 'the model has no labeller "sequence"');
  expectUse("global", global, use.global, "the model does not score whole trees: set the option global");
  for (const kind of Object.keys(document.parts ?? {})) {
    const known = Object.keys(builtIn.parts).join(", ") || "no parts, which models of order 2 and 3 do";
    expectUse(`parts.${kind}`, true, builtIn.parts[kind as PartKind], `the model scores ${known}`);
  }
  return {
    arc: changed("arc", builtIn.arc, arc),
    parts: changedLists("parts", builtIn.parts, document.parts ?? {}),
    pruner: builtIn.pruner && changed("pruner", builtIn.pruner, pruner),
    labeller: builtIn.labeller && changedLists("labeller", builtIn.labeller, labeller ?? {}),
    global: builtIn.global && (global === false ? {} : changedLists("global", builtIn.global, global ?? {})),
  };
}

function expectUse(path: string, given: unknown, used: unknown, found: string): void {
  if (given === undefined || (used !== undefined && used !== false)) return;
  throw new TemplateError(path, `expected a section that the model uses, but ${found}`);
}

function changedLists<Name extends string>(
  section: string,
  builtIn: Readonly<Partial<Record<Name, readonly Template[]>>>,
  changes: { readonly [Key in Name]?: TemplateList | undefined },
) {
  const lists = Object.entries(builtIn) as [Name, readonly Template[]][];
  return Object.fromEntries(
    lists.map(([name, list]) => [name, changed(`${section}.${name}`, list, changes[name])]),
  ) as Record<Name, readonly Template[]>;
}

/**
 * @throws ArcwiseError `invalid-templates` when a removed template is not in the list, or an added one is in it already
 */
function changed(
  path: string,
  builtIn: readonly Template[],
  change: TemplateList | undefined,
): readonly Template[] {
  if (change === undefined) return builtIn;
  if (isList(change)) return change;
  const { add = [], remove = [] } = change;
  const known = new Set(builtIn);
  for (const [index, template] of remove.entries()) {
    if (known.delete(template)) continue;
    const place = `${path}.remove[${index}]`;
    throw new TemplateError(
      place,
      `expected a template that is built in for this decoder and order, found "${template}"${suggestion(template, builtIn)}`,
    );
  }
  for (const [index, template] of add.entries()) {
    if (!known.has(template)) continue;
    throw new TemplateError(
      `${path}.add[${index}]`,
      `expected a new template, found the built-in "${template}"`,
    );
  }
  return [...known, ...add];
}

function isList(list: TemplateList): list is readonly Template[] {
  return Array.isArray(list);
}

/** Summarises the changes of a document for the description of a model: `arc +2 -1`, `pruner =20`. */
export function templateChanges({ arc, pruner, parts, labeller, global }: FeatureTemplates): string[] {
  const lists: [string, TemplateList | undefined][] = [
    ["arc", arc],
    ["pruner", pruner],
  ];
  for (const [section, named] of Object.entries({ parts, labeller, global })) {
    if (named === false) lists.push([section, []]);
    else for (const [name, list] of Object.entries(named ?? {})) lists.push([`${section}.${name}`, list]);
  }
  return lists.flatMap(([name, list]) => (list === undefined ? [] : [`${name} ${inShort(list)}`]));
}

function inShort(list: TemplateList): string {
  if (isList(list)) return `=${list.length}`;
  return [list.add && `+${list.add.length}`, list.remove && `-${list.remove.length}`]
    .filter(Boolean)
    .join(" ");
}

/** Returns all templates of a model. */
export function allTemplates({ arc, parts, pruner = [], labeller, global = {} }: TemplateSets): Template[] {
  const lists = [...Object.values(parts), ...Object.values(labeller ?? {}), ...Object.values(global)];
  return [arc, pruner, ...lists].flat();
}

/**
 * Reads a document of feature templates in JSON.
 *
 * @throws ArcwiseError `invalid-templates` with the path in the document, what was expected and what was found
 */
export function readTemplates(text: string): FeatureTemplates {
  return parseDocument(text) as FeatureTemplates;
}

/** Writes a model's templates as the text of a document, one template a line. */
export function writeTemplates(sets: TemplateSets): string {
  return `${JSON.stringify(sets, undefined, 2)}\n`;
}
