import { join } from "node:path";
import * as conllu from "@arcwise/conllu";
import * as search from "@arcwise/conllu/search";
import type { Random } from "@arcwise/core";
import { errorKind } from "@arcwise/core/errors";
import * as draw from "@arcwise/draw";
import * as evaluate from "@arcwise/evaluate";
import * as pipeline from "@arcwise/pipeline";
import { userModules } from "../modules/user-modules.ts";
import { type Area, Fault, type Fuzzer, type Outcome, pick } from "./area.ts";
import { encode } from "./mutations.ts";

/** Thrown by values that throw wherever they are touched: such errors are the caller's own. */
class Trap extends Error {}

/** Values of all types, most of them wrong wherever they are given. */
const ODD_VALUES: unknown[] = [
  ...[undefined, null, 5, Number.NaN, -1, 1.5, 1e308, 10n, true, "x", "", Symbol("s"), () => {}],
  ...[
    [],
    {},
    [5],
    [null],
    ["a"],
    [[]],
    [{}],
    new Uint8Array(3),
    new Float64Array(2),
    new Map(),
    new Set([1]),
  ],
  ...[new Date(Number.NaN), /x/, Object.create(null), Promise.resolve(5), new Error("e")],
  { rows: [5], comments: [] },
  { rows: [], comments: [null] },
  { words: [null], arcs: [5], tokens: [], direction: "ltr" },
  new Proxy(
    {},
    {
      get() {
        throw new Trap("touched");
      },
    },
  ),
];

type Callable = (...given: unknown[]) => unknown;

/** A function, and arguments that it accepts if they are known. */
interface Subject {
  readonly name: string;
  readonly call: Callable;
  readonly valid?: readonly unknown[] | undefined;
}

const TEXT = `# sent_id = 1
# text = The dog barks.
1	The	the	DET	DT	_	2	det	2:det	_
2	dog	dog	NOUN	NN	Number=Sing	3	nsubj	3:nsubj	_
3	barks	bark	VERB	VBZ	_	0	root	0:root	SpaceAfter=No
4	.	.	PUNCT	.	_	3	punct	3:punct	_

`;

/** Returns arguments that the functions accept, by their names. */
function validArguments(): Readonly<Record<string, readonly unknown[]>> {
  const sentences = conllu.parseConllu(TEXT);
  const [sentence] = sentences;
  const diagram = draw.sentenceDiagram(sentence!);
  const pattern = search.compilePattern("{upos:VERB}=v >nsubj {}=s");
  const pairs = evaluate.treePairs(sentences, sentences);
  const words = conllu.sentenceWords(sentence!);
  const tree = conllu.sentenceTree(sentence!);
  const graph = conllu.enhancedGraph(sentence!);
  const none = {
    parser: () => ({ heads: tree.heads, labels: tree.labels }),
    tagger: false,
    graphs: { parse: () => graph },
  };
  return {
    ...byName([sentence], "viewSentence enhance enhancedGraph collapseEmptyNodes sentenceTree sentenceWords"),
    ...byName(
      [sentence],
      "sentenceId sentenceText writeSentence nounChunks withoutLexicalLabels withLexicalLabels",
    ),
    ...byName([sentence], "drawSvg drawText drawTikz sentenceDiagram"),
    ...byName([sentences], "writeConllu rawText validate drawHtml"),
    ...byName([sentences, sentences], "treePairs evaluateConllu enhancedPairs"),
    ...byName(
      [pairs],
      "attachmentScores sentenceCounts confusionMatrix errorAnalysis worstSentences headReliability",
    ),
    ...byName([diagram], "layoutArcs layoutTree"),
    ...byName([TEXT], "parseConllu readConllu validateText validateSource"),
    compareDiagrams: [diagram, diagram],
    compileField: [pattern, "v.lemma"],
    compilePattern: ["{upos:VERB}=v"],
    addCounts: [pipeline.noInput(), pipeline.noInput()],
    arcKey: ["right"],
    arcProbability: [sentence!.rows[0]],
    areUniversal: [["root", "nsubj"]],
    judgeArcs: [diagram.arcs, diagram.arcs],
    joinTreebanks: [[{ sentences }], { seed: 1, variation: 0.5 }],
    usedTag: [{ upos: "NOUN", feats: "ExtPos=ADV" }],
    ...byName(["det"], "isUniversalTag relationRule uniqueFunction"),
    mayHaveChild: [sentence!.rows[0], sentence!.rows[1]],
    renderSvg: [draw.layoutArcs(diagram), { isStandalone: false }],
    reportComments: [["# a"], { score: 1, bound: 2 }],
    searchVocabulary: [pattern],
    textWidth: ["text", 10],
    treebanksOf: [[{ sentences, weight: 2 }], "given"],
    createPipeline: [{}, none],
    explain: ["obl"],
    universalTerms: ["upos"],
    search: ["{upos:VERB}=v"],
    withEnhancedGraph: [sentence, graph],
    withTags: [sentence, words, ["upos"]],
    withTree: [sentence, tree],
  };
}

function byName(given: readonly unknown[], names: string): Record<string, readonly unknown[]> {
  return Object.fromEntries(names.split(" ").map((name) => [name, given]));
}

/** Returns the functions of all entries for users, whatever they export. */
async function subjects(): Promise<Subject[]> {
  const valid = validArguments();
  const found = new Map<unknown, Subject>();
  for (const module of await userModules()) {
    for (const [name, value] of Object.entries(module)) {
      if (typeof value !== "function" || value.prototype instanceof Error || found.has(value)) continue;
      found.set(value, { name, call: callableOf(value), valid: valid[name] });
    }
  }
  return [...found.values()];
}

/** Returns a function, or one that calls the constructor of a class. */
function callableOf(value: object): Callable {
  if (!/^class\b/.test(Function.prototype.toString.call(value))) return value as Callable;
  return (...given) => Reflect.construct(value as new (...given: unknown[]) => object, given);
}

/** Returns a call of `createPipeline` with steps that return odd values. */
function oddSteps(stream: Random): Subject {
  const odd = () => pick(stream, ODD_VALUES);
  const reading = { best: odd, kBest: odd, marginals: odd, columns: odd, withWords: odd };
  const all: Readonly<Record<string, readonly unknown[]>> = {
    tokenizer: [odd, { session: odd }, { session: () => ({ push: odd, end: odd }) }],
    tagger: [false, { columns: ["upos"], tag: odd, lemma: odd }],
    parser: [odd, { read: odd }, { read: (given: readonly unknown[]) => given.map(() => reading) }],
    graphs: [false, { parse: odd }, { parse: odd, read: () => [{ best: odd }] }],
    finish: [undefined, odd],
  };
  const steps = Object.fromEntries(
    Object.entries(all).map(([name, choices]) => [name, pick(stream, choices)]),
  );
  return { name: "createPipeline with odd steps", call: () => pipeline.createPipeline({}, steps), valid: [] };
}

const SENTENCE = conllu.parseConllu(TEXT)[0]!;
/** Arguments that methods of results accept. */
const METHODS = new Map<string, readonly unknown[]>(
  Object.entries({
    ...byName(["The dog barks."], "run tokenize push"),
    ...byName([[["The", "dog"], SENTENCE]], "annotate read stream"),
    analyse: [[{ sentence: SENTENCE }], { kBest: 2 }],
    analyseText: ["The dog barks.", { kBest: 2 }],
    readTasks: [[{ sentence: SENTENCE }], { tags: "given" }],
    findGraphs: [[{ words: conllu.sentenceWords(SENTENCE) }]],
    kBest: [2],
    ...byName([SENTENCE], "matches in add"),
  }),
);

/** Calls what packages export, and the methods of what that returns, with values of wrong types. */
export const types: Area = {
  name: "types",
  description: "everything that packages export for users, with values of other types",
  share: 2,
  prepare: async ({ folder }) => {
    // Functions that write get paths below the folder of the area.
    ODD_VALUES[ODD_VALUES.indexOf("x")] = join(folder, "x");
    return new TypeFuzzer(await subjects());
  },
};

class TypeFuzzer implements Fuzzer {
  readonly #subjects: readonly Subject[];
  readonly #tried = new Set<string>();

  constructor(all: readonly Subject[]) {
    this.#subjects = all;
  }

  async try(stream: Random): Promise<Outcome> {
    const subject = stream.int(20) === 0 ? oddSteps(stream) : pick(stream, this.#subjects);
    this.#tried.add(subject.name);
    let name = subject.name;
    let result = await outcomeOf(name, subject.call, argumentsOf(stream, subject.valid));
    for (let depth = 0; depth < MAX_DEPTH && result !== REFUSED; depth++) {
      const object = Array.isArray(result) ? result[0] : result;
      const methods = methodsOf(object);
      if (methods.length === 0) return "survived";
      const method = pick(stream, methods);
      name = `${name}().${method}`;
      const call: Callable = (...given) => (object as Record<string, Callable>)[method]!(...given);
      result = await outcomeOf(name, call, argumentsOf(stream, METHODS.get(method)));
    }
    return result === REFUSED ? "refused" : "survived";
  }

  notes(): string {
    return `${this.#tried.size} of ${this.#subjects.length} functions`;
  }
}

/** Methods of results of methods that are called. */
const MAX_DEPTH = 3;
const MAX_ARGUMENTS = 3;

/** Returns valid arguments in one of three trials, if they are known, and odd ones otherwise. */
function argumentsOf(stream: Random, valid: readonly unknown[] | undefined): readonly unknown[] {
  return valid !== undefined && stream.int(3) === 0 ? valid : oddArguments(stream, valid);
}

/** Returns odd values, or valid arguments of which one, or one of its members, is odd. */
function oddArguments(stream: Random, valid: readonly unknown[] | undefined): unknown[] {
  if (valid === undefined || stream.int(4) === 0)
    return Array.from({ length: stream.int(MAX_ARGUMENTS + 1) }, () => pick(stream, ODD_VALUES));
  const given = [...valid];
  const at = stream.int(given.length + 1);
  const value = given[at];
  given[at] =
    stream.int(2) === 0 && typeof value === "object" && value !== null
      ? withOddMember(value, stream)
      : pick(stream, ODD_VALUES);
  return given;
}

/** Returns a copy of a value with an odd member, or one further inside. */
function withOddMember(value: object, stream: Random): unknown {
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  const names = Object.keys(copy);
  if (names.length === 0) return pick(stream, ODD_VALUES);
  const name = pick(stream, names);
  const member = copy[name];
  copy[name] =
    typeof member === "object" && member !== null && stream.int(3) > 0
      ? withOddMember(member, stream)
      : pick(stream, ODD_VALUES);
  return copy;
}

const REFUSED = Symbol("refused");
/** Items of an iterable that are read. */
const MAX_ITEMS = 5;

/** Calls a function and reads what it returns. @throws Fault on an error without a code */
async function outcomeOf(name: string, call: Callable, given: readonly unknown[]): Promise<unknown> {
  try {
    return await within(WAIT, async () => {
      const result = await call(...given);
      await readItems(result);
      return result;
    });
  } catch (error) {
    if (error instanceof Trap || errorKind(error) !== "fault" || isSystemError(error)) return REFUSED;
    const what = `${name}(${given.map(described).join(", ")})`;
    throw new Fault(`${what} threw ${String(error)}`, encode(what), error);
  }
}

/** Returns whether an error is of the system, such as a file that is not there. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && "code" in error;
}

/** Milliseconds after which a promise counts as one that never settles. */
const WAIT = 20_000;

async function within<T>(milliseconds: number, run: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it does not settle")), milliseconds);
  });
  return Promise.race([run(), late]).finally(() => clearTimeout(timer));
}

async function readItems(result: unknown): Promise<void> {
  if (typeof result !== "object" || result === null) return;
  if (!(Symbol.asyncIterator in result) && !("next" in result)) return;
  let count = 0;
  for await (const _ of result as AsyncIterable<unknown>) if (++count >= MAX_ITEMS) return;
}

/** A constructor, and the method of generators that throws what it is given. */
const RETHROWING = new Set(["constructor", "throw"]);

/** Returns the names of methods of a result that is an object of its own. */
function methodsOf(result: unknown): string[] {
  if (typeof result !== "object" || result === null || Array.isArray(result) || ArrayBuffer.isView(result))
    return [];
  if (ODD_VALUES.includes(result)) return [];
  const names = new Set<string>();
  for (let of: object = result; of !== Object.prototype && of !== null; of = Object.getPrototypeOf(of))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(of)))
      if (typeof value === "function" && !RETHROWING.has(name)) names.add(name);
  return [...names];
}

function described(value: unknown): string {
  if (typeof value === "function") return "a function";
  try {
    return typeof value === "object" ? (JSON.stringify(value) ?? String(value)).slice(0, 400) : String(value);
  } catch {
    return "a value that throws";
  }
}
