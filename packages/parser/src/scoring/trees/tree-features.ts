import { ArcwiseError, type ArcwiseErrorOptions } from "@arcwise/core/errors";
import type { SentenceEncoder } from "@arcwise/core/features";
import { suggestion } from "@arcwise/core/options";
import type { TreeView } from "./tree-view.ts";

/** A feature of a whole tree, computed for every tree of a search. It may depend on anything. */
export interface WholeFeature {
  readonly scope: "tree";
  /** Returns the features of a tree as texts. A repeated text counts as often as it comes. */
  features(tree: TreeView): Iterable<string>;
}

/**
 * A feature of each word of a tree, recomputed only where a change of head can affect it.
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
  /** Returns the features of a word in a tree as texts. */
  features(tree: TreeView, word: number): Iterable<string>;
}

/** A feature of each word with a function that lists the words that a change of head affects. */
export interface TouchedFeature {
  readonly scope?: undefined;
  features(tree: TreeView, word: number): Iterable<string>;
  /**
   * Returns the words (0 is the root) whose features can differ when the head of `modifier` becomes
   * `newHead`; `tree` is the one before, with `oldHead`. Repeated words count once.
   */
  touched(tree: TreeView, modifier: number, oldHead: number, newHead: number): Iterable<number>;
}

/** A feature of whole trees, by what it depends on. */
export type TreeFeature = WholeFeature | LocalFeature | TouchedFeature;

/** Features of whole trees: the default export of a module for the setting `global`. */
export interface TreeFeatures {
  /** A model stores it, and parses with features of that name only. */
  readonly name: string;
  /** The features by name. A model stores the names. */
  readonly features: Readonly<Record<string, TreeFeature>>;
  /** The module as the user specified it. A model stores it for messages. */
  readonly specifier?: string | undefined;
  /** The URL from which worker threads load the module. */
  readonly url?: string | undefined;
}

/** A value does not define features of whole trees, or not the features that a model was trained with. */
export class TreeFeatureError extends ArcwiseError {
  override readonly name = "TreeFeatureError";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("invalid-tree-features", message, options);
  }
}

const SCOPES = ["tree", "head", "modifiers", "both"] as const;
const FORM = '{ name: "...", features: { ... } }';

/**
 * Checks features of whole trees.
 *
 * @param source their name in messages
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
  const { scope, features, touched } = (value ?? {}) as Partial<TouchedFeature> & {
    scope?: string | undefined;
  };
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

/** Returns an encoder that keeps the words of sentences if features of whole trees read them. */
export function withWords(encoder: SentenceEncoder, features: unknown): SentenceEncoder {
  if (features === undefined) return encoder;
  return { ...encoder, encode: (sentence) => ({ ...encoder.encode(sentence), words: sentence }) };
}

/** The part of a module of features that a model stores, and the size of their table. Plain data. */
export interface TreeFeatureTable {
  readonly name: string;
  readonly specifier?: string | undefined;
  readonly features: readonly string[];
  /** The table has 2^bits weights. */
  readonly bits: number;
}

/** Returns the part of features that a model stores. */
export function tableOf({ name, specifier, features }: TreeFeatures, bits: number): TreeFeatureTable {
  return { name, specifier, features: Object.keys(features), bits };
}

/** Checks that features are those that a model was trained with. */
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
