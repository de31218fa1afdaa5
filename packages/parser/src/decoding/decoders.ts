import { type Decoder, requireDecoder } from "@arcwise/core";
import { ArcwiseError } from "@arcwise/core/errors";
import { ad3Decoder } from "@arcwise/decode-ad3";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { eisnerDecoder, mbrDecoder, mstDecoder, projectiveDecoder } from "@arcwise/decode-mst";
import { type DecoderFamily, type DecoderPurpose, decoderNames } from "./decoder-table.ts";
import {
  type Choice,
  type DecoderMaker,
  exactness,
  type Factory,
  type FactoryModule,
  makeDecoder,
  type PurposeRequest,
} from "./make-decoder.ts";

/** The use that a decoder is made for. Plain data. */
export interface DecoderRequest extends PurposeRequest {
  /** The order of the model: 1 scores arcs, 2 and 3 parts as well. */
  readonly order: number;
  /** Whether trees may have several root words. Default: false. */
  readonly multipleRoots?: boolean | undefined;
}

/** Makes a decoder. It receives only the search options that `searchOptions` lists. */
export type DecoderFactory = Factory<Decoder, DecoderRequest>;

/** A factory from the default export of a module, which other threads can load as well: see `loadDecoder`. */
export type DecoderModule = FactoryModule<DecoderFactory>;

/** The name of a built-in decoder, a decoder, or a factory or module that makes one. */
export type DecoderChoice = Choice<Decoder, DecoderRequest>;

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
  constructor(decoder: string, module: string | undefined, isNamed: boolean) {
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
 * Maximum number of climbs per sentence, and number of climbs without a better tree after which the search
 * ends.
 */
const CLIMBS = { training: { restarts: 5, patience: 3 }, parsing: { restarts: 30, patience: 10 } } as const;

/** Returns the trees that a decoder searches. */
function family({ multipleRoots = false }: DecoderRequest): { readonly singleRoot: boolean } {
  return { singleRoot: !multipleRoots };
}

function climbs({ purpose, restarts }: DecoderRequest) {
  return restarts === undefined ? CLIMBS[purpose] : { restarts };
}

const TREES: DecoderMaker<"trees", Decoder, DecoderRequest> = {
  family: "trees",
  check: requireDecoder,
  builtIn: {
    mst: (request) => mstDecoder(family(request)),
    // Without parts, the decoder of arcs alone is faster than "projective".
    eisner: (request) =>
      request.order > 1 ? projectiveDecoder(family(request)) : eisnerDecoder(family(request)),
    projective: (request) => projectiveDecoder(family(request)),
    hillclimb: (request) => hillclimbDecoder({ ...climbs(request), ...family(request) }),
    ad3: (request) => ad3Decoder({ exact: exactness(request), ...family(request) }),
    mbr: (request) => mbrDecoder(family(request)),
    "mbr-projective": (request) => mbrDecoder({ projective: true, ...family(request) }),
  },
};

/** Whether a decoder of that name is built in, for a purpose. */
export function isBuiltIn(name: string, purpose: DecoderPurpose): boolean {
  return decoderNames("trees", purpose).includes(name);
}

/**
 * Returns the built-in decoder that a model was trained with, if the decoder is not given again.
 *
 * @throws ArcwiseError `missing-decoder` when it is not built in
 */
export function storedDecoderName(
  family: DecoderFamily,
  {
    name,
    module,
    given,
  }: { readonly name: string; readonly module?: string | undefined; readonly given?: true | undefined },
): string {
  const isKnown = decoderNames(family, "parsing").includes(name);
  if (isKnown && module === undefined && given === undefined) return name;
  throw new MissingDecoder(name, module, isKnown);
}

/** Makes the decoder of a choice. Throws as `makeDecoder`. */
export function decoderOf(choice: DecoderChoice, request: DecoderRequest): Decoder {
  return makeDecoder(TREES, choice, request);
}

/** Makes the decoder of a training from its source alone. */
export function decoderFrom({ name, url, local, request }: DecoderSource): Decoder {
  if (url === undefined && local === undefined) return decoderOf(name, request);
  throw new RangeError(`the decoder "${name}" of the work is not built in: give it as well`);
}
