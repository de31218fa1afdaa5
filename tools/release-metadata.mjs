/**
 * Writes `homepage`, `repository` and `bugs` to the package.json of every published package, and of the models in
 * `reports/models`, from a remote of git. Run it before publishing, in a checkout that is not committed: the repository
 * names no address.
 *
 *     node tools/release-metadata.mjs [--remote NAME] [--root DIRECTORY]
 */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packageFolders } from "./package-folders.mjs";
import { addressOf } from "./remote-address.mjs";

/** Returns the manifest with the three fields after `license`, in which npm looks for them. */
function withMetadata(manifest, address, folder) {
  const metadata = {
    homepage: `${address}/tree/HEAD/${folder}#readme`,
    repository: { type: "git", url: `git+${address}.git`, directory: folder },
    bugs: { url: `${address}/issues` },
  };
  const { homepage, repository, bugs, ...rest } = manifest;
  return Object.fromEntries(
    Object.entries(rest).flatMap(([field, value]) =>
      field === "license" ? [[field, value], ...Object.entries(metadata)] : [[field, value]],
    ),
  );
}

/** Returns the folders of packages, each with the folder of the repository that it is made of. */
function publishedFolders(root) {
  const models = join(root, "reports/models");
  const names = existsSync(models) ? readdirSync(models) : [];
  return [
    ...packageFolders(root).map((folder) => ({ folder, sources: folder })),
    ...names
      .map((name) => ({ folder: `reports/models/${name}/package`, sources: "tools/models" }))
      .filter(({ folder }) => existsSync(join(root, folder, "package.json"))),
  ];
}

function main(args) {
  const { values } = parseArgs({ args, options: { remote: { type: "string" }, root: { type: "string" } } });
  const root = resolve(values.root ?? fileURLToPath(new URL("..", import.meta.url)));
  const address = addressOf(values.remote ?? "origin", root);
  for (const { folder, sources } of publishedFolders(root)) {
    const file = join(root, folder, "package.json");
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    if (manifest.private === true) continue;
    const text = `${JSON.stringify(withMetadata(manifest, address, sources), null, 2)}\n`;
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
    console.log(`${folder}/package.json: ${address}`);
  }
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
