import { sentenceId } from "@arcwise/conllu";
import type { SearchMatch } from "@arcwise/conllu/search";
import type { Findings, Hit } from "./find.ts";

/** Columns that matches are counted by, with their names in menus. Features are counted by name. */
export const COLUMNS = {
  form: "form",
  lemma: "lemma",
  upos: "UPOS",
  xpos: "XPOS",
  deprel: "relation",
} as const;

/** A node of the pattern. */
export interface MatchedNode {
  /** Its number in the pattern, from 1. */
  readonly number: number;
  /** Its name, as in `{upos:VERB}=verb`; its number if it has none. */
  readonly name: string;
  /** Features that its words have, in alphabetical order. */
  readonly features: readonly string[];
}

/** A match in its sentence. */
export interface FoundMatch {
  readonly hit: Hit;
  readonly match: SearchMatch;
}

/** Sentences whose words are looked at for the features of a node. */
const LOOKED_AT = 500;

/** Returns all matches, in the order of the sentences. */
export function allMatches({ hits }: Pick<Findings, "hits">): FoundMatch[] {
  return hits.flatMap((hit) => hit.matches.map((match) => ({ hit, match })));
}

/** Returns matches by their sentences, in their order. */
export function bySentence(found: readonly FoundMatch[]): ReadonlyMap<Hit, readonly FoundMatch[]> {
  const groups = new Map<Hit, FoundMatch[]>();
  for (const one of found) {
    const group = groups.get(one.hit);
    if (group === undefined) groups.set(one.hit, [one]);
    else group.push(one);
  }
  return groups;
}

/** Returns the nodes that matches have words for; nodes below a negation have none. */
export function matchedNodes(found: readonly FoundMatch[]): MatchedNode[] {
  const nodes = new Map<number, { name: string; features: Set<string> }>();
  for (const { hit, match } of found.slice(0, LOOKED_AT)) {
    for (const [i, position] of match.nodes.entries()) {
      if (position === 0) continue;
      const [name] = Object.entries(match.names).find(([, at]) => at === position) ?? [`${i + 1}`];
      const node = nodes.get(i + 1) ?? { name, features: new Set() };
      nodes.set(i + 1, node);
      for (const feature of Object.keys(hit.sentence.words[position - 1]!.feats)) node.features.add(feature);
    }
  }
  return [...nodes]
    .sort(([a], [b]) => a - b)
    .map(([number, { name, features }]) => ({ number, name, features: [...features].sort() }));
}

/** Returns the value of a field, `1.lemma` or `2.feats.Tense`, of the words of a match; "_" if it has none. */
export function fieldValue({ hit, match }: FoundMatch, field: string): string {
  const [number, column, feature] = field.split(".");
  const word = hit.sentence.words[(match.nodes[Number(number) - 1] ?? 0) - 1];
  if (word === undefined) return "_";
  if (column === "feats") return word.feats[feature!] ?? "_";
  return word[column as keyof typeof COLUMNS] || "_";
}

/** A combination of values, and the number of matches that have it. */
export interface Count {
  readonly values: readonly string[];
  readonly count: number;
}

/** Counts the values of fields, the most frequent first. O(matches). */
export function countBy(found: readonly FoundMatch[], fields: readonly string[]): Count[] {
  const counts = new Map<string, { values: readonly string[]; count: number }>();
  for (const one of found) {
    const values = fields.map((field) => fieldValue(one, field));
    const key = values.join("\t");
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { values, count: 1 });
    else known.count++;
  }
  return [...counts.values()].sort(
    (a, b) => b.count - a.count || (a.values.join("\t") < b.values.join("\t") ? -1 : 1),
  );
}

/** Orders of lines: of the file, by the first word of the match, or by the words behind or before it. */
export const SORTS = {
  file: "as in the file",
  key: "by the first node",
  after: "by the words after it",
  before: "by the words before it",
} as const;
export type Sort = keyof typeof SORTS;

/** A match in its context: positions of words before, of the word of the first node, and after. */
export interface Line extends FoundMatch {
  readonly key: number;
  readonly forms: readonly string[];
}

/** Returns matches as lines with the word of the first matched node in the middle. O(matches · log matches). */
export function linesOf(found: readonly FoundMatch[], sort: Sort): Line[] {
  const lines = found.map(({ hit, match }): Line => {
    const key = match.nodes.find((position) => position > 0) ?? 1;
    return { hit, match, key, forms: hit.sentence.words.map(({ form }) => form) };
  });
  if (sort === "file") return lines;
  const sortKey = ({ key, forms }: Line) =>
    sort === "key"
      ? forms.slice(key - 1)
      : sort === "after"
        ? forms.slice(key)
        : forms.slice(0, key - 1).reverse();
  const { compare } = new Intl.Collator();
  return lines
    .map((line) => ({ line, text: sortKey(line).join(" ") }))
    .sort((a, b) => compare(a.text, b.text))
    .map(({ line }) => line);
}

/** Returns lines as a table: sentence, text before, word, text after, and the columns of each node. */
export function linesTable(lines: readonly Line[], nodes: readonly MatchedNode[]): string {
  const fields = nodes.flatMap(({ number }) => Object.keys(COLUMNS).map((column) => `${number}.${column}`));
  const head = ["sentence", "before", "match", "after", ...fields];
  const rows = lines.map((line) => {
    const { hit, key, forms } = line;
    const id = sentenceId(hit.sentence) ?? `${hit.index + 1}`;
    const [before, after] = [forms.slice(0, key - 1).join(" "), forms.slice(key).join(" ")];
    return [id, before, forms[key - 1]!, after, ...fields.map((field) => fieldValue(line, field))];
  });
  return table([head, ...rows]);
}

/** Returns counts as a table, under the names of the fields. */
export function countsTable(counts: readonly Count[], fields: readonly string[]): string {
  return table([["count", ...fields], ...counts.map(({ count, values }) => [`${count}`, ...values])]);
}

function table(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.join("\t")}\n`).join("");
}
