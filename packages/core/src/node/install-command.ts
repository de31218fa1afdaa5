import { sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Where npm keeps packages that npx runs, which find packages of the working folder. */
const NPX = `${sep}_npx${sep}`;

/** Where the packages of this project come from, as long as no release is on npm. */
export const BEFORE_RELEASE =
  "before the first release, from the tarballs of npm run pack in a clone of arcwise";

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
  const command = ["npm install", ...(isGlobal ? ["--global"] : []), ...packages].join(" ");
  return packages.some((name) => /^(?:@arcwise\/|arcwise$)/.test(name))
    ? `${command} (${BEFORE_RELEASE})`
    : command;
}
