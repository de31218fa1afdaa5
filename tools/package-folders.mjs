import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the folders of packages/ and apps/ that have a package.json, in alphabetical order: `packages/core`.
 *
 * @param {string} root
 */
export function packageFolders(root) {
  const groups = ["packages", "apps"].filter((group) => existsSync(join(root, group)));
  return groups.flatMap((group) =>
    readdirSync(join(root, group))
      .sort()
      .map((name) => `${group}/${name}`)
      .filter((folder) => existsSync(join(root, folder, "package.json"))),
  );
}
