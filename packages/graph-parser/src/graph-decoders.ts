import { type GraphDecoder, requireGraphDecoder } from "@arcwise/core";
import { ad3GraphDecoder, basicGraphDecoder } from "@arcwise/decode-ad3";
import {
  type Choice,
  type DecoderMaker,
  exactness,
  type Factory,
  type FactoryModule,
  isModule,
  makeDecoder,
  type PurposeRequest,
} from "@arcwise/parser/shared";

/** Makes a decoder of graphs. It receives only the search options that `searchOptions` lists. */
export type GraphDecoderFactory = Factory<GraphDecoder, PurposeRequest>;

/**
 * A factory from the default export of a module, which other threads can load as well: see
 * `loadGraphDecoder`.
 */
export type GraphDecoderModule = FactoryModule<GraphDecoderFactory>;

/** The name of a built-in decoder of graphs, a decoder, or a factory or module that makes one. */
export type GraphDecoderChoice = Choice<GraphDecoder, PurposeRequest>;

/** The decoder that a model was trained with. Plain data. */
export interface StoredGraphDecoder {
  /** The built-in name, or the decoder's own name. */
  readonly name: string;
  /** The specifier of its module, if it came from one. */
  readonly module?: string | undefined;
  /** True: it was given as an object or a function. */
  readonly given?: true | undefined;
}

const GRAPHS: DecoderMaker<"graphs", GraphDecoder, PurposeRequest> = {
  family: "graphs",
  check: requireGraphDecoder,
  builtIn: {
    basic: () => basicGraphDecoder(),
    ad3: (request) => ad3GraphDecoder({ exact: exactness(request) }),
  },
};

/** Makes the decoder of graphs of a choice. Throws as `makeDecoder`. */
export function graphDecoderOf(choice: GraphDecoderChoice, request: PurposeRequest): GraphDecoder {
  return makeDecoder(GRAPHS, choice, request);
}

/** Returns the part of a choice that a model stores. */
export function storedGraphDecoder(choice: GraphDecoderChoice, { name }: GraphDecoder): StoredGraphDecoder {
  if (typeof choice === "string") return { name: choice };
  if (isModule(choice)) return { name, module: choice.specifier };
  return { name, given: true };
}
