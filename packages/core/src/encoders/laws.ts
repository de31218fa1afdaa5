import {
  callback,
  checkArgument,
  checkOptions,
  defineOptions,
  integer,
  list,
  notNegative,
  type OptionsOf,
  string,
} from "../options/index.ts";
import { type Encoder, encodeChecked, requireEncoder } from "./encoder.ts";

/** One check of an encoder, for any test runner: `for (const { name, check } of encoderLaws(...)) test(name, check)`. */
export interface EncoderLaw {
  readonly name: string;
  /** The law in one sentence. */
  readonly says: string;
  /** Throws when the law does not hold. */
  readonly check: () => Promise<void>;
}

const LAW_OPTIONS = defineOptions({
  sentences: {
    check: list(list(string)),
    help: "further sentences of words, in addition to those in several scripts that the laws bring",
    default: [],
  },
  tolerance: {
    check: notNegative,
    help: "maximum distance of two vectors of a word in different calls, as a share of the length of the longer one; an encoder that rounds numbers of a batch together needs more",
    default: 1e-3,
  },
  longest: { check: integer(1), help: "number of words of the longest sentence", default: 700 },
});

/** Options of `encoderLaws`. */
export interface EncoderLawOptions extends OptionsOf<typeof LAW_OPTIONS> {}

type Sentences = readonly (readonly string[])[];

const SENTENCES: Sentences = [
  ["The", "storm", "damaged", "two", "houses", "."],
  ["Yes"],
  ["A", "vihar", "megrongált", "két", "házat", ",", "és", "elvitt", "egy", "csónakot", "."],
  ["Буря", "повредила", "два", "дома", "."],
  ["ἄνδρα", "μοι", "ἔννεπε", ",", "μοῦσα"],
  ["暴风雨", "毁坏", "了", "两", "座", "房子", "。"],
  ["ألحقت", "العاصفة", "أضرارا", "بمنزلين"],
  ["🙂", "👩‍👩‍👧", "e\u0301", "\u00ad", "don’t"],
];
/** Words that tokenisers may cut into no pieces, into many, or not as words. */
const ODD_WORDS = ["", " ", "\t", "\u0000", "\ud83d", "New York", "[CLS]", "</s>", "<unk>"];

/**
 * Returns the laws of the contract of `Encoder` as data. Together they encode about five times `longest` words.
 *
 * @param make returns the encoder, or a new one each time; laws do not close it
 *
 * @example
 * for (const { name, check } of encoderLaws(() => myEncoder())) test(name, check);
 */
export function encoderLaws(
  make: () => Encoder | Promise<Encoder>,
  options?: EncoderLawOptions,
): EncoderLaw[] {
  checkArgument(callback, make, "encoderLaws: make");
  const { sentences, tolerance, longest } = checkOptions(LAW_OPTIONS, options, "encoderLaws");
  const all: Sentences = [...SENTENCES, ...sentences];
  const encode = async (list: Sentences) => encodeChecked(await make(), list);
  const law = (name: string, says: string, check: () => Promise<void>): EncoderLaw => ({ name, says, check });
  return [
    law("members", "name, width and fingerprint are sound, and the same each time.", async () => {
      const [first, second] = [await make(), await make()].map((own) => requireEncoder(own, "encoder"));
      for (const member of ["name", "width", "fingerprint"] as const)
        expectThat(first![member] === second![member], () => `${member} differs: ${first![member]}`);
    }),
    law("empty", "No sentences give no arrays; a sentence without words gives an empty one.", async () => {
      await encode([]);
      await encode([[]]);
      await encode([["a"], [], ["b", "c"]]);
    }),
    law("shape", "Each word of each sentence has a vector of finite numbers.", async () => {
      await encode(all);
    }),
    law("odd words", "Words may be any strings.", async () => {
      const odd = [...ODD_WORDS, "a".repeat(1000)];
      await encode([odd, ...odd.map((word) => [word]), ...odd.map((word) => ["a", word])]);
    }),
    law("long sentences", "Sentences may have any number of words.", async () => {
      await encode([Array.from({ length: longest }, (_, k) => `word${k % 97}`)]);
    }),
    law("grouping", "The vectors of a sentence do not depend on the other sentences.", async () => {
      const together = await encode(all);
      expectNear(await encodeApart(all, encode), together, all, tolerance);
      expectNear((await encode([...all].reverse())).reverse(), together, all, tolerance);
    }),
    law("repetition", "Calls do not depend on earlier ones, and results are not changed later.", async () => {
      const encoder = await make();
      const first = await encodeChecked(encoder, all);
      const copy = first.map((vectors) => vectors.slice());
      await encodeChecked(encoder, [ODD_WORDS]);
      expectNear(first, copy, all, 0);
      expectNear(await encodeChecked(encoder, all), copy, all, tolerance);
    }),
    law("overlap", "Calls may overlap.", async () => {
      const encoder = await make();
      const expected = await encodeChecked(encoder, all);
      const halves = [all.slice(0, 3), all.slice(3)];
      const both = await Promise.all(halves.map((half) => encodeChecked(encoder, half)));
      expectNear(both.flat(), expected, all, tolerance);
    }),
    law("signal", "An aborted signal rejects the promise with its reason.", async () => {
      const reason = new Error("stopped");
      const thrown = await (await make()).encode(all, { signal: AbortSignal.abort(reason) }).then(
        () => "no error",
        (error: unknown) => error,
      );
      expectThat(thrown === reason, () => `expected the reason of the signal, found ${thrown}`);
    }),
  ];
}

/** Encodes each sentence by a call of its own. */
async function encodeApart(
  sentences: Sentences,
  encode: (list: Sentences) => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const sentence of sentences) vectors.push(...(await encode([sentence])));
  return vectors;
}

function expectNear(
  found: readonly Float32Array[],
  expected: readonly Float32Array[],
  sentences: Sentences,
  tolerance: number,
): void {
  for (const [s, words] of sentences.entries()) {
    const width = expected[s].length / Math.max(1, words.length);
    for (const [k, word] of words.entries()) {
      const part = (vectors: Float32Array) => vectors.subarray(k * width, (k + 1) * width);
      const apart = relativeDistance(part(found[s]), part(expected[s]));
      const what = () => `sentence ${s + 1}, word ${JSON.stringify(word)}: vectors differ by ${apart}`;
      expectThat(apart <= tolerance, what);
    }
  }
}

/** Returns the distance of two vectors as a share of the length of the longer one. */
function relativeDistance(first: Float32Array, second: Float32Array): number {
  let [distance, a, b] = [0, 0, 0];
  for (let i = 0; i < first.length; i++) {
    const difference = first[i] - second[i];
    distance += difference * difference;
    a += first[i] * first[i];
    b += second[i] * second[i];
  }
  return distance === 0 ? 0 : Math.sqrt(distance / Math.max(a, b));
}

function expectThat(holds: boolean, what: () => string): void {
  if (!holds) throw new Error(what());
}
