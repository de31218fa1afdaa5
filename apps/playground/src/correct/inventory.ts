import { type ConlluSentence, universalTerms } from "@arcwise/conllu";
import { depsItems } from "./linked.ts";
import { itemsOf } from "./misc.ts";

/** Counts of values. */
export type Counts = Map<string, number>;

/** The names of lists of values; `edeprel`: relations of enhanced graphs; `feats`: features `Name=Value`. */
export const LIST_NAMES = ["upos", "xpos", "deprel", "edeprel", "feats"] as const;
/** A name of `LIST_NAMES`. */
export type ListName = (typeof LIST_NAMES)[number];

/** The counts of values that the words of a treebank have: an editor offers them. */
export interface Inventory extends Readonly<Record<ListName, Counts>> {
  /** By UPOS. */
  readonly byTag: Map<string, Readonly<Record<ListName, Counts>>>;
  /** By form: counts of UPOS. */
  readonly byForm: Map<string, Counts>;
}

/** Lists of one's own, which come in place of what the treebank and Universal Dependencies have. */
export type OwnLists = Readonly<Partial<Record<ListName, readonly string[]>>>;

/** Returns an inventory without values. */
export function newInventory(): Inventory {
  return { ...newCounts(), byTag: new Map(), byForm: new Map() };
}

function newCounts(): Record<ListName, Counts> {
  return { upos: new Map(), xpos: new Map(), deprel: new Map(), edeprel: new Map(), feats: new Map() };
}

/** Returns the entry of a key, which is made if it is absent. */
function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const entry = map.get(key) ?? make();
  map.set(key, entry);
  return entry;
}

function count(counts: Counts, value: string): void {
  if (value !== "_" && value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
}

/** Counts the values of a sentence. O(words). */
export function addToInventory(inventory: Inventory, { rows }: ConlluSentence): void {
  for (const row of rows) {
    if (row.kind === "range") continue;
    const { form, upos, xpos, deprel } = row;
    const edeprel = depsItems(row.deps).map(({ relation = "" }) => relation);
    const values = { upos: [upos], xpos: [xpos], deprel: [deprel], edeprel, feats: itemsOf(row.feats) };
    const own = entryOf(inventory.byTag, upos, newCounts);
    for (const name of LIST_NAMES)
      for (const value of values[name]) for (const counts of [own, inventory]) count(counts[name], value);
    count(
      entryOf(inventory.byForm, form, () => new Map()),
      upos,
    );
  }
}

/** Returns values, the most frequent first. */
export function ranked(counts: Counts | undefined): string[] {
  return [...(counts ?? [])].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([value]) => value);
}

/** The relations that are most frequent in Universal Dependencies, for files that have few of them. */
const FREQUENT =
  "case nsubj det nmod obl obj advmod amod conj cc mark aux compound cop xcomp advcl acl nummod ccomp".split(
    " ",
  );

/**
 * Returns the values of a column that an editor offers for a word: the list of one's own, or else the values of words
 * with this tag, of other words, and of Universal Dependencies, each by frequency.
 */
export function offered(
  inventory: Inventory,
  column: Exclude<ListName, "feats">,
  upos: string,
  lists: OwnLists = {},
): string[] {
  const own = lists[column];
  if (own !== undefined && own.length > 0) return [...own];
  const tag = inventory.byTag.get(upos);
  const relations = () => [...FREQUENT, ...universalTerms("deprel")];
  const universal = {
    upos: () => universalTerms("upos"),
    xpos: () => [],
    deprel: relations,
    edeprel: relations,
  };
  const near = { upos: undefined, xpos: tag?.xpos, deprel: tag?.deprel, edeprel: tag?.deprel };
  return [...new Set([...ranked(near[column]), ...ranked(inventory[column]), ...universal[column]()])];
}

/** Returns the most frequent UPOS of a form in the treebank; undefined for a new form. */
export function usualTag({ byForm }: Inventory, form: string): string | undefined {
  return ranked(byForm.get(form) ?? byForm.get(form.toLowerCase()))[0];
}

/** A feature that an editor offers, with its values. */
export interface OfferedFeature {
  readonly name: string;
  readonly values: readonly string[];
  /** Whether words with the tag have it in this treebank, or it is in the list of one's own. */
  readonly isUsual: boolean;
}

/**
 * Returns the features that an editor offers for words with a tag: features that such words have in the treebank, the
 * most frequent first, then features of other words, then features of Universal Dependencies.
 */
export function offeredFeatures(inventory: Inventory, upos: string, lists: OwnLists = {}): OfferedFeature[] {
  const own = lists.feats ?? [];
  const usual = own.length > 0 ? own : ranked(inventory.byTag.get(upos)?.feats);
  const others = own.length > 0 ? [] : [...ranked(inventory.feats), ...universalTerms("feats")];
  const names = new Map<string, { values: Set<string>; isUsual: boolean }>();
  for (const [features, isUsual] of [[usual, true] as const, [others, false] as const]) {
    for (const feature of features) {
      const equals = feature.indexOf("=");
      const name = feature.slice(0, Math.max(0, equals));
      if (name === "") continue;
      const make = () => ({ values: new Set<string>(), isUsual });
      entryOf(names, name, make).values.add(feature.slice(equals + 1));
    }
  }
  return Array.from(names, ([name, { values, isUsual }]) => ({ name, values: [...values], isUsual }));
}

/** Returns the features of a word that no word with its tag has in the treebank, or that are not in one's own list. */
export function unusualFeatures(
  inventory: Inventory,
  upos: string,
  feats: string,
  lists: OwnLists = {},
): string[] {
  const own = new Set(lists.feats?.length ? lists.feats : inventory.byTag.get(upos)?.feats.keys());
  return own.size === 0 ? [] : itemsOf(feats).filter((feature) => !own.has(feature));
}
