import { ContextCoder } from "./context-coder.ts";
import { COUNTED, type EncodedSentence } from "./encode.ts";
import { codeOf, extend } from "./hash.ts";
import { CODE, CONTEXT_SEED } from "./seeds.ts";
import { type ParsedTemplate, parseTemplate, type Template } from "./templates.ts";
import type { Weights } from "./weight-table.ts";

/**
 * Hashed first-order features of arcs.
 *
 * A feature selects a line of weights: the feature's own weight, then its weights by distance (`DISTANCES`),
 * then its weights by label. Weights that differ only in distance or label share one cache miss. A feature is
 * the XOR of a code of the head's context and one of the modifier's. Both are computed once a sentence, so
 * that an arc costs a few operations a template.
 */
export interface ArcFeatures {
  /** Maximum number of lines that `arc` writes for the prepared sentence. */
  readonly capacity: number;
  /** Codes the contexts of all words. O(n templates). Must come before the other methods. */
  prepare(sentence: EncodedSentence): void;
  /** Writes the offsets of the lines of the features that join h and m; returns their number. */
  arc(h: number, m: number, lines: Int32Array): number;
  /**
   * Returns the sum, over the lines that join h and m, of the weight at offset 0 and of that at `bucket`.
   *
   * @param lines scratch memory for `capacity` lines
   */
  sumArc(h: number, m: number, weights: Weights, bucket: number, lines: Int32Array): number;
  /** The lines of h as a head with a modifier to its right (or left). */
  head(h: number, right: boolean, lines: Int32Array): number;
  /** The lines of m as a modifier with its head to its left (the arc goes right). */
  modifier(m: number, right: boolean, lines: Int32Array): number;
}

/** Number of distance buckets: 1, 2, 3, 4-5, 6-9, 10-19, more. */
export const DISTANCES = 7;

/** Bucket of a distance, 1..DISTANCES. */
export function distanceBucket(distance: number): number {
  if (distance <= 3) return distance;
  if (distance <= 5) return 4;
  if (distance <= 9) return 5;
  return distance <= 19 ? 6 : 7;
}

/** Length of a line for a number of labels: a multiple of 8, so that lines begin at aligned addresses. */
export function lineLength(labels: number): number {
  return Math.ceil((1 + DISTANCES + labels) / 8) * 8;
}

const RIGHT = 0x3c6ef372;
const LEFT = 0x1f83d9ab;
const SPREAD = 0x9e3779b1;
const MAX_COUNTED = 3;
/**
 * Maximum distance within which the tags of all words between are features; beyond it, the tags of the first
 * words.
 */
const MAX_REACH = 256;
/** Codes of the tags between and of the counts, computed once. */
const TAG_CODES = Int32Array.from({ length: 32 }, (_, tag) => codeOf(CODE.tagBetween, tag));
const COUNT_CODES = Int32Array.from({ length: COUNTED.length * (MAX_COUNTED + 1) }, (_, i) =>
  codeOf(CODE.countBetween, i),
);

/**
 * Compiles templates of arcs.
 *
 * @param lineBits the table has 2^lineBits lines
 * @param length length of a line, see `lineLength`
 * @throws RangeError on a template that cannot be read, or that joins features in turn, tags between and
 *   counts
 */
export function arcFeatures(templates: readonly Template[], lineBits: number, length: number): ArcFeatures {
  return new HashedArcFeatures(groupTemplates(templates.map(parseTemplate)), 32 - lineBits, length);
}

class HashedArcFeatures implements ArcFeatures {
  capacity = 0;
  readonly #shift: number;
  readonly #length: number;
  /**
   * Numbers of templates of head and modifier by group: plain, with a count, with tags between, with
   * features.
   */
  readonly #joint: number;
  readonly #firstCounted: number;
  readonly #firstBetween: number;
  readonly #firstMorphology: number;
  readonly #countKind: Int32Array;
  /** 1 for each template with features that takes the features of the head in turn. */
  readonly #headTurns: Uint8Array;
  readonly #modifierTurns: Uint8Array;
  readonly #headContext: ContextCoder;
  readonly #modifierContext: ContextCoder;
  readonly #headAlone: ContextCoder;
  readonly #modifierAlone: ContextCoder;
  /** 1 for the templates of the head (or modifier) alone that take its features in turn. */
  readonly #headAloneTurns: Uint8Array;
  readonly #modifierAloneTurns: Uint8Array;
  #sentence!: EncodedSentence;
  #tagsBetween = new Int32Array(0);
  #reach = 0;

  constructor(groups: TemplateGroups, shift: number, length: number) {
    const { pairs, counted, between, morphology, heads, modifiers } = groups;
    const joint = [...pairs, ...counted, ...between, ...morphology];
    this.#shift = shift;
    this.#length = length;
    this.#joint = joint.length;
    this.#firstCounted = pairs.length;
    this.#firstBetween = this.#firstCounted + counted.length;
    this.#firstMorphology = this.#firstBetween + between.length;
    this.#countKind = Int32Array.from(counted, (template) => template.count);
    this.#headTurns = Uint8Array.from(morphology, (template) => (template.headFeature ? 1 : 0));
    this.#modifierTurns = Uint8Array.from(morphology, (template) => (template.modifierFeature ? 1 : 0));
    this.#headContext = new ContextCoder(sides(joint, "head"), CONTEXT_SEED.head);
    this.#modifierContext = new ContextCoder(sides(joint, "modifier"), CONTEXT_SEED.modifier);
    this.#headAlone = new ContextCoder(sides(heads, "head"), CONTEXT_SEED.headAlone);
    this.#headAloneTurns = Uint8Array.from(heads, (template) => (template.headFeature ? 1 : 0));
    this.#modifierAloneTurns = Uint8Array.from(modifiers, (template) => (template.modifierFeature ? 1 : 0));
    this.#modifierAlone = new ContextCoder(sides(modifiers, "modifier"), CONTEXT_SEED.modifierAlone);
  }

  prepare(sentence: EncodedSentence): void {
    this.#sentence = sentence;
    this.#headContext.prepare(sentence);
    this.#modifierContext.prepare(sentence);
    this.#headAlone.prepare(sentence);
    this.#modifierAlone.prepare(sentence);
    this.#prepareBetween(sentence);
    let most = 0;
    for (let i = 1; i <= sentence.n; i++) {
      most = Math.max(most, sentence.featStart[i + 1] - sentence.featStart[i]);
    }
    const alone = Math.max(this.#headAlone.width, this.#modifierAlone.width) * (most + 1);
    const between = 32 * (this.#firstMorphology - this.#firstBetween);
    const morphology = (this.#joint - this.#firstMorphology) * (most + 1) * (most + 1);
    this.capacity = Math.max(alone, this.#firstBetween + between + morphology);
  }

  /**
   * Computes the sets of tags between pairs of words, as bits: row i, distance d at `i * (reach + 1) + d`.
   * O(n · reach).
   */
  #prepareBetween({ n, tag }: EncodedSentence): void {
    const reach = Math.min(n, MAX_REACH);
    const size = (n + 1) * (reach + 1);
    if (this.#tagsBetween.length < size) this.#tagsBetween = new Int32Array(2 * size);
    this.#reach = reach;
    const sets = this.#tagsBetween;
    for (let i = 0; i <= n; i++) {
      const last = Math.min(reach, n - i);
      let set = 0;
      for (let distance = 1; distance <= last; distance++) {
        sets[i * (reach + 1) + distance] = set;
        set |= 1 << tag[i + distance];
      }
    }
  }

  arc(h: number, m: number, lines: Int32Array): number {
    const headCodes = this.#headContext.codes;
    const modifierCodes = this.#modifierContext.codes;
    const length = this.#length;
    const shift = this.#shift;
    const atHead = h * this.#joint;
    const atModifier = m * this.#joint;
    const direction = h < m ? RIGHT : LEFT;
    const pairs = this.#firstCounted;
    for (let t = 0; t < pairs; t++) {
      const code = headCodes[atHead + t] ^ modifierCodes[atModifier + t] ^ direction;
      lines[t] = (Math.imul(code, SPREAD) >>> shift) * length;
    }
    let count = this.#between(h, m, direction, lines);
    if (this.#firstMorphology < this.#joint) count = this.#morphology(h, m, direction, lines, count);
    return count;
  }

  sumArc(h: number, m: number, weights: Weights, bucket: number, lines: Int32Array): number {
    const headCodes = this.#headContext.codes;
    const modifierCodes = this.#modifierContext.codes;
    const length = this.#length;
    const shift = this.#shift;
    const atHead = h * this.#joint;
    const atModifier = m * this.#joint;
    const direction = h < m ? RIGHT : LEFT;
    const pairs = this.#firstCounted;
    let sum = 0;
    for (let t = 0; t < pairs; t++) {
      const code = headCodes[atHead + t] ^ modifierCodes[atModifier + t] ^ direction;
      const line = (Math.imul(code, SPREAD) >>> shift) * length;
      sum += weights[line] + weights[line + bucket];
    }
    let count = this.#between(h, m, direction, lines);
    if (this.#firstMorphology < this.#joint) count = this.#morphology(h, m, direction, lines, count);
    for (let k = pairs; k < count; k++) {
      const line = lines[k];
      sum += weights[line] + weights[line + bucket];
    }
    return sum;
  }

  /**
   * Writes the lines of templates with counts and with each tag between. Returns the number of lines so far.
   */
  #between(h: number, m: number, direction: number, lines: Int32Array): number {
    const low = Math.min(h, m);
    const high = Math.max(h, m);
    const atHead = h * this.#joint;
    const atModifier = m * this.#joint;
    const headCodes = this.#headContext.codes;
    const modifierCodes = this.#modifierContext.codes;
    const length = this.#length;
    const shift = this.#shift;
    const { counts } = this.#sentence;
    let count = this.#firstCounted;
    for (let t = this.#firstCounted; t < this.#firstBetween; t++) {
      const kind = this.#countKind[t - this.#firstCounted];
      const upTo = counts[kind];
      const number = Math.min(upTo[high - 1] - upTo[low], MAX_COUNTED);
      const code = headCodes[atHead + t] ^ modifierCodes[atModifier + t] ^ direction;
      const counted = code ^ COUNT_CODES[kind * (MAX_COUNTED + 1) + number];
      lines[count++] = (Math.imul(counted, SPREAD) >>> shift) * length;
    }
    const distance = Math.min(high - low, this.#reach);
    let set = this.#tagsBetween[low * (this.#reach + 1) + distance];
    while (set !== 0) {
      const tag = 31 - Math.clz32(set & -set);
      set &= set - 1;
      for (let t = this.#firstBetween; t < this.#firstMorphology; t++) {
        const code = headCodes[atHead + t] ^ modifierCodes[atModifier + t] ^ direction;
        lines[count++] = (Math.imul(code ^ TAG_CODES[tag], SPREAD) >>> shift) * length;
      }
    }
    return count;
  }

  /**
   * Writes the lines of every feature of the head with every one of the modifier, or of one of the two alone.
   */
  #morphology(h: number, m: number, direction: number, lines: Int32Array, from: number): number {
    const { featStart, feats } = this.#sentence;
    const length = this.#length;
    const shift = this.#shift;
    const headFrom = featStart[h];
    const modifierFrom = featStart[m];
    let count = from;
    for (let t = this.#firstMorphology; t < this.#joint; t++) {
      const headCode = this.#headContext.codes[h * this.#joint + t];
      const modifierCode = this.#modifierContext.codes[m * this.#joint + t];
      const base = headCode ^ modifierCode ^ direction;
      const overHead = this.#headTurns[t - this.#firstMorphology] === 1;
      const overModifier = this.#modifierTurns[t - this.#firstMorphology] === 1;
      const headTo = overHead ? featStart[h + 1] : headFrom + 1;
      const modifierTo = overModifier ? featStart[m + 1] : modifierFrom + 1;
      for (let i = headFrom; i < headTo; i++) {
        const withHead = overHead ? extend(base, feats[i]) : base;
        for (let j = modifierFrom; j < modifierTo; j++) {
          const code = overModifier ? withHead ^ Math.imul(feats[j], 0x27d4eb2f) : withHead;
          lines[count++] = (Math.imul(code, SPREAD) >>> shift) * length;
        }
      }
    }
    return count;
  }

  head(h: number, right: boolean, lines: Int32Array): number {
    return this.#alone(this.#headAlone, this.#headAloneTurns, h, right, lines);
  }

  modifier(m: number, right: boolean, lines: Int32Array): number {
    return this.#alone(this.#modifierAlone, this.#modifierAloneTurns, m, right, lines);
  }

  #alone(
    { codes, width }: ContextCoder,
    turns: Uint8Array,
    word: number,
    right: boolean,
    lines: Int32Array,
  ): number {
    const { featStart, feats } = this.#sentence;
    const direction = right ? RIGHT : LEFT;
    const length = this.#length;
    const shift = this.#shift;
    let count = 0;
    for (let t = 0; t < width; t++) {
      const code = codes[word * width + t] ^ direction;
      if (turns[t] === 1) {
        for (let i = featStart[word]; i < featStart[word + 1]; i++) {
          lines[count++] = (Math.imul(code ^ feats[i], SPREAD) >>> shift) * length;
        }
      } else {
        lines[count++] = (Math.imul(code, SPREAD) >>> shift) * length;
      }
    }
    return count;
  }
}

/**
 * Checks a template of arcs.
 *
 * @throws RangeError as `arcFeatures`
 */
export function checkArcTemplate(text: Template): void {
  groupTemplates([parseTemplate(text)]);
}

interface TemplateGroups {
  readonly pairs: ParsedTemplate[];
  readonly counted: ParsedTemplate[];
  readonly between: ParsedTemplate[];
  readonly morphology: ParsedTemplate[];
  readonly heads: ParsedTemplate[];
  readonly modifiers: ParsedTemplate[];
}

function groupTemplates(templates: readonly ParsedTemplate[]): TemplateGroups {
  const groups: TemplateGroups = {
    pairs: [],
    counted: [],
    between: [],
    morphology: [],
    heads: [],
    modifiers: [],
  };
  for (const template of templates) {
    const headCode = template.head.length > 0 || template.headFeature;
    const modifierCode = template.modifier.length > 0 || template.modifierFeature;
    const inTurn = (template.headFeature || template.modifierFeature ? 1 : 0) + (template.between ? 1 : 0);
    if (inTurn + (template.count >= 0 ? 1 : 0) > 1) {
      throw new RangeError(`template "${template.text}": features, tags between and counts cannot be joined`);
    }
    if (template.between) groups.between.push(template);
    else if (template.count >= 0) groups.counted.push(template);
    else if (!modifierCode) groups.heads.push(template);
    else if (!headCode) groups.modifiers.push(template);
    else if (inTurn === 1) groups.morphology.push(template);
    else groups.pairs.push(template);
  }
  return groups;
}

function sides(templates: readonly ParsedTemplate[], side: "head" | "modifier") {
  return templates.map((template) => ({ text: template.text, pieces: template[side] }));
}
