import { sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Where npm keeps packages that npx runs, which find packages of the working folder. */
const NPX = `${sep}_npx${sep}`;

/**
 * Returns the command of npm that installs packages for an installed module: in the working folder, or, if the module is
 * outside of it, among global packages.
 *
 * @param module `import.meta.url` of the module
 * @param packages names of packages
 * @param folder the working folder
 */
export function installCommand(
  module: string,
  packages: readonly string[],
  folder: string = process.cwd(),
): string {
  const [project, ...rest] = fileURLToPath(module).split(`${sep}node_modules${sep}`);
  const isGlobal =
    rest.length > 0 && !`${folder}${sep}`.startsWith(`${project}${sep}`) && !project.includes(NPX);
  return ["npm install", ...(isGlobal ? ["--global"] : []), ...packages].join(" ");
}
