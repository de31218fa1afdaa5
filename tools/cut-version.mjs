/**
 * Cuts the next version: merges the changesets into the versions of all packages, and checks that the page of what is new,
 * the change log of all packages, has a section for the version.
 *
 *     npm run cut-version
 *
 * The exit code is 1 if the page has no such section. The action of GitHub that opens the pull request reads a change log of
 * each package: those that are written here, with a link to the page, are not committed.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolders } from "./package-folders.mjs";

const PAGE = "docs/reference/whats-new.md";

function main(root) {
  const program = join(root, "node_modules/@changesets/cli/bin.js");
  const { status } = spawnSync(process.execPath, [program, "version"], { cwd: root, stdio: "inherit" });
  if (status !== 0) return status ?? 1;
  const { version } = JSON.parse(readFileSync(join(root, "packages/arcwise/package.json"), "utf8"));
  const heading = `\n## ${version}\n`;
  for (const folder of ["docs", ...packageFolders(root)])
    writeFileSync(join(root, folder, "CHANGELOG.md"), `${heading}\nWhat is new: ${PAGE}\n`);
  const citation = join(root, "CITATION.cff");
  writeFileSync(citation, readFileSync(citation, "utf8").replace(/^version: .*$/m, `version: ${version}`));
  if (readFileSync(join(root, PAGE), "utf8").includes(heading)) return 0;
  console.error(`${PAGE}: expected a section "## ${version}", found none: write it before you commit.`);
  return 1;
}

process.exitCode = main(fileURLToPath(new URL("..", import.meta.url)));
