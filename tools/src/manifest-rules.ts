import { isDeepStrictEqual } from "node:util";
import type { Manifest, WorkspacePackage } from "./workspace.ts";

/** The fields of a package.json in their required order. */
const FIELD_ORDER = [
  "name",
  "version",
  "private",
  "description",
  "license",
  "author",
  "keywords",
  "type",
  "sideEffects",
  "engines",
  "bin",
  "exports",
  "files",
  "publishConfig",
  "scripts",
  "dependencies",
  "devDependencies",
];

/**
 * Checks that the package.json files are consistent: required fields and values are the same, and all exports
 * exist. Returns one line per violation: `FOLDER/package.json: WHAT`.
 */
export function manifestViolations(workspace: readonly WorkspacePackage[], root: Manifest): string[] {
  return workspace.flatMap((pkg) => {
    const isLibrary = pkg.folder.startsWith("packages/");
    return [
      ...commonViolations(pkg, root, workspace[0]?.manifest.version),
      ...orderViolations(pkg.manifest),
      ...dependencyRanges(pkg.manifest),
      ...(isLibrary ? libraryViolations(pkg) : applicationViolations(pkg)),
      ...(pkg.files.some(({ path }) => path === "src/index.ts" || path === "src/main.ts")
        ? []
        : ["has no sources"]),
    ].map((what) => `${pkg.folder}/package.json: ${what}`);
  });
}

/** Fields that name the place of the repository, which only a release knows. */
const ADDRESSES = ["homepage", "repository", "bugs"];

const COMPILE = "tsc -p tsconfig.json";

/**
 * Returns whether a program is published: its modules are bundled into a few files in `program`, for fast
 * start-up.
 */
function isBundled(folder: string, manifest: Manifest): boolean {
  return folder.startsWith("apps/") && manifest.private !== true;
}

function commonViolations(
  { folder, manifest }: WorkspacePackage,
  root: Manifest,
  version: unknown,
): string[] {
  const found: string[] = [];
  const wanted: Readonly<Record<string, unknown>> = {
    name: `@arcwise/${folder.split("/")[1]}`,
    version,
    license: root.license,
    author: root.author,
    type: "module",
    engines: root.engines,
    scripts: { build: isBundled(folder, manifest) ? `${COMPILE} && node scripts/bundle.mjs` : COMPILE },
  };
  for (const [field, value] of Object.entries(wanted)) found.push(...differs(manifest, field, value));
  const { description, keywords } = manifest;
  if (typeof description !== "string" || description === "" || description.endsWith(".")) {
    found.push("description must be a phrase without a full stop");
  }
  if (!Array.isArray(keywords) || keywords[0] !== "dependency-parsing") {
    found.push('keywords must begin with "dependency-parsing"');
  } else if (keywords.length < 4 || new Set(keywords).size < keywords.length) {
    found.push("keywords must be at least four, all different");
  }
  for (const field of ADDRESSES.filter((name) => name in manifest)) {
    found.push(`${field} must be absent: tools/release-metadata.mjs fills it in from the remote`);
  }
  if (manifest.private !== true) found.push(...differs(manifest, "publishConfig", { access: "public" }));
  return found;
}

function differs(manifest: Manifest, field: string, wanted: unknown): string[] {
  const found = manifest[field];
  if (isDeepStrictEqual(found, wanted)) return [];
  return [`${field} is ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`];
}

function orderViolations(manifest: Manifest): string[] {
  const fields = Object.keys(manifest);
  const unknown = fields
    .filter((field) => !FIELD_ORDER.includes(field))
    .map((field) => `${field} is no common field`);
  const known = fields.filter((field) => FIELD_ORDER.includes(field));
  const sorted = FIELD_ORDER.filter((field) => fields.includes(field));
  return isDeepStrictEqual(known, sorted)
    ? unknown
    : [...unknown, `fields must come in the order ${sorted.join(", ")}`];
}

/** Checks that packages of the workspace are linked, and that each list is in alphabetical order. */
function dependencyRanges(manifest: Manifest): string[] {
  return (["dependencies", "devDependencies"] as const).flatMap((field) => {
    const entries = Object.entries(manifest[field] ?? {});
    const found = entries
      .filter(([name, range]) => name.startsWith("@arcwise/") && range !== "workspace:*")
      .map(([name, range]) => `${name} is "${range}", expected "workspace:*"`);
    const names = entries.map(([name]) => name);
    return isDeepStrictEqual(names, names.toSorted()) ? found : [...found, `${field} must be sorted by name`];
  });
}

function libraryViolations(pkg: WorkspacePackage): string[] {
  const { manifest } = pkg;
  const found = [...differs(manifest, "sideEffects", false), ...differs(manifest, "files", ["dist", "src"])];
  if (manifest.exports?.["."] === undefined) found.push('exports must have "."');
  return [...found, ...exportViolations(pkg)];
}

/** Checks that every exported subpath has sources, types and code, at the required paths. */
function exportViolations({ manifest, files }: WorkspacePackage): string[] {
  const found: string[] = [];
  for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
    const stem = subpath === "." ? "index" : `${subpath.slice(2)}/index`;
    const wanted = {
      "@arcwise/source": `./src/${stem}.ts`,
      types: `./dist/${stem}.d.ts`,
      default: `./dist/${stem}.js`,
    };
    // The order matters: the first condition that matches is used.
    if (JSON.stringify(target) !== JSON.stringify(wanted)) {
      found.push(`exports["${subpath}"] is ${JSON.stringify(target)}, expected ${JSON.stringify(wanted)}`);
    }
    if (!files.some(({ path }) => path === `src/${stem}.ts`)) found.push(`src/${stem}.ts does not exist`);
  }
  return found;
}

function applicationViolations(pkg: WorkspacePackage): string[] {
  const { manifest } = pkg;
  const built = isBundled(pkg.folder, manifest) ? ["dist", "program"] : ["dist"];
  const found = [...differs(manifest, "files", ["bin", ...built, "src"]), ...exportViolations(pkg)];
  const programs = Object.entries((manifest.bin ?? {}) as Record<string, string>);
  if (programs.length === 0) found.push("an application must have a program in bin");
  for (const [name, file] of programs) {
    if (file !== `./bin/${name}.js`) found.push(`bin.${name} is ${file}, expected ./bin/${name}.js`);
  }
  return found;
}
