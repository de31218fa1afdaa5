import type { Decoder } from "@arcwise/core";
import { ArcwiseError, type ArcwiseErrorOptions } from "@arcwise/core/errors";
import {
  type DecoderFactory,
  type DecoderModule,
  type DecoderSource,
  decoderFrom,
  decoderOf,
} from "../decoding/decoders.ts";
import type { GraphDecoderFactory, GraphDecoderModule } from "../graphs/graph-decoders.ts";
import { importDefault, loadModule } from "./load-module.ts";

/**
 * A module of a decoder cannot be loaded, or exports no factory. The message names it and gives the cause.
 */
export class DecoderModuleError extends ArcwiseError {
  override readonly name = "DecoderModuleError";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("invalid-module", message, options);
  }
}

/**
 * Loads a module whose default export makes decoders (`DecoderFactory`).
 *
 * @param specifier a path that begins with `./`, `../` or `/`, a `file:` URL, the name of a file in `folder`,
 *   or the name of a package that is installed there
 * @param folder the folder of relative paths, from which packages are resolved
 * @throws DecoderModuleError when there is no such module, it fails, or its default export is no function
 */
export async function loadDecoder(specifier: string, folder: string = process.cwd()): Promise<DecoderModule> {
  const { value, url } = await loadModule(specifier, folder, DecoderModuleError);
  return { make: checkFactory<DecoderFactory>(value, specifier), url, specifier };
}

/** Loads the module of a decoder of graphs (`GraphDecoderFactory`), as `loadDecoder` does one of trees. */
export async function loadGraphDecoder(
  specifier: string,
  folder: string = process.cwd(),
): Promise<GraphDecoderModule> {
  const { value, url } = await loadModule(specifier, folder, DecoderModuleError);
  return { make: checkFactory<GraphDecoderFactory>(value, specifier), url, specifier };
}

/** Makes the decoder of a training in a thread, from its source alone. */
export async function remakeDecoder(source: DecoderSource): Promise<Decoder> {
  const { url, request } = source;
  if (url === undefined) return decoderFrom(source);
  return decoderOf(
    checkFactory<DecoderFactory>(await importDefault(url, url, DecoderModuleError), url),
    request,
  );
}

function checkFactory<Factory>(value: unknown, source: string): Factory {
  if (typeof value === "function") return value as Factory;
  const found = value === undefined ? "none" : `one of type ${typeof value}`;
  throw new DecoderModuleError(
    `${source}: expected a default export that is a function which makes a decoder, found ${found}`,
  );
}
