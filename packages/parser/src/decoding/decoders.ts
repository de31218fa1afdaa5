import { type Decoder, requireDecoder } from "@arcwise/core";
import { ArcwiseError } from "@arcwise/core/errors";
import { ad3Decoder } from "@arcwise/decode-ad3";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { eisnerDecoder, mbrDecoder, mstDecoder, projectiveDecoder } from "@arcwise/decode-mst";

/** Limits of decoders that search. */
export interface SearchOptions {
  /** Number of climbs a sentence of "hillclimb". Default: until several in a row find no better tree. */
  readonly restarts?: number | undefined;
  /** Whether "ad3" continues by branch and bound until the tree is proved optimal. */
  readonly exact?: boolean | undefined;
  /**
   * Maximum number of seconds a sentence for that proof; a tree that is not proved has a bound above its
   * score.
   */
  readonly seconds?: number | undefined;
}

/** The use that a decoder is made for. Plain data. */
export interface DecoderRequest extends SearchOptions {
  readonly purpose: "training" | "parsing";
  /** The order of the model: 1 scores arcs, 2 and 3 parts as well. */
  readonly order: number;
}

/** Makes a decoder. It receives only the search options that `searchOptions` lists. */
export interface DecoderFactory {
  (request: DecoderRequest): Decoder;
  /** The search options that the decoder takes. Default: none. */
  readonly searchOptions?: readonly (keyof SearchOptions)[];
}

/** A factory from the default export of a module, which other threads can load as well: see `loadDecoder`. */
export interface DecoderModule {
  readonly make: DecoderFactory;
  /** The URL of the module. */
  readonly url: string;
  /** The module as the user specified it. A model stores it for messages. */
  readonly specifier: string;
}

/** The name of a built-in decoder, a decoder, or a factory or module that makes one. */
export type DecoderChoice = string | Decoder | DecoderFactory | DecoderModule;

/** The source from which other threads make the decoder of a training. Plain data. */
export interface DecoderSource {
  /** The decoder's own name. */
  readonly name: string;
  /** The URL of its module, if it came from one. */
  readonly url?: string;
  /** True: the decoder was given as an object or a function, which other threads cannot load. */
  readonly local?: true;
  readonly request: DecoderRequest;
}

/** A model was trained with a decoder that is not built in and has not been given. */
export class MissingDecoder extends ArcwiseError {
  override readonly name = "MissingDecoder";
  readonly decoder: string;
  /** The specifier of its module, if it came from one. */
  readonly module: string | undefined;

  /** @param isNamed whether a built-in decoder has the same name */
  constructor(decoder: string, module: string | undefined, isNamed = isBuiltIn(decoder, "parsing")) {
    const origin = module === undefined ? "" : ` (${module})`;
    const which = isNamed ? "is not the built-in one of that name" : "is not built in";
    super(
      "missing-decoder",
      `trained with the decoder "${decoder}"${origin}, which ${which}: it has to be given`,
    );
    this.decoder = decoder;
    this.module = module;
  }
}

/**
 * Maximum number of climbs a sentence, and number of climbs without a better tree after which the search
 * ends.
 */
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
  // The decoder of arcs alone is faster than "projective" where there are no parts.
  eisner: ({ order }: DecoderRequest) => (order > 1 ? projectiveDecoder() : eisnerDecoder()),
  projective: () => projectiveDecoder(),
  hillclimb: Object.assign(hillclimb, { searchOptions: ["restarts"] as const }),
  ad3: Object.assign(ad3, { searchOptions: ["exact", "seconds"] as const }),
} as const satisfies Readonly<Record<string, DecoderFactory>>;

/** Decoders for parsing only, by minimum Bayes risk. */
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
 * Makes the decoder of a choice.
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
 * Makes the decoder of a training from its source alone.
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

/** The beginning of messages about each search option. */
const SEARCH_OPTIONS: Readonly<Record<keyof SearchOptions, string>> = {
  restarts: "restarts are",
  exact: "exact is",
  seconds: "seconds are",
};

/** Returns the search options of a request. `exact: false` is none. */
function searchOptionsIn({ restarts, exact, seconds }: SearchOptions): (keyof SearchOptions)[] {
  const given = { restarts: restarts !== undefined, exact: exact === true, seconds: seconds !== undefined };
  return (["restarts", "exact", "seconds"] as const).filter((option) => given[option]);
}
