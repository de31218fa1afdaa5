/** The class of the errors that a caller throws. Their messages begin with the specifier. */
export type ModuleErrorClass = new (message: string, options?: ErrorOptions) => Error;

let allowed: readonly string[] | undefined;

/**
 * Restricts the modules that trainings in this thread may load: decoders, learners, features of whole trees.
 *
 * @param urls URLs of modules; undefined: any
 */
export function restrictModules(urls: readonly string[] | undefined): void {
  allowed = urls;
}

/**
 * Returns the default export of the module at a URL.
 *
 * @param source the name of the module in messages
 */
export async function importDefault(
  url: string,
  source: string,
  Failure: ModuleErrorClass,
): Promise<unknown> {
  if (allowed?.includes(url) === false)
    throw new Failure(
      `${source}: expected a module that this worker was given: start it with --module ${url} if it may run that code`,
    );
  try {
    const loaded: object = await import(/* @vite-ignore */ /* webpackIgnore: true */ url);
    return (loaded as { readonly default?: unknown }).default;
  } catch (error) {
    // Node suggests other files in further lines.
    const [message] = (error as Error).message.split("\n", 1);
    const advice = installationOf(error as Error, url);
    throw new Failure(`${source}: the module cannot be loaded: ${message}${advice}`, { cause: error });
  }
}

/** Returns what to install where a module imports a package that is not there; "" for other errors. */
function installationOf({ code, message }: Error & { readonly code?: string }, url: string): string {
  const name = /^Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(message)?.[1];
  if (code !== "ERR_MODULE_NOT_FOUND" || name === undefined) return "";
  return `; install it next to the module: npm install --prefix ${folderOf(url)} ${name}`;
}

/** Returns the folder of a file by its URL. */
function folderOf(url: string): string {
  return decodeURIComponent(new URL(".", url).pathname).replace(/(?<=.)\/$/, "");
}
