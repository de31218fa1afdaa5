import { join } from "node:path";
import * as conllu from "@arcwise/conllu";
import * as search from "@arcwise/conllu/search";
import { errorKind } from "@arcwise/core/errors";
import * as draw from "@arcwise/draw";
import * as evaluate from "@arcwise/evaluate";
import * as pipeline from "@arcwise/pipeline";
import fc from "fast-check";
import { type Area, Fault } from "./area.ts";
import { encode } from "./edits.ts";
import { userModules } from "./user-modules.ts";

/** Thrown by values that throw wherever they are touched: such errors are the caller's own. */
class Trap extends Error {}

const TRAP = new Proxy(
  {},
  {
    get() {
      throw new Trap("touched");
    },
  },
);

/** Values of all types, most of them wrong wherever they are given. */
const ODD_VALUES: readonly unknown[] = [
  ...[undefined, null, 5, Number.NaN, -1, 1.5, 1e308, 10n, true, "x", "", Symbol("s"), () => {}],
  ...[[], {}, [5], [null], ["a"], [[]], [{}]],
  ...[new Uint8Array(3), new Float64Array(2), new Map(), new Set([1])],
  ...[new Date(Number.NaN), /x/, Object.create(null), Promise.resolve(5), new Error("e")],
  { rows: [5], comments: [] },
  { rows: [], comments: [null] },
  { words: [null], arcs: [5], tokens: [], direction: "ltr" },
  TRAP,
];

const TEXT = `# sent_id = 1
# text = The dog barks.
1	The	the	DET	DT	_	2	det	2:det	_
2	dog	dog	NOUN	NN	Number=Sing	3	nsubj	3:nsubj	_
3	barks	bark	VERB	VBZ	_	0	root	0:root	SpaceAfter=No
4	.	.	PUNCT	.	_	3	punct	3:punct	_

`;

/** Returns values of the types that functions and methods accept, to be given wherever a value is expected. */
function soundValues(): readonly unknown[] {
  const sentences = conllu.parseConllu(TEXT);
  const sentence = sentences[0]!;
  const diagram = draw.sentenceDiagram(sentence);
  const words = conllu.sentenceWords(sentence);
  const tree = conllu.sentenceTree(sentence);
  const graph = conllu.enhancedGraph(sentence);
  const parser = () => ({ heads: tree.heads, labels: tree.labels });
  return [
    ...[sentence, sentence, sentences, sentences, words, tree, graph, diagram, diagram.arcs],
    ...[sentence.rows[0], sentence.rows[1], draw.layoutArcs(diagram), search.compilePattern("{upos:VERB}=v")],
    ...[evaluate.treePairs(sentences, sentences), pipeline.noInput(), { parser, tagger: false }],
    ...[[{ sentences, weight: 2 }], [{ sentence }], [{ words }], [["The", "dog"], sentence]],
    ...[TEXT, "The dog barks.", "{upos:VERB}=v", "v.lemma", "det", "upos", "given"],
    ...[["root", "nsubj"], ["upos"]],
    ...[{ kBest: 2 }, { tags: "given" }, { isStandalone: false }, { seed: 1, variation: 0.5 }],
    ...[{ score: 1, bound: 2 }, { upos: "NOUN", feats: "ExtPos=ADV" }, ["# a"], 10],
  ];
}

type Callable = (...given: unknown[]) => unknown;

/** Returns the functions of all entries for users, whatever they export, by their names. */
async function exportedFunctions(): Promise<ReadonlyMap<string, Callable>> {
  const found = new Map<string, Callable>();
  for (const module of await userModules())
    for (const [name, value] of Object.entries(module))
      if (typeof value === "function" && !(value.prototype instanceof Error))
        found.set(name, callableOf(value));
  return found;
}

/** Returns a function, or one that calls the constructor of a class. */
function callableOf(value: object): Callable {
  if (!/^class\b/.test(Function.prototype.toString.call(value))) return value as Callable;
  return (...given) => Reflect.construct(value as new (...given: unknown[]) => object, given);
}

/** Returns an arbitrary of steps of `createPipeline` that return odd values. */
function oddSteps(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return value.chain((found) => {
    const odd = () => found;
    const reading = { best: odd, kBest: odd, marginals: odd, columns: odd, withWords: odd };
    const read = (given: readonly unknown[]) => given.map(() => reading);
    return fc.record({
      tokenizer: fc.constantFrom(odd, { session: odd }, { session: () => ({ push: odd, end: odd }) }),
      tagger: fc.constantFrom<unknown>(false, { columns: ["upos"], tag: odd, lemma: odd }),
      parser: fc.constantFrom<unknown>(odd, { read: odd }, { read }),
      graphs: fc.constantFrom<unknown>(false, { parse: odd }, { parse: odd, read: () => [{ best: odd }] }),
      finish: fc.constantFrom(undefined, odd),
    });
  });
}

/** A call of a function, and of methods of what it returns. */
interface Call {
  readonly name: string;
  readonly arguments: readonly unknown[];
  readonly methods: readonly { readonly which: number; readonly arguments: readonly unknown[] }[];
}

/** Returns whether a call trains with sentences, which takes as long as its settings say. */
function isTraining({ name, arguments: [first] }: Call): boolean {
  const isData = (one: unknown) =>
    typeof one === "object" && one !== null && ("rows" in one || "sentences" in one);
  return name.startsWith("train") && Array.isArray(first) && first.some(isData);
}

/** Calls what packages export, and the methods of what that returns, with values of wrong types. */
export const types: Area<Call> = {
  name: "types",
  description: "everything that packages export for users, with values of other types",
  share: 2,
  prepare: async ({ folder }) => {
    const functions = await exportedFunctions();
    const sound = soundValues();
    // Functions that write get paths below the folder of the area.
    const odd = fc.constantFrom(...ODD_VALUES.map((value) => (value === "x" ? join(folder, "x") : value)));
    const value = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...sound) },
      { weight: 3, arbitrary: odd },
      { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...sound), fc.nat(1000), odd).map(withOddMember) },
    );
    const given = fc.array(value, { maxLength: 3 });
    const methods = fc.array(fc.record({ which: fc.nat(100), arguments: given }), { maxLength: 3 });
    const name = fc.constantFrom(...functions.keys());
    const steps = fc.tuple(fc.constant({}), oddSteps(odd));
    const tried = new Set<string>();
    return {
      inputs: fc.oneof(
        {
          weight: 19,
          arbitrary: fc.record({ name, arguments: given, methods }).filter((call) => !isTraining(call)),
        },
        fc.record({ name: fc.constant("createPipeline"), arguments: steps, methods }),
      ),
      async try(call) {
        tried.add(call.name);
        let result = await outcomeOf(call.name, functions.get(call.name)!, call.arguments);
        let path = call.name;
        for (const { which, arguments: given } of call.methods) {
          if (result === REFUSED) break;
          const object = Array.isArray(result) ? result[0] : result;
          const names = methodsOf(object, sound);
          if (names.length === 0) break;
          const name = names[which % names.length]!;
          path = `${path}().${name}`;
          const method: Callable = (...list) => (object as Record<string, Callable>)[name]!(...list);
          result = await outcomeOf(path, method, given);
        }
        return result === REFUSED ? "refused" : "survived";
      },
      notes: () => `${tried.size} of ${functions.size} functions`,
    };
  },
};

/** Returns a copy of a value with an odd member, or one further inside. */
function withOddMember([value, which, odd]: readonly [unknown, number, unknown]): unknown {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return odd;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  const names = Object.keys(copy);
  if (names.length === 0) return odd;
  const name = names[which % names.length]!;
  copy[name] = which % 3 > 0 ? withOddMember([copy[name], Math.floor(which / 3), odd]) : odd;
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

/** Returns the names of methods of a result that is an object of its own, not one that was given. */
function methodsOf(result: unknown, sound: readonly unknown[]): string[] {
  if (typeof result !== "object" || result === null || Array.isArray(result) || ArrayBuffer.isView(result))
    return [];
  if (ODD_VALUES.includes(result) || sound.includes(result)) return [];
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
