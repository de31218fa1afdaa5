import { counted } from "@arcwise/core/errors";
import { MAX_NUMBERS, WordVectorError, type WordVectors } from "./word-vectors.ts";

/** Options of `lexiconVectors`. */
export interface LexiconOptions {
  /** Name of the file in messages. Default: "lexicon". */
  readonly source?: string | undefined;
  /** Attributes of fewer words are left out. Default: 5. */
  readonly minimumCount?: number | undefined;
}

/**
 * Returns vectors of the words of a morphological lexicon, which say what the word can be: there is a number
 * for each attribute that some analysis has, such as N, PL or 3; it is 1 if an analysis of the word has it,
 * else 0. Attributes are in the order of their code units, words in the order of the lexicon. Words that
 * contain spaces are left out.
 *
 * The format is UniMorph (Batsuren et al. 2022): one line per analysis, which is a lemma, a form, and
 * attributes separated by semicolons, with tabs between the three. Further columns are not read.
 *
 * Cost: O(lexicon); memory for the attributes of each word and for the vectors.
 *
 * @param lines the lines of the lexicon, without their ends; it need not be in memory
 * @throws ArcwiseError `invalid-vectors` with file and line, when a line is not an analysis; when no attribute has
 *   `minimumCount` words, or more than 4096 have
 */
export async function lexiconVectors(
  lines: Iterable<string> | AsyncIterable<string>,
  { source = "lexicon", minimumCount = 5 }: LexiconOptions = {},
): Promise<WordVectors> {
  const numbers = new Map<string, number>();
  const attributesOf = new Map<string, number[]>();
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === "") continue;
    const [, form = "", attributes = ""] = line.trimEnd().split("\t");
    if (form === "" || attributes === "") {
      const found = JSON.stringify(line.slice(0, MAX_SHOWN));
      const expected = "lemma, form and attributes with tabs between them";
      throw new WordVectorError(`${source}:${number}: expected ${expected}, found ${found}`);
    }
    if (/\s/u.test(form)) continue;
    const own = attributesOf.get(form) ?? [];
    if (own.length === 0) attributesOf.set(form, own);
    for (const attribute of attributes.split(";")) {
      const id = numbers.get(attribute) ?? numbers.size;
      numbers.set(attribute, id);
      if (!own.includes(id)) own.push(id);
    }
  }
  return vectorsOf(attributesOf, numbers, source, minimumCount);
}

/** Maximum number of characters of a line in messages. */
const MAX_SHOWN = 60;

function vectorsOf(
  attributesOf: ReadonlyMap<string, readonly number[]>,
  numbers: ReadonlyMap<string, number>,
  source: string,
  minimumCount: number,
): WordVectors {
  const counts = new Int32Array(numbers.size);
  for (const own of attributesOf.values()) for (const id of own) counts[id]++;
  const kept = [...numbers.keys()].sort().filter((name) => counts[numbers.get(name)!] >= minimumCount);
  if (kept.length === 0) {
    throw new WordVectorError(
      `${source}: expected attributes of at least ${counted(minimumCount, "word")}, found none`,
    );
  }
  if (kept.length > MAX_NUMBERS) {
    const found = `${kept.length} of at least ${counted(minimumCount, "word")}`;
    throw new WordVectorError(`${source}: expected at most ${MAX_NUMBERS} attributes, found ${found}`);
  }
  const dimensions = new Int32Array(numbers.size).fill(-1);
  for (const [d, name] of kept.entries()) dimensions[numbers.get(name)!] = d;
  const words = [...attributesOf.keys()];
  const dimension = kept.length;
  const values = new Float32Array(words.length * dimension);
  for (const [w, own] of [...attributesOf.values()].entries()) {
    for (const id of own) if (dimensions[id] >= 0) values[w * dimension + dimensions[id]] = 1;
  }
  return { dimension, words, values };
}
