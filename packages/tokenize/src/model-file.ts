import {
  type FilePart,
  fileFormat,
  float32,
  int8,
  int32,
  prefixed,
  quantize,
  readModel,
  type SectionRows,
  writeModel,
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
type NetworkName = "characters" | "tokens";

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

const WIDTH = integer(4, 1024);

const SHAPE = record<NetworkShape>({
  features: integer(1, 2 ** 24),
  embedding: WIDTH,
  units: WIDTH,
  classes: oneOf(2, 3, 4),
});

const NETWORK = record<NetworkHeader>({ shape: SHAPE, scale });

/** How a network is stored in a file. @param kinds number of the kinds of its features, without keys */
function networkPart(name: NetworkName, kinds: number): FilePart<NetworkData, NetworkHeader, SectionRows> {
  return prefixed(name, {
    header(value, at) {
      NETWORK(value, at);
      const { shape } = value as NetworkHeader;
      if (shape.embedding % 4 !== 0 || shape.units % 4 !== 0)
        refuse(`${at}.shape`, "widths that are multiples of 4", shape);
      oneOf(2, name === "characters" ? 3 : 4)(shape.classes, `${at}.shape.classes`);
    },
    headerOf: ({ shape, scale: unit }: NetworkData): NetworkHeader => ({ shape, scale: unit }),
    sections({ shape, scale: unit }: NetworkHeader, _, model?: NetworkData) {
      const size = embeddingsOf(shape);
      const embeddings = model?.parameters.subarray(0, size);
      return {
        // Keys are distinct: one of them may be 0.
        keys: int32({ entries: shape.features - kinds, maxZeros: 1, check: checkKeys, vector: model?.keys }),
        embeddings: int8({
          entries: size,
          vector: embeddings && Int8Array.from(embeddings, (value) => Math.round(value / unit)),
        }),
        layers: float32({ entries: networkSize(shape) - size, vector: model?.parameters.subarray(size) }),
      };
    },
    read({ shape, scale: unit }, { keys, embeddings, layers }) {
      const parameters = new Float32Array(networkSize(shape));
      for (let i = 0; i < embeddings.length; i++) parameters[i] = embeddings[i]! * unit;
      parameters.set(layers, embeddings.length);
      return { shape, keys, parameters, scale: unit };
    },
  });
}

function checkKeys(keys: Int32Array, at: string): void {
  if (new Set(keys).size !== keys.length) refuse(at, "each key once", keys);
}

const TOKENS = networkPart("tokens", TOKEN_FEATURES.kinds);
const CHARACTERS = networkPart("characters", CHARACTER_FEATURES.kinds);
const WIDE_CHARACTERS = networkPart("characters", WIDE_CHARACTER_FEATURES.kinds);

const COUNT = integer(0, Number.MAX_SAFE_INTEGER);
const PERCENT = number(0, 100);

/** A text of at least one character that can be written into a column. */
const TEXT = (value: unknown, at: string) => {
  field(value, at);
  if (value === "") refuse(at, "a text that is not empty", value);
};

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
  characters: CHARACTERS.header,
  tokens: TOKENS.header,
});

/** Checks that no word of an affix rule can be empty. */
function checkAffixes(rules: readonly AffixRule[], at: string): void {
  for (const [r, { kind, words }] of rules.entries()) {
    for (const word of kind === "suffix" ? words.slice(1) : words.slice(0, -1))
      TEXT(word, `${at}[${r}].words`);
  }
}

/** How a tokeniser is stored in a file. */
const TOKENIZER_FILE = fileFormat({
  kind: "tokenizer",
  header(value, at) {
    HEADER(value, at);
    checkAffixes((value as TokenizerHeader).multiword.affixes, `${at}.multiword.affixes`);
  },
  headerOf: (model: TokenizerModel): TokenizerHeader => ({
    ...model,
    characters: CHARACTERS.headerOf(model.characters),
    tokens: TOKENS.headerOf(model.tokens),
  }),
  sections: ({ isWide, characters, tokens }: TokenizerHeader, entriesOf, model?: TokenizerModel) => ({
    ...(isWide ? WIDE_CHARACTERS : CHARACTERS).sections(characters, entriesOf, model?.characters),
    ...TOKENS.sections(tokens, entriesOf, model?.tokens),
  }),
  read: (header, vectors): TokenizerModel => ({
    ...header,
    characters: CHARACTERS.read(header.characters, vectors),
    tokens: TOKENS.read(header.tokens, vectors),
  }),
});

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
  return writeModel(TOKENIZER_FILE, model);
}

/**
 * Reads the bytes of a tokeniser file.
 *
 * @throws ModelError when they are not a tokeniser file, are damaged, truncated, or of a newer version
 */
export function loadTokenizer(bytes: Uint8Array): TokenizerModel {
  return readModel(TOKENIZER_FILE, bytes);
}
