import type { DecoderFactory, DecoderModule } from "../decoding/decoders.ts";
import type { GraphDecoderFactory, GraphDecoderModule } from "../graphs/graph-decoders.ts";
import { DecoderModuleError, decoderFactory } from "../modules/factories.ts";
import { loadModule } from "./load-module.ts";

/**
 * Loads a module whose default export makes decoders (`DecoderFactory`).
 *
 * @param specifier a path that begins with `./`, `../` or `/`, a `file:` URL, the name of a file in `folder`,
 *   or the name of a package that is installed there
 * @param folder the folder of relative paths, from which packages are resolved
 * @throws DecoderModuleError when there is no such module, it fails, or its default export is not a function
 */
export async function loadDecoder(specifier: string, folder: string = process.cwd()): Promise<DecoderModule> {
  const { value, url } = await loadModule(specifier, folder, DecoderModuleError);
  return { make: decoderFactory<DecoderFactory>(value, specifier), url, specifier };
}

/** Loads the module of a decoder of graphs (`GraphDecoderFactory`), as `loadDecoder` does one of trees. */
export async function loadGraphDecoder(
  specifier: string,
  folder: string = process.cwd(),
): Promise<GraphDecoderModule> {
  const { value, url } = await loadModule(specifier, folder, DecoderModuleError);
  return { make: decoderFactory<GraphDecoderFactory>(value, specifier), url, specifier };
}
