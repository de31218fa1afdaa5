import { type Decoder, requireDecoder } from "@arcwise/core";
import { ad3Decoder } from "@arcwise/decode-ad3";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { eisnerDecoder, mbrDecoder, mstDecoder, projectiveDecoder } from "@arcwise/decode-mst";

/** How long decoders that search go on. */
export interface SearchOptions {
  /** Climbs a sentence of "hillclimb"; a few, and more in parsing than in training, unless said otherwise. */
  readonly restarts?: number | undefined;
  /** Whether "ad3" goes on by branch and bound until the tree is proven to be the best. */
  readonly exact?: boolean | undefined;
  /**
   * Seconds that "ad3" searches for a proof, a sentence; a tree that is not proven then has a bound above its
   * score.
   */
  readonly seconds?: number | undefined;
}

/** What a decoder is made for. Plain data. */
export interface DecoderRequest extends SearchOptions {
  readonly purpose: "training" | "parsing";
  /** The order of the model: 1 scores arcs, 2 and 3 parts as well. */
  readonly order: number;
}

/** Makes a decoder. It is given only the search options that it says it takes. */
export interface DecoderFactory {
  (request: DecoderRequest): Decoder;
  /** The search options that the decoder takes; none unless said otherwise. */
  readonly searchOptions?: readonly (keyof SearchOptions)[];
}

/** A factory that other threads can load as well: the default export of a module. `loadDecoder` makes it. */
export interface DecoderModule {
  readonly make: DecoderFactory;
  /** The URL of the module. */
  readonly url: string;
  /** What the user calls the module: a model keeps it, to say what is missing where it is. */
  readonly specifier: string;
}

/** The name of a built-in decoder, a decoder, or what makes one. */
export type DecoderChoice = string | Decoder | DecoderFactory | DecoderModule;

/** What other threads make the decoder of a training of. Plain data. */
export interface DecoderSource {
  /** The decoder's own name. */
  readonly name: string;
  /** The URL of its module; absent unless it comes from one. */
  readonly url?: string;
  /** True: it was given as an object or a function, which no other thread has. */
  readonly local?: true;
  readonly request: DecoderRequest;
}

/** A model was trained with a decoder that is not built in, and nobody has given it. */
export class MissingDecoder extends Error {
  override readonly name = "MissingDecoder";
  readonly decoder: string;
  /** What the user called its module; absent where it came from none. */
  readonly module: string | undefined;

  /** @param isNamed whether a built-in decoder has the same name */
  constructor(decoder: string, module: string | undefined, isNamed = isBuiltIn(decoder, "parsing")) {
    const origin = module === undefined ? "" : ` (${module})`;
    const which = isNamed ? "is not the built-in one of that name" : "is not built in";
    super(`trained with the decoder "${decoder}"${origin}, which ${which}: it has to be given`);
    this.decoder = decoder;
    this.module = module;
  }
}

/** Climbs a sentence, and how many in a row without a better tree are enough. */
const CLIMBS = { training: { restarts: 5, patience: 3 }, parsing: { restarts: 30, patience: 10 } } as const;

const hillclimb: DecoderFactory = ({ purpose, restarts }) =>
  hillclimbDecoder(restarts === undefined ? CLIMBS[purpose] : { restarts });

const ad3: DecoderFactory = ({ exact = false, seconds }) => {
  if (seconds === undefined) return ad3Decoder({ exact });
  if (!exact) throw new RangeError("seconds are a limit of an exact search: ask for one");
  if (!(seconds > 0)) throw new RangeError(`seconds must be above 0, got ${seconds}`);
  return ad3Decoder({ exact: { milliseconds: 1000 * seconds } });
};

/** The built-in decoders that a model can be trained with, by name. */
const DECODERS = {
  mst: () => mstDecoder(),
  // The exact projective decoders are one family: beyond arcs, its member is "projective".
  eisner: ({ order }: DecoderRequest) => (order > 1 ? projectiveDecoder() : eisnerDecoder()),
  projective: () => projectiveDecoder(),
  hillclimb: Object.assign(hillclimb, { searchOptions: ["restarts"] as const }),
  ad3: Object.assign(ad3, { searchOptions: ["exact", "seconds"] as const }),
} as const satisfies Readonly<Record<string, DecoderFactory>>;

/** Decoders for parsing alone: the highest expected number of right heads, by the model's probabilities. */
const MBR_DECODERS: Readonly<Record<string, DecoderFactory>> = {
  mbr: () => mbrDecoder(),
  "mbr-projective": () => mbrDecoder({ projective: true }),
};

const BUILT_IN: Readonly<Record<DecoderRequest["purpose"], Readonly<Record<string, DecoderFactory>>>> = {
  training: DECODERS,
  parsing: { ...DECODERS, ...MBR_DECODERS },
};

/** Names of the built-in decoders that a model can be trained with. */
export const TRAINING_DECODER_NAMES: readonly string[] = Object.keys(BUILT_IN.training);

/** Names of the built-in decoders that a trained model can parse with, if they handle its parts. */
export const DECODER_NAMES: readonly string[] = Object.keys(BUILT_IN.parsing);

/** Whether a decoder of that name is built in, for a purpose. */
export function isBuiltIn(name: string, purpose: DecoderRequest["purpose"]): boolean {
  return Object.hasOwn(BUILT_IN[purpose], name);
}

/** Whether a choice is a module that has been loaded. */
export function isDecoderModule(choice: DecoderChoice): choice is DecoderModule {
  return typeof choice === "object" && "make" in choice;
}

/**
 * The decoder that a choice stands for.
 *
 * @throws RangeError when no built-in decoder has the name, or a search option is for another decoder
 * @throws InvalidDecoder when a factory makes no decoder; names the member that is missing
 */
export function decoderOf(choice: DecoderChoice, request: DecoderRequest): Decoder {
  if (typeof choice === "string") return made(builtIn(choice, request.purpose), request, `"${choice}"`);
  if (typeof choice === "function") return made(choice, request, "the factory of the decoder");
  if (isDecoderModule(choice)) return made(choice.make, request, choice.specifier);
  for (const option of searchOptionsIn(request)) {
    throw new RangeError(
      `${SEARCH_OPTIONS[option]} for a decoder that is named, got one that is made: set it up there`,
    );
  }
  return requireDecoder(choice, "the option decoder");
}

/**
 * The decoder of a training, by its source alone.
 *
 * @throws RangeError when it is not built in
 */
export function decoderFrom({ name, url, local, request }: DecoderSource): Decoder {
  if (url === undefined && local === undefined) return decoderOf(name, request);
  throw new RangeError(`the decoder "${name}" of the work is not built in: give it as well`);
}

function builtIn(name: string, purpose: DecoderRequest["purpose"]): DecoderFactory {
  if (isBuiltIn(name, purpose)) return BUILT_IN[purpose][name]!;
  throw new RangeError(
    `no decoder is named "${name}"; there are ${Object.keys(BUILT_IN[purpose]).join(", ")}`,
  );
}

function made(make: DecoderFactory, request: DecoderRequest, source: string): Decoder {
  for (const option of searchOptionsIn(request)) {
    if (make.searchOptions?.includes(option)) continue;
    const takers = Object.entries(BUILT_IN.parsing).filter(([, one]) => one.searchOptions?.includes(option));
    const names = takers.map(([name]) => name).join(", ");
    throw new RangeError(`${SEARCH_OPTIONS[option]} for the decoder ${names}, which ${source} is not`);
  }
  return requireDecoder(make(request), source);
}

/** How messages begin that are about a search option. */
const SEARCH_OPTIONS: Readonly<Record<keyof SearchOptions, string>> = {
  restarts: "restarts are",
  exact: "exact is",
  seconds: "seconds are",
};

/** The search options that a request has. `exact: false` asks for nothing. */
function searchOptionsIn({ restarts, exact, seconds }: SearchOptions): (keyof SearchOptions)[] {
  const given = { restarts: restarts !== undefined, exact: exact === true, seconds: seconds !== undefined };
  return (["restarts", "exact", "seconds"] as const).filter((option) => given[option]);
}
