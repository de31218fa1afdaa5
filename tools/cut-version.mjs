/**
 * Cuts the next version: merges the changesets into the versions of all packages, and adds the version to the change log of
 * each published package, with a link to the page that says what is new.
 *
 *     npm run cut-version
 *
 * The exit code is 1 if the page has no section for the version: write it, from the changesets that git shows as deleted.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const PAGE = "docs/reference/whats-new.md";

/** Adds a version to the change log of a package. */
function addVersion(folder, { name, version }, page) {
  const file = join(folder, "CHANGELOG.md");
  const before = existsSync(file) ? readFileSync(file, "utf8") : `# ${name}\n`;
  if (before.includes(`\n## ${version}\n`)) return;
  const link = relative(folder, page).replaceAll("\\", "/");
  const [title, ...rest] = before.trimEnd().split(/\n(?=## )/);
  const entry = `## ${version}\n\n[What is new in ${version}](${link}).\n`;
  writeFileSync(file, `${[`${title.trimEnd()}\n`, entry, ...rest].join("\n").trimEnd()}\n`);
}

function main(root) {
  const program = join(root, "node_modules/@changesets/cli/bin.js");
  const { status } = spawnSync(process.execPath, [program, "version"], { cwd: root, stdio: "inherit" });
  if (status !== 0) return status ?? 1;
  const page = join(root, PAGE);
  const manifests = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).flatMap((name) => {
      const folder = join(root, group, name);
      const file = join(folder, "package.json");
      return existsSync(file) ? [{ folder, manifest: JSON.parse(readFileSync(file, "utf8")) }] : [];
    }),
  );
  for (const { folder, manifest } of manifests) if (!manifest.private) addVersion(folder, manifest, page);
  const { version } = manifests.find(({ manifest }) => manifest.name === "arcwise").manifest;
  const citation = join(root, "CITATION.cff");
  writeFileSync(citation, readFileSync(citation, "utf8").replace(/^version: .*$/m, `version: ${version}`));
  if (readFileSync(page, "utf8").includes(`\n## ${version}\n`)) return 0;
  console.error(`${PAGE}: expected a section "## ${version}", found none: write it before you commit.`);
  return 1;
}

process.exitCode = main(fileURLToPath(new URL("..", import.meta.url)));
