import { ArcwiseError, escapeInvisible } from "@arcwise/core/errors";
import {
  ARC_OPERATORS,
  type AttributeTest,
  type Formula,
  type NodePattern,
  type ParsedPattern,
  type PatternConstant,
  RELATION_OPERATORS,
  type Relation,
  SEARCH_COLUMNS,
  type SearchColumn,
  type ValueTest,
} from "./pattern.ts";

const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
/** A relation such as `nsubj:pass`; a colon at its end separates patterns. */
const LABEL = /[\p{L}_*][^\s{}()[\]|&!?=:;,]*(?::[^\s{}()[\]|&!?=:;,]+)*/uy;
const REGEX = /\/((?:\\.|[^\\/])*)\//uy;
const DISTANCES = /(\d{1,9})\s*,\s*(\d{1,9})\s*(?=<<|>>)/y;
const TEXT = /[^;}{]+/y;
const QUOTED = /"((?:\\["\\]|[^"\\])*)"/y;
const IGNORE_CASE = "(?i)";
/** Maximum depth of brackets, ! and ? within each other, and maximum number of nodes, relations, ! and ?. */
const MAX_DEPTH = 100;
const MAX_TERMS = 1000;
const MAX_SHOWN = 20;

/** Parses a pattern of Semgrex. O(length). */
export function parsePattern(source: string): ParsedPattern {
  return new PatternParser(source).pattern();
}

class PatternParser {
  readonly #source: string;
  readonly #names: string[] = [];
  readonly #relationNames: string[] = [];
  readonly #constants: PatternConstant[] = [];
  readonly #sameWords = new SameWords();
  #at = 0;
  #size = 0;
  #terms = 0;
  #depth = 0;
  /** The node whose relations are read. */
  #current: NodePattern | undefined;
  /** Number of negations around the current place. */
  #negations = 0;

  constructor(source: string) {
    this.#source = source;
  }

  pattern(): ParsedPattern {
    const nodes = [this.#node()];
    while (this.#take(":")) nodes.push(this.#node());
    if (this.#at < this.#source.length) throw this.#error("a relation, : or the end of the pattern");
    return {
      nodes,
      size: this.#size,
      names: this.#names,
      relationNames: this.#relationNames,
      words: this.#names.map((_, name) => this.#sameWords.wordOf({ name, index: -1 })),
      constants: this.#constants,
    };
  }

  /** A node with its relations. */
  #node(): NodePattern {
    const node = this.#description();
    const outer = this.#current;
    this.#current = node;
    const formula = this.#alternatives();
    this.#current = outer;
    if (formula === undefined) return node;
    const own = node.formula;
    return { ...node, formula: own === undefined ? formula : { kind: "and", parts: [own, formula] } };
  }

  /** A node without the relations behind it: a description, or a node with relations in parentheses. */
  #description(): NodePattern {
    if (this.#take("(")) return this.#nested(")", () => this.#node());
    this.#countTerm();
    const isNegated = this.#take("!");
    this.#expect("{", isNegated ? "{" : "a node, as in {lemma:be}");
    const index = this.#size++;
    let isRoot = false;
    const attributes: AttributeTest[] = [];
    while (!this.#take("}")) {
      if (attributes.length > 0 || isRoot) this.#expect(";", "; or }");
      if (this.#take("$")) isRoot = true;
      else attributes.push(...this.#attribute());
    }
    const name = !this.#peek("==") && this.#take("=") ? this.#nodeName() : -1;
    return { index, isNegated, isRoot, attributes, name };
  }

  #nested<T>(end: string, read: () => T): T {
    return this.#deeper(() => {
      const inner = read();
      this.#expect(end, end);
      return inner;
    });
  }

  #deeper<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH)
      throw this.#error(`at most ${MAX_DEPTH} brackets, ! and ? within each other`);
    const inner = read();
    this.#depth--;
    return inner;
  }

  #countTerm(): void {
    if (++this.#terms > MAX_TERMS) throw this.#error(`at most ${MAX_TERMS} nodes, relations, ! and ?`);
  }

  #nodeName(): number {
    const start = this.#at;
    const name = this.#match(NAME)?.[0];
    if (name === undefined) throw this.#error("the name of a node");
    const slot = this.#names.indexOf(name);
    if (slot >= 0) return slot;
    this.#at = start;
    if (this.#negations > 0) throw this.#error("a name that is given before: nothing is matched below !");
    this.#at += name.length;
    return this.#names.push(name) - 1;
  }

  #attribute(): AttributeTest[] {
    const start = this.#at;
    const text = this.#match(NAME)?.[0];
    const column = text === undefined ? undefined : SEARCH_COLUMNS.get(text);
    if (column === undefined) {
      this.#at = start;
      const names = [...SEARCH_COLUMNS.keys()].join(", ");
      throw this.#error(`an attribute (${names}), $ or }; values with ; { or } are quoted: {form:"a;b"}`);
    }
    const mode = this.#mode();
    if (!this.#peek("{")) return [{ column, mode, test: this.#value(column) }];
    if (column !== "feats" && column !== "misc")
      throw this.#error(`a value of ${column}; values with ; { or } are quoted: {form:"{x}"}`);
    if (mode !== ":") throw this.#error("a value");
    return this.#items(column);
  }

  /** The items of FEATS or MISC: `{Tense:Past;Person!:3}`. */
  #items(column: SearchColumn): AttributeTest[] {
    this.#expect("{", "{");
    const items: AttributeTest[] = [];
    do {
      const name = this.#quoted() ?? this.#match(/[^\s:;!?{}]+/y)?.[0];
      if (name === undefined) throw this.#error("a name, as in {Tense:Past}");
      items.push({ column, name, mode: this.#mode(), test: this.#value(column, name) });
    } while (this.#take(";"));
    this.#expect("}", "; or }");
    return items;
  }

  #mode(): AttributeTest["mode"] {
    for (const mode of ["!:", "?:", ":"] as const) if (this.#take(mode)) return mode;
    throw this.#error(":, !: or ?:");
  }

  /** A value of an attribute: a text, which may be quoted, `/regular expression/`, or `__` for any value. */
  #value(column: SearchColumn, name?: string): ValueTest {
    if (this.#peek("/")) return this.#regex();
    const quoted = this.#quoted();
    if (quoted !== undefined) return this.#constant(column, quoted, name);
    const text = this.#match(TEXT)?.[0].trim();
    if (text === undefined || text === "")
      throw this.#error('a value, "a quoted value", /a regular expression/ or __');
    return text === "__" ? () => true : this.#constant(column, text, name);
  }

  #constant(column: SearchColumn, text: string, name?: string): ValueTest {
    this.#constants.push({ column, name, value: text });
    return (value) => value === text;
  }

  /** A text in quotation marks, in which \\" and \\\\ stand for " and \\; undefined if none begins here. */
  #quoted(): string | undefined {
    if (!this.#peek('"')) return undefined;
    const text = this.#match(QUOTED)?.[1];
    if (text === undefined)
      throw this.#error('a text with " at its end, in which \\" stands for " and \\\\ for \\');
    return text.replace(/\\(.)/gu, "$1");
  }

  /** A regular expression that matches whole values; `(?i)` at its start ignores case. */
  #regex(): ValueTest {
    const start = this.#at;
    const source = this.#match(REGEX)?.[1];
    if (source === undefined) throw this.#error("a regular expression with / at its end");
    const ignoresCase = source.startsWith(IGNORE_CASE);
    const regex = ignoresCase ? source.slice(IGNORE_CASE.length) : source;
    let compiled: RegExp;
    try {
      // Alone first: brackets that are not balanced could be balanced by the other ones.
      new RegExp(regex, "u");
      compiled = new RegExp(`^(?:${regex})$`, ignoresCase ? "iu" : "u");
    } catch (cause) {
      this.#at = start;
      throw this.#error(
        "a regular expression of JavaScript with the flag u, after (?i) to ignore case",
        cause,
      );
    }
    const known = new Map<string, boolean>();
    return (value) => {
      let result = known.get(value);
      if (result === undefined) {
        if (known.size >= MAX_KNOWN) known.clear();
        result = compiled.test(value);
        known.set(value, result);
      }
      return result;
    };
  }

  /** Relations with `|` between them, or undefined. */
  #alternatives(): Formula | undefined {
    const from = this.#size;
    const first = this.#conjunction();
    if (first === undefined || !this.#peek("|")) return first;
    const parts = [{ formula: first, from, to: this.#size }];
    while (this.#take("|")) {
      const start = this.#size;
      parts.push({ formula: this.#required(this.#conjunction()), from: start, to: this.#size });
    }
    return { kind: "or", parts };
  }

  /** Relations with `&`, or nothing, between them. */
  #conjunction(): Formula | undefined {
    const first = this.#term();
    if (first === undefined) return undefined;
    const parts = [first];
    for (;;) {
      const hasAnd = this.#take("&");
      const next = this.#term();
      if (next === undefined && hasAnd) this.#required(next);
      if (next === undefined) return parts.length === 1 ? first : { kind: "and", parts };
      parts.push(next);
    }
  }

  #required(formula: Formula | undefined): Formula {
    if (formula === undefined) throw this.#error("a relation, as in >nsubj {}");
    return formula;
  }

  #term(): Formula | undefined {
    if (this.#take("!")) {
      this.#countTerm();
      this.#negations++;
      const part = this.#deeper(() => this.#required(this.#term()));
      this.#negations--;
      return { kind: "not", part };
    }
    if (this.#take("?")) {
      this.#countTerm();
      return { kind: "optional", part: this.#deeper(() => this.#required(this.#term())) };
    }
    if (this.#take("[")) return this.#nested("]", () => this.#required(this.#alternatives()));
    return this.#relation();
  }

  #relation(): Formula | undefined {
    this.#peek("");
    const start = this.#at;
    const distances = this.#match(DISTANCES);
    const operator = RELATION_OPERATORS.find((one) => this.#take(one));
    if (operator === undefined) return undefined;
    const [min, max] = distances === undefined ? [1, Infinity] : [Number(distances[1]), Number(distances[2])];
    if (min < 1 || min > max) {
      this.#at = start;
      throw this.#error("two distances from 1, the smaller one first");
    }
    const isArc = ARC_OPERATORS.has(operator);
    const label = isArc ? this.#label() : undefined;
    const name = isArc && this.#take("=") ? this.#relationName() : -1;
    const relation: Relation = { operator, min, max, label, name };
    const target = this.#description();
    if (operator === "==") this.#sameWords.add(this.#current!, target);
    return { kind: "relation", relation, target };
  }

  #label(): ValueTest | undefined {
    if (this.#take("%")) return undefined;
    if (this.#peek("/")) return this.#regex();
    const label = this.#quoted() ?? this.#match(LABEL)?.[0];
    return label === undefined ? undefined : this.#constant("deprel", label);
  }

  #relationName(): number {
    const name = this.#match(NAME)?.[0];
    if (name === undefined) throw this.#error("the name of a relation");
    const slot = this.#relationNames.indexOf(name);
    return slot >= 0 ? slot : this.#relationNames.push(name) - 1;
  }

  /** Skips white space; returns whether a text comes next. */
  #peek(text: string): boolean {
    while (/\s/u.test(this.#source[this.#at] ?? "")) this.#at++;
    return this.#source.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#peek(text)) return false;
    this.#at += text.length;
    return true;
  }

  #expect(text: string, expected: string): void {
    if (!this.#take(text)) throw this.#error(expected);
  }

  #match(regex: RegExp): RegExpExecArray | undefined {
    this.#peek("");
    regex.lastIndex = this.#at;
    const match = regex.exec(this.#source);
    if (match === null) return undefined;
    this.#at = regex.lastIndex;
    return match;
  }

  #error(expected: string, cause?: unknown): ArcwiseError {
    this.#peek("");
    const rest = this.#source.slice(this.#at, this.#at + MAX_SHOWN);
    const found = rest === "" ? "the end" : escapeInvisible(JSON.stringify(rest));
    const at = `character ${this.#at + 1}`;
    const message = `pattern, ${at}: expected ${expected}, found ${found}`;
    return new ArcwiseError("invalid-argument", message, { at, expected, found, cause });
  }
}

/** Nodes that `==` says to be the same word, and nodes of one name. */
class SameWords {
  readonly #parents = new Map<string, string>();

  add(a: NamedNode, b: NamedNode): void {
    this.#parents.set(this.wordOf(a), this.wordOf(b));
  }

  /** Returns a text that nodes of one word share. */
  wordOf({ name, index }: NamedNode): string {
    let key = name < 0 ? `node ${index}` : `name ${name}`;
    for (let next = this.#parents.get(key); next !== undefined && next !== key; next = this.#parents.get(key))
      key = next;
    return key;
  }
}

type NamedNode = Pick<NodePattern, "name" | "index">;

/** Number of values of which a regular expression keeps the result. */
const MAX_KNOWN = 2 ** 16;
