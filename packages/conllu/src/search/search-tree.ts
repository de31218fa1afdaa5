import { throwingFor } from "../error.ts";
import { readAttributes, readFeatures } from "../sentence/attributes.ts";
import type { ConlluSentence, WordRow } from "../types.ts";
import { lineAt } from "../write.ts";
import type { AttributeTest, NodePattern, Relation } from "./pattern.ts";

/** The words of a sentence with their arcs, as patterns are matched against it. */
export class SearchTree {
  readonly n: number;
  /** The word at each position; entry 0 is undefined. */
  readonly rows: readonly (WordRow | undefined)[];
  /** Modifiers of each position in ascending order. */
  readonly #modifiers: readonly (readonly number[])[];

  /** O(n). */
  constructor(sentence: ConlluSentence) {
    const rows: (WordRow | undefined)[] = [undefined];
    for (const row of sentence.rows) if (row.kind === "word") rows.push(row);
    this.rows = rows;
    this.n = rows.length - 1;
    const modifiers = rows.map((): number[] => []);
    for (let m = 1; m <= this.n; m++) {
      const { head } = rows[m]!;
      if (head > this.n || (head > 0 && !Number.isInteger(head))) reportHead(sentence, rows[m]!, this.n);
      if (head > 0) modifiers[head]!.push(m);
    }
    this.#modifiers = modifiers;
  }

  /** Head of a word: 0 for the root, -1 for none. */
  head(word: number): number {
    return this.rows[word]!.head;
  }

  /** Whether the description of a node holds for a word. */
  satisfies({ isNegated, isRoot, attributes }: NodePattern, word: number): boolean {
    const row = this.rows[word]!;
    const holds = (!isRoot || row.head === 0) && attributes.every((attribute) => passes(attribute, row));
    return holds !== isNegated;
  }

  /**
   * Returns the words that a relation leads to from a word, each once. O(1) for neighbours and heads,
   * otherwise O(words that the operator allows).
   */
  related({ operator, min, max, label }: Relation, word: number): readonly number[] {
    const hasLabel = (modifier: number): boolean => label === undefined || label(this.rows[modifier]!.deprel);
    const head = this.head(word);
    switch (operator) {
      case "<":
        return head > 0 && hasLabel(word) ? [head] : [];
      case "<++":
        return head > word && hasLabel(word) ? [head] : [];
      case "<--":
        return head > 0 && head < word && hasLabel(word) ? [head] : [];
      case ">":
        return this.#modifiers[word]!.filter(hasLabel);
      case ">++":
        return this.#modifiers[word]!.filter((m) => m > word && hasLabel(m));
      case ">--":
        return this.#modifiers[word]!.filter((m) => m < word && hasLabel(m));
      case "<>":
        return [
          ...new Set([
            ...(head > 0 && hasLabel(word) ? [head] : []),
            ...this.#modifiers[word]!.filter(hasLabel),
          ]),
        ];
      case "<<":
        return this.#ancestors(word, min, max, hasLabel);
      case ">>":
        return this.#descendants(word, min, max, hasLabel);
      case "==":
        return [word];
      case ".":
        return word < this.n ? [word + 1] : [];
      case "-":
        return word > 1 ? [word - 1] : [];
      case "..":
        return range(word + 1, this.n);
      case "--":
        return range(1, word - 1);
      default:
        return head > 0 ? this.#modifiers[head]!.filter((m) => isSibling(operator, word, m)) : [];
    }
  }

  /** The label of the last arc of a relation from a word to a related one. */
  labelOf({ operator }: Relation, word: number, related: number): string {
    const isUp = operator.startsWith("<") && operator !== "<>";
    if (operator === "<<") {
      let modifier = word;
      for (let k = 0; k < this.n && this.head(modifier) !== related; k++) modifier = this.head(modifier);
      return this.rows[modifier]!.deprel;
    }
    const goesUp = isUp || (operator === "<>" && this.head(word) === related);
    return this.rows[goesUp ? word : related]!.deprel;
  }

  /** Words on the path to the root; the arc to each must have the label. Cycles are followed once. */
  #ancestors(word: number, min: number, max: number, hasLabel: (modifier: number) => boolean): number[] {
    const found: number[] = [];
    const seen = new Set<number>();
    let modifier = word;
    for (let distance = 1; distance <= max; distance++) {
      const head = this.head(modifier);
      if (head <= 0 || seen.has(head)) break;
      seen.add(head);
      if (distance >= min && hasLabel(modifier)) found.push(head);
      modifier = head;
    }
    return found;
  }

  /** Words below a word, by distance; the arc to each must have the label. */
  #descendants(word: number, min: number, max: number, hasLabel: (modifier: number) => boolean): number[] {
    const found: number[] = [];
    const seen = new Set<number>();
    let level: readonly number[] = [word];
    for (let distance = 1; distance <= max && level.length > 0; distance++) {
      const next = level.flatMap((head) => this.#modifiers[head]!.filter((m) => !seen.has(m)));
      for (const m of next) {
        seen.add(m);
        if (distance >= min && hasLabel(m)) found.push(m);
      }
      level = next;
    }
    return found;
  }
}

function isSibling(operator: string, word: number, other: number): boolean {
  if (operator === "$+") return other === word + 1;
  if (operator === "$-") return other === word - 1;
  return operator === "$++" ? other > word : other < word;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}

function passes({ column, name, mode, test }: AttributeTest, row: WordRow): boolean {
  const value = columnValue(row, column, name);
  if (value === undefined) return mode !== ":";
  return test(value) !== (mode === "!:");
}

/** Returns a value of a word, or undefined. */
export function columnValue(
  row: WordRow,
  column: AttributeTest["column"],
  name: string | undefined,
): string | undefined {
  if (name !== undefined) {
    const items = (column === "feats" ? readFeatures(row.feats) : readAttributes(row.misc)).items;
    return Object.hasOwn(items, name) ? (items[name] ?? "") : undefined;
  }
  if (column === "id") return `${row.id}`;
  const text = row[column];
  const isAbsent = text === "_" && column !== "form" && !(column === "lemma" && row.form === "_");
  return isAbsent ? undefined : text;
}

function reportHead(sentence: ConlluSentence, row: WordRow, n: number): never {
  const line = lineAt(sentence.line, sentence.comments.length + sentence.rows.indexOf(row));
  throwingFor(sentence.comments)("unknown-head", line, `0 to ${n}`, `${row.head}`);
  throw new Error("unreachable");
}
