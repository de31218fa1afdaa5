/**
 * Packs all packages that are published, as they would be, into a folder:
 *
 *     npm run pack -- FOLDER
 *
 * `npm install FOLDER/*.tgz` installs them in another project, without a registry of packages that has them.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolders } from "./package-folders.mjs";
import { pnpm } from "./run.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Returns the packages that are published, packages of models too, in alphabetical order: folder and manifest. */
function publishedPackages() {
  return packageFolders(root)
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")),
    }))
    .filter(({ manifest }) => manifest.private !== true);
}

/**
 * Packs all published packages into a folder, which is created.
 *
 * @returns name, folder in the repository, manifest and tarball of each
 * @throws Error when pnpm fails, or a package has not been built
 */
export function packAll(destination) {
  mkdirSync(destination, { recursive: true });
  const packages = publishedPackages();
  const filters = packages.flatMap(({ manifest }) => ["--filter", manifest.name]);
  const args = ["--recursive", ...filters, "pack", "--json", "--pack-destination", destination];
  const { status, stdout, stderr } = pnpm(args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`pnpm pack: exit code ${status}\n${stdout}${stderr}`);
  const packed = new Map(JSON.parse(stdout).map((one) => [one.name, one]));
  return packages.map(({ folder, manifest }) => {
    const { filename, files } = packed.get(manifest.name);
    const main = manifest.exports["."].default.slice("./".length);
    if (!files.some(({ path }) => path === main))
      throw new Error(`${manifest.name}: expected ${main}, found none: npm run build`);
    return { name: manifest.name, folder, manifest, tarball: filename };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, ...rest] = process.argv.slice(2);
  if (folder === undefined || folder.startsWith("-") || rest.length > 0) {
    console.error("usage: npm run pack -- FOLDER");
    process.exit(2);
  }
  const { length } = packAll(resolve(folder));
  console.log(`${length} packages. In a folder of yours: npm install ${resolve(folder)}/*.tgz`);
}
