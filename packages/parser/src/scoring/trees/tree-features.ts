import { type SentenceEncoder, suggestion } from "@arcwise/core/features";
import type { TreeView } from "./tree-view.ts";

/**
 * A feature of a whole tree, computed again for every tree that a search looks at: any cost, any question.
 */
export interface WholeFeature {
  readonly scope: "tree";
  /** The features of a tree, as texts. A text that comes twice counts twice. */
  features(tree: TreeView): Iterable<string>;
}

/**
 * A feature of each word of a tree, computed again only where a change of head can change it.
 *
 * | scope | what the features of a word may depend on | words from |
 * |---|---|---|
 * | `"head"` | its head | 1 |
 * | `"modifiers"` | its modifiers | 0, the root |
 * | `"both"` | its head and its modifiers | 0 |
 *
 * The words themselves may be read everywhere.
 */
export interface LocalFeature {
  readonly scope: "head" | "modifiers" | "both";
  /** The features of a word in a tree, as texts. */
  features(tree: TreeView, word: number): Iterable<string>;
}

/** A feature of each word that says itself which words a change of head touches. */
export interface TouchedFeature {
  readonly scope?: undefined;
  features(tree: TreeView, word: number): Iterable<string>;
  /**
   * The words (0 is the root) whose features can differ when the head of `modifier` becomes `newHead`; `tree`
   * is the one before, with `oldHead`. Words that come twice count once.
   */
  touched(tree: TreeView, modifier: number, oldHead: number, newHead: number): Iterable<number>;
}

export type TreeFeature = WholeFeature | LocalFeature | TouchedFeature;

/** Features of whole trees of one's own: what a module for `--global` has as its default export. */
export interface TreeFeatures {
  /** A model remembers it, and parses with features of that name only. */
  readonly name: string;
  /** The features by name. A model remembers the names. */
  readonly features: Readonly<Record<string, TreeFeature>>;
  /** How the module was named when it was loaded. A model remembers it for its messages. */
  readonly specifier?: string;
  /** Where worker threads load the module from. */
  readonly url?: string;
}

/** What is given as features of whole trees is none, or not what a model was trained with. */
export class TreeFeatureError extends Error {
  override readonly name = "TreeFeatureError";
}

const SCOPES = ["tree", "head", "modifiers", "both"] as const;
const FORM = '{ name: "...", features: { ... } }';

/**
 * Checks what a module gives as features of whole trees.
 *
 * @param source what messages call it
 * @throws TreeFeatureError that says what was expected and what was found
 */
export function checkTreeFeatures(value: unknown, source = "global"): asserts value is TreeFeatures {
  if (typeof value !== "object" || value === null) {
    throw new TreeFeatureError(`${source}: expected ${FORM}, found ${kindOf(value)}`);
  }
  const { name, features } = value as Partial<TreeFeatures>;
  if (typeof name !== "string" || name === "") {
    throw new TreeFeatureError(`${source}: expected a name, found ${kindOf(name)}`);
  }
  if (typeof features !== "object" || features === null || Object.keys(features).length === 0) {
    throw new TreeFeatureError(`${source}: expected an object of features, found ${kindOf(features)}`);
  }
  for (const [key, feature] of Object.entries(features)) checkFeature(feature, `${source}: features.${key}`);
}

function checkFeature(value: unknown, path: string): void {
  const { scope, features, touched } = (value ?? {}) as Partial<TouchedFeature> & { scope?: string };
  if (typeof features !== "function") {
    throw new TreeFeatureError(`${path}: expected a function "features", found ${kindOf(features)}`);
  }
  if (scope === undefined && typeof touched === "function") return;
  if (scope === undefined) {
    throw new TreeFeatureError(`${path}: expected a scope or a function "touched", found neither`);
  }
  if (touched !== undefined) throw new TreeFeatureError(`${path}: expected a scope or "touched", found both`);
  if ((SCOPES as readonly string[]).includes(scope)) return;
  const found = `found "${scope}"${suggestion(String(scope), SCOPES)}`;
  throw new TreeFeatureError(`${path}: expected a scope of ${SCOPES.join(", ")}, ${found}`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `${typeof value} ${JSON.stringify(value) ?? ""}`.trim();
}

/** An encoder whose sentences hold their words too, where there are features that read them. */
export function withWords(encoder: SentenceEncoder, features: unknown): SentenceEncoder {
  if (features === undefined) return encoder;
  return { ...encoder, encode: (sentence) => ({ ...encoder.encode(sentence), words: sentence }) };
}

/** What a model remembers of a module of features, and the size of their table. Plain data. */
export interface TreeFeatureTable {
  readonly name: string;
  readonly specifier?: string;
  readonly features: readonly string[];
  /** The table has 2^bits weights. */
  readonly bits: number;
}

/** What a model remembers of features. */
export function tableOf({ name, specifier, features }: TreeFeatures, bits: number): TreeFeatureTable {
  return { name, ...(specifier !== undefined && { specifier }), features: Object.keys(features), bits };
}

/**
 * Checks that features are those that a model was trained with.
 *
 * @throws TreeFeatureError when they are missing, others, or given to a model without them
 */
export function matchTreeFeatures(
  known: TreeFeatureTable | undefined,
  given: TreeFeatures | undefined,
): TreeFeatures | undefined {
  if (known === undefined) {
    if (given === undefined) return undefined;
    throw new TreeFeatureError(
      `the model has no features of a module: expected none to parse with, found "${given.name}"`,
    );
  }
  const { name, specifier } = known;
  const what = `features of whole trees of the module "${name}"${specifier ? ` (${specifier})` : ""}`;
  if (given === undefined) {
    throw new TreeFeatureError(
      `the model scores ${what}, which a model file does not hold: give the module with ` +
        `--global ${specifier ?? "FILE"}, or the option global of createParser`,
    );
  }
  checkTreeFeatures(given, given.specifier);
  const names = Object.keys(given.features);
  if (given.name !== name)
    throw new TreeFeatureError(`the model scores ${what}, found the module "${given.name}"`);
  if (names.join() !== known.features.join()) {
    throw new TreeFeatureError(
      `the model scores ${what}: expected its features ${known.features.join(", ")}, found ` +
        `${names.join(", ")}`,
    );
  }
  return given;
}
