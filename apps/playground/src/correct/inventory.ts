import { type ConlluSentence, universalTerms } from "@arcwise/conllu";
import { depsItems } from "./linked.ts";

/** Counts of values. */
export type Counts = Map<string, number>;

/** The values that the words of a treebank have: what an editor offers. */
export interface Inventory {
  readonly upos: Counts;
  readonly xpos: Counts;
  readonly deprel: Counts;
  /** Relations of enhanced graphs. */
  readonly edeprel: Counts;
  /** By UPOS: counts of XPOS, of relations, and of features `Name=Value`. */
  readonly byTag: Map<string, { readonly xpos: Counts; readonly deprel: Counts; readonly feats: Counts }>;
  readonly feats: Counts;
  /** By form: counts of UPOS. */
  readonly byForm: Map<string, Counts>;
}

/** Lists of one's own, which come in place of what the treebank and Universal Dependencies have. */
export interface OwnLists {
  readonly upos?: readonly string[] | undefined;
  readonly xpos?: readonly string[] | undefined;
  readonly deprel?: readonly string[] | undefined;
  readonly edeprel?: readonly string[] | undefined;
  readonly feats?: readonly string[] | undefined;
}

/** The names of lists. */
export const LIST_NAMES = ["upos", "xpos", "deprel", "edeprel", "feats"] as const;
/** A name of `LIST_NAMES`. */
export type ListName = (typeof LIST_NAMES)[number];

/** Returns an inventory without values. */
export function newInventory(): Inventory {
  return {
    upos: new Map(),
    xpos: new Map(),
    deprel: new Map(),
    edeprel: new Map(),
    byTag: new Map(),
    feats: new Map(),
    byForm: new Map(),
  };
}

function count(counts: Counts, value: string): void {
  if (value !== "_" && value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
}

/** Counts the values of a sentence. O(words). */
export function addToInventory(inventory: Inventory, { rows }: ConlluSentence): void {
  for (const row of rows) {
    if (row.kind === "range") continue;
    let own = inventory.byTag.get(row.upos);
    if (own === undefined) {
      own = { xpos: new Map(), deprel: new Map(), feats: new Map() };
      inventory.byTag.set(row.upos, own);
    }
    for (const { relation = "" } of depsItems(row.deps)) count(inventory.edeprel, relation);
    for (const feature of row.feats.split("|")) {
      count(own.feats, feature);
      count(inventory.feats, feature);
    }
    count(inventory.upos, row.upos);
    const tags = inventory.byForm.get(row.form) ?? new Map<string, number>();
    count(tags, row.upos);
    inventory.byForm.set(row.form, tags);
    for (const column of ["xpos", "deprel"] as const) {
      count(own[column], row[column]);
      count(inventory[column], row[column]);
    }
  }
}

function ranked(counts: Counts | undefined): string[] {
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
  const near = column === "xpos" ? tag?.xpos : column === "upos" ? undefined : tag?.deprel;
  const universal =
    column === "upos"
      ? universalTerms("upos")
      : column === "xpos"
        ? []
        : [...FREQUENT, ...universalTerms("deprel")];
  return [...new Set([...ranked(near), ...ranked(inventory[column]), ...universal])];
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
      const entry = names.get(name) ?? { values: new Set<string>(), isUsual };
      entry.values.add(feature.slice(equals + 1));
      names.set(name, entry);
    }
  }
  return Array.from(names, ([name, { values, isUsual }]) => ({ name, values: [...values], isUsual }));
}

/** Returns the value of a feature in a FEATS column, or an attribute of MISC; undefined if it is absent. */
export function itemValue(column: string, name: string): string | undefined {
  const item = column.split("|").find((one) => one.startsWith(`${name}=`));
  return item?.slice(name.length + 1);
}

/** Returns FEATS with another value of a feature, sorted as Universal Dependencies asks; "" removes the feature. */
export function withFeature(feats: string, name: string, value: string): string {
  const items = feats === "_" || feats === "" ? [] : feats.split("|");
  const others = items.filter((item) => item.split("=", 1)[0] !== name);
  if (value !== "") others.push(`${name}=${value}`);
  const key = (item: string) => item.toLowerCase();
  return others.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)).join("|") || "_";
}

/** Returns MISC with another value of an attribute in its place, or at the end; "" removes the attribute. */
export function withAttribute(misc: string, name: string, value: string): string {
  const items = misc === "_" || misc === "" ? [] : misc.split("|");
  const at = items.findIndex((item) => item.split("=", 1)[0] === name);
  const added = value === "" ? [] : [`${name}=${value}`];
  if (at >= 0) items.splice(at, 1, ...added);
  else items.push(...added);
  return items.join("|") || "_";
}

/** Returns the features of a word that no word with its tag has in the treebank, or that are not in one's own list. */
export function unusualFeatures(
  inventory: Inventory,
  upos: string,
  feats: string,
  lists: OwnLists = {},
): string[] {
  if (feats === "_" || feats === "") return [];
  const own = new Set(lists.feats?.length ? lists.feats : inventory.byTag.get(upos)?.feats.keys());
  return own.size === 0 ? [] : feats.split("|").filter((feature) => !own.has(feature));
}
