import {
  type Container,
  ModelError,
  quantize,
  readContainer,
  type SectionTable,
  type Vector,
  writeContainer,
} from "@arcwise/core/container";
import {
  checkArgument,
  field,
  flag,
  integer,
  list,
  number,
  oneOf,
  optional,
  record,
  refuse,
  scale,
  shaped,
  withMembers,
} from "@arcwise/core/options";
import { CHARACTER_FEATURES, TOKEN_FEATURES, WIDE_CHARACTER_FEATURES } from "./features.ts";
import type { NetworkData, TokenizerModel, TokenizerScores } from "./model.ts";
import type { AffixRule, MultiwordForm, MultiwordRules } from "./multiword.ts";
import { type NetworkShape, networkSize } from "./network/layout.ts";
import { CLASSES } from "./text/character-classes.ts";

/** Names of the two networks in a file. */
const NETWORKS = ["characters", "tokens"] as const;
type NetworkName = (typeof NETWORKS)[number];

interface NetworkHeader {
  readonly shape: NetworkShape;
  /** Unit of the stored embeddings. */
  readonly scale: number;
}

interface TokenizerHeader extends Omit<TokenizerModel, NetworkName> {
  readonly characters: NetworkHeader;
  readonly tokens: NetworkHeader;
}

/**
 * Rounds the embeddings of a network to one byte each, which makes files four times smaller; layers stay
 * 32-bit floats.
 */
export function compactNetwork(data: Omit<NetworkData, "scale">): NetworkData {
  const { values, scale: unit } = quantize(data.parameters.subarray(0, embeddingsOf(data.shape)));
  const parameters = data.parameters.slice();
  for (let i = 0; i < values.length; i++) parameters[i] = values[i]! * unit;
  return { ...data, parameters, scale: unit };
}

function embeddingsOf({ features, embedding }: NetworkShape): number {
  return features * embedding;
}

/** Returns the bytes of a tokeniser file. O(parameters). */
export function saveTokenizer(model: TokenizerModel): Uint8Array {
  const network = shaped<TokenizerModel["characters"]>("a network", {
    shape: withMembers("a shape", "features", "units"),
    parameters: withMembers("parameters", "subarray"),
  });
  checkArgument(
    shaped<TokenizerModel>("a model of a tokeniser", { characters: network, tokens: network }),
    model,
    "saveTokenizer",
  );
  const vectors: Record<string, Vector> = {};
  const headerOf = (name: NetworkName): NetworkHeader => {
    const { shape, keys, parameters, scale: unit } = model[name];
    const embeddings = parameters.subarray(0, embeddingsOf(shape));
    vectors[`${name}.keys`] = keys;
    vectors[`${name}.embeddings`] = Int8Array.from(embeddings, (value) => Math.round(value / unit));
    vectors[`${name}.layers`] = parameters.subarray(embeddings.length);
    return { shape, scale: unit };
  };
  const header: TokenizerHeader = {
    ...model,
    characters: headerOf("characters"),
    tokens: headerOf("tokens"),
  };
  return writeContainer({ kind: "tokenizer", header, vectors });
}

const COUNT = integer(0, Number.MAX_SAFE_INTEGER);
const PERCENT = number(0, 100);
const WIDTH = integer(4, 1024);

/** A text of at least one character that can be written into a column. */
const TEXT = (value: unknown, at: string) => {
  field(value, at);
  if (value === "") refuse(at, "a text that is not empty", value);
};

const SHAPE = record<NetworkShape>({
  features: integer(1, 2 ** 24),
  embedding: WIDTH,
  units: WIDTH,
  classes: oneOf(2, 3, 4),
});

const NETWORK = record<NetworkHeader>({ shape: SHAPE, scale });

const HEADER = record<TokenizerHeader>({
  description: record<TokenizerModel["description"]>({
    seed: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    trainingSentences: COUNT,
    trainingTokens: COUNT,
    dev: optional(record<TokenizerScores>({ tokens: PERCENT, sentences: PERCENT, words: PERCENT })),
  }),
  isWide: optional(flag),
  spacedPairs: list(integer(0, CLASSES * CLASSES - 1), { distinct: true }),
  sentenceCost: number(0, 1),
  multiword: record<MultiwordRules>({
    forms: list(record<MultiwordForm>({ form: TEXT, words: list(TEXT, { min: 2, max: 100 }), always: flag })),
    affixes: list(
      record<AffixRule>({
        kind: oneOf("suffix", "prefix"),
        affix: TEXT,
        words: list(field, { min: 2, max: 100 }),
      }),
    ),
  }),
  characters: NETWORK,
  tokens: NETWORK,
});

/** Checks that no word of an affix rule can be empty. */
function checkAffixes(rules: readonly AffixRule[], at: string): void {
  for (const [r, { kind, words }] of rules.entries()) {
    for (const word of kind === "suffix" ? words.slice(1) : words.slice(0, -1))
      TEXT(word, `${at}[${r}].words`);
  }
}

/** Checks the header of a tokeniser file, and declares its sections. */
function checkTokenizer(value: unknown, sections: SectionTable): void {
  const at = "damaged tokenizer file: header";
  HEADER(value, at);
  const header = value as TokenizerHeader;
  checkAffixes(header.multiword.affixes, `${at}.multiword.affixes`);
  for (const name of NETWORKS) {
    const { shape } = header[name];
    const kindsOfCharacters = header.isWide ? WIDE_CHARACTER_FEATURES : CHARACTER_FEATURES;
    const { kinds } = name === "characters" ? kindsOfCharacters : TOKEN_FEATURES;
    const where = `${at}.${name}.shape`;
    if (shape.embedding % 4 !== 0 || shape.units % 4 !== 0)
      refuse(where, "widths that are multiples of 4", shape);
    const most = name === "characters" ? [2, 3] : [2, 4];
    if (!most.includes(shape.classes)) refuse(`${where}.classes`, most.join(" or "), shape.classes);
    // Keys are distinct: one of them may be 0.
    const keys = sections.takeDense(`${name}.keys`, "int32", 1);
    if (shape.features !== kinds + keys) refuse(`${where}.features`, `${kinds + keys}`, shape.features);
    const embeddings = embeddingsOf(shape);
    sections.expect(`${name}.embeddings`, "int8", embeddings);
    sections.expect(`${name}.layers`, "float32", networkSize(shape) - embeddings);
  }
}

/**
 * Reads the bytes of a tokeniser file.
 *
 * @throws ModelError when they are not a tokeniser file, are damaged, truncated, or of a newer version
 */
export function loadTokenizer(bytes: Uint8Array): TokenizerModel {
  const container = readContainer(bytes, "tokenizer", checkTokenizer);
  const header = container.header as TokenizerHeader;
  return {
    ...header,
    characters: readNetwork(header, container, "characters"),
    tokens: readNetwork(header, container, "tokens"),
  };
}

function readNetwork(header: TokenizerHeader, { vectors }: Container, name: NetworkName): NetworkData {
  const { shape, scale: unit } = header[name];
  const keys = vectors[`${name}.keys`] as Int32Array;
  if (new Set(keys).size !== keys.length) throw new ModelError("damaged tokenizer file: a key is duplicated");
  const embeddings = vectors[`${name}.embeddings`] as Int8Array;
  const parameters = new Float32Array(networkSize(shape));
  for (let i = 0; i < embeddings.length; i++) parameters[i] = embeddings[i]! * unit;
  parameters.set(vectors[`${name}.layers`] as Float32Array, embeddings.length);
  return { shape, keys, parameters, scale: unit };
}
