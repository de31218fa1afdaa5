/** A sequence of words with a type: words `from .. end - 1`. */
export interface Chunk {
  readonly from: number;
  readonly end: number;
  readonly type: string;
}

/**
 * Splits a label into its letter and type: `B-NP` is B of type NP; a label without letter and dash is
 * outside.
 */
function partsOf(label: string): { readonly letter: string; readonly type: string } {
  const match = /^([BIES])-(.*)$/.exec(label);
  return match === null ? { letter: "O", type: "" } : { letter: match[1], type: match[2] };
}

/**
 * Returns the chunks of labels in BIO (or BIOES) notation, as conlleval reads them: B and S begin a chunk, E
 * and S end one, and I or E after another type, or outside, begins one as well (Tjong Kim Sang and Buchholz
 * 2000). O(n).
 */
export function chunksOf(labels: readonly string[]): Chunk[] {
  const chunks: Chunk[] = [];
  let from = -1;
  let type = "";
  let closed = true;
  const close = (end: number) => {
    if (from >= 0) chunks.push({ from, end, type });
    from = -1;
  };
  for (const [i, label] of labels.entries()) {
    const { letter, type: own } = partsOf(label);
    const begins = letter === "B" || letter === "S" || own !== type || closed;
    if (letter === "O" || begins) close(i);
    if (letter !== "O" && from < 0) from = i;
    type = own;
    closed = letter === "O" || letter === "E" || letter === "S";
  }
  close(labels.length);
  return chunks;
}

/**
 * Returns the pairs of labels that BIO notation forbids: I after anything but B or I of its type. For BIOES
 * labels: also E where I is forbidden, and anything but I or E of the type after B or I.
 *
 * @returns 1 at `before * L + label` where the label may not follow, before = L at the beginning: (L + 1) · L
 *   entries
 */
export function bioForbidden(labels: readonly string[]): Uint8Array {
  const L = labels.length;
  const parts = labels.map(partsOf);
  const ends = parts.some(({ letter }) => letter === "E" || letter === "S");
  const forbidden = new Uint8Array((L + 1) * L);
  for (let b = 0; b <= L; b++) {
    const before = b < L ? parts[b] : { letter: "O", type: "" };
    const open = before.letter === "B" || before.letter === "I";
    for (const [y, { letter, type }] of parts.entries()) {
      const continues = letter === "I" || letter === "E";
      const allowed = continues ? open && before.type === type : !(ends && open);
      if (!allowed) forbidden[b * L + y] = 1;
    }
  }
  return forbidden;
}

/**
 * Converts labels in BIO or BIOES notation, or invalid ones, to one of them. In BIOES the last word of a chunk is E, or S
 * when it is also the first. O(n).
 */
export function chunkLabels(labels: readonly string[], notation: "bio" | "bioes"): string[] {
  const converted = labels.map(() => "O");
  for (const { from, end, type } of chunksOf(labels)) {
    for (let i = from; i < end; i++) converted[i] = `${i === from ? "B" : "I"}-${type}`;
    if (notation === "bioes") converted[end - 1] = `${end - from === 1 ? "S" : "E"}-${type}`;
  }
  return converted;
}

/** Counts of chunks with precision, recall and F1, as fractions from 0 to 1; 0 without chunks. */
export interface ChunkCounts {
  readonly correct: number;
  readonly gold: number;
  readonly predicted: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** Precision, recall and F1 of chunks, with their counts, over all types and by type. */
export interface ChunkScores extends ChunkCounts {
  /** Share of words with the correct label. */
  readonly accuracy: number;
  readonly byType: Readonly<Record<string, ChunkCounts>>;
}

/**
 * Returns precision, recall and F1 of chunks, as in the CoNLL shared tasks: a chunk is correct when both
 * sides have one with the same words and type. O(words).
 *
 * @throws RangeError when the sentences have different lengths
 */
export function chunkScores(
  gold: readonly (readonly string[])[],
  predicted: readonly (readonly string[])[],
): ChunkScores {
  if (gold.length !== predicted.length) {
    throw new RangeError(`expected ${gold.length} sentences, got ${predicted.length}`);
  }
  const counts = new Map<string, [correct: number, gold: number, predicted: number]>();
  const count = (type: string, place: 0 | 1 | 2) => {
    const own = counts.get(type) ?? [0, 0, 0];
    own[place]++;
    counts.set(type, own);
  };
  let right = 0;
  let words = 0;
  for (const [s, labels] of gold.entries()) {
    const found = predicted[s];
    if (found.length !== labels.length) {
      throw new RangeError(`sentence ${s + 1}: expected ${labels.length} labels, got ${found.length}`);
    }
    words += labels.length;
    for (const [i, label] of labels.entries()) if (label === found[i]) right++;
    const name = ({ from, end, type }: Chunk) => `${from} ${end} ${type}`;
    const chunks = chunksOf(labels);
    const known = new Set(chunks.map(name));
    for (const { type } of chunks) count(type, 1);
    for (const chunk of chunksOf(found)) {
      count(chunk.type, 2);
      if (known.has(name(chunk))) count(chunk.type, 0);
    }
  }
  const total = [0, 0, 0];
  for (const own of counts.values()) for (const place of [0, 1, 2]) total[place] += own[place];
  const byType = Object.fromEntries(
    [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, own]) => [type, countsOf(own)]),
  );
  return { ...countsOf(total), accuracy: words === 0 ? 0 : right / words, byType };
}

function countsOf([correct = 0, gold = 0, predicted = 0]: readonly number[]): ChunkCounts {
  return {
    correct,
    gold,
    predicted,
    precision: predicted === 0 ? 0 : correct / predicted,
    recall: gold === 0 ? 0 : correct / gold,
    f1: gold + predicted === 0 ? 0 : (2 * correct) / (gold + predicted),
  };
}
