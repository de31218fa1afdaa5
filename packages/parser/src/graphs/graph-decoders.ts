import { type GraphDecoder, requireGraphDecoder } from "@arcwise/core";
import { ad3GraphDecoder, basicGraphDecoder } from "@arcwise/decode-ad3";
import { hillclimbGraphDecoder } from "@arcwise/decode-hillclimb";
import { MissingDecoder, type SearchOptions } from "../decoding/decoders.ts";

/** The use that a decoder of graphs is made for. Plain data. */
export interface GraphDecoderRequest extends SearchOptions {
  readonly purpose: "training" | "parsing";
}

/** Makes a decoder of graphs. It receives only the search options that `searchOptions` lists. */
export interface GraphDecoderFactory {
  (request: GraphDecoderRequest): GraphDecoder;
  /** The search options that the decoder takes. Default: none. */
  readonly searchOptions?: readonly (keyof SearchOptions)[];
}

/**
 * A factory from the default export of a module, which other threads can load as well: see
 * `loadGraphDecoder`.
 */
export interface GraphDecoderModule {
  readonly make: GraphDecoderFactory;
  /** The URL of the module. */
  readonly url: string;
  /** The module as the user specified it. A model stores it for messages. */
  readonly specifier: string;
}

/** The name of a built-in decoder of graphs, a decoder, or a factory or module that makes one. */
export type GraphDecoderChoice = string | GraphDecoder | GraphDecoderFactory | GraphDecoderModule;

/** The decoder that a model was trained with. Plain data. */
export interface StoredGraphDecoder {
  /** The built-in name, or the decoder's own name. */
  readonly name: string;
  /** The specifier of its module, if it came from one. */
  readonly module?: string | undefined;
  /** True: it was given as an object or a function. */
  readonly given?: true | undefined;
}

/**
 * Maximum number of climbs a sentence, and number of climbs without a better graph after which the search
 * ends.
 */
const CLIMBS = {
  training: { restarts: 3, patience: 2 },
  parsing: { restarts: 20, patience: 5 },
} as const;

const hillclimb: GraphDecoderFactory = ({ purpose, restarts }) =>
  hillclimbGraphDecoder(restarts === undefined ? CLIMBS[purpose] : { restarts });

const ad3: GraphDecoderFactory = ({ exact = false, seconds }) => {
  if (seconds === undefined) return ad3GraphDecoder({ exact });
  if (!exact) throw new RangeError("seconds are a limit of an exact search: ask for one");
  if (!(seconds > 0)) throw new RangeError(`seconds must be above 0, got ${seconds}`);
  return ad3GraphDecoder({ exact: { milliseconds: 1000 * seconds } });
};

const DECODERS: Readonly<Record<string, GraphDecoderFactory>> = {
  basic: () => basicGraphDecoder(),
  ad3: Object.assign(ad3, { searchOptions: ["exact", "seconds"] as const }),
  hillclimb: Object.assign(hillclimb, { searchOptions: ["restarts"] as const }),
};

/** Names of the built-in decoders of graphs. */
export const GRAPH_DECODER_NAMES: readonly string[] = Object.keys(DECODERS);

/**
 * Makes the decoder of graphs of a choice.
 *
 * @throws RangeError when no built-in decoder has the name, or a search option is for another decoder
 * @throws InvalidDecoder when a factory makes no decoder; names the member that is missing
 */
export function graphDecoderOf(choice: GraphDecoderChoice, request: GraphDecoderRequest): GraphDecoder {
  if (typeof choice === "string") return made(builtIn(choice), request, `"${choice}"`);
  if (typeof choice === "function") return made(choice, request, "the factory of the decoder");
  if ("make" in choice) return made(choice.make, request, choice.specifier);
  const [option] = optionsIn(request);
  if (option === undefined) return requireGraphDecoder(choice, "the option decoder");
  throw new RangeError(`${option} is for a decoder that is named, got one that is made: set it up there`);
}

/** Returns the part of a choice that a model stores. */
export function storedGraphDecoder(choice: GraphDecoderChoice, { name }: GraphDecoder): StoredGraphDecoder {
  if (typeof choice === "string") return { name: choice };
  if (typeof choice === "object" && "make" in choice) return { name, module: choice.specifier };
  return { name, given: true };
}

/**
 * Returns the choice that a model stores, where the decoder is not given again.
 *
 * @throws MissingDecoder when it was not trained with a built-in one
 */
export function rememberedGraphDecoder({ name, module, given }: StoredGraphDecoder): GraphDecoderChoice {
  const isKnown = Object.hasOwn(DECODERS, name);
  if (isKnown && module === undefined && given === undefined) return name;
  throw new MissingDecoder(name, module, isKnown);
}

function builtIn(name: string): GraphDecoderFactory {
  if (Object.hasOwn(DECODERS, name)) return DECODERS[name]!;
  throw new RangeError(
    `no decoder of graphs is named "${name}"; there are ${GRAPH_DECODER_NAMES.join(", ")}`,
  );
}

function made(make: GraphDecoderFactory, request: GraphDecoderRequest, source: string): GraphDecoder {
  for (const option of optionsIn(request)) {
    if (make.searchOptions?.includes(option)) continue;
    const takers = GRAPH_DECODER_NAMES.filter((name) => DECODERS[name]!.searchOptions?.includes(option));
    throw new RangeError(`${option} is for the decoder ${takers.join(", ")}, which ${source} is not`);
  }
  return requireGraphDecoder(make(request), source);
}

/** Returns the search options of a request. `exact: false` is none. */
function optionsIn({ restarts, exact, seconds }: SearchOptions): (keyof SearchOptions)[] {
  const given = { restarts: restarts !== undefined, exact: exact === true, seconds: seconds !== undefined };
  return (["restarts", "exact", "seconds"] as const).filter((option) => given[option]);
}
