import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolders } from "../package-folders.mjs";

/** A package.json, with types for the fields that the rules check. */
export interface Manifest {
  readonly name?: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** A text file of a package: its path relative to the package's folder, with `/`. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A package of packages/ or apps/, as input of the rules. */
export interface WorkspacePackage {
  /** `packages/core` */
  readonly folder: string;
  readonly manifest: Manifest;
  /** The TypeScript files of src/ and test/. */
  readonly files: readonly SourceFile[];
}

/**
 * Reads every package of packages/ and apps/ that has sources, in alphabetical order. Packages of models, which
 * `npm run model` writes, lack sources and are left out.
 */
export function readWorkspace(root: string): WorkspacePackage[] {
  return packageFolders(root)
    .filter((folder) => existsSync(join(root, folder, "src")))
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest,
      files: ["src", "test"].flatMap((sub) => typescriptFiles(join(root, folder), sub)),
    }));
}

/** Returns the files of src of packages, by their paths from the root. */
export function sourcesOf(workspace: readonly WorkspacePackage[]): SourceFile[] {
  return workspace.flatMap(({ folder, files }) =>
    files
      .filter(({ path }) => path.startsWith("src/"))
      .map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
  );
}

/** Returns the TypeScript files under a folder of a package; none when the folder does not exist. */
function typescriptFiles(packageFolder: string, sub: string): SourceFile[] {
  if (!existsSync(join(packageFolder, sub))) return [];
  return readdirSync(join(packageFolder, sub), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `${sub}/${path.replaceAll("\\", "/")}`)
    .sort()
    .map((path) => ({ path, text: readFileSync(join(packageFolder, path), "utf8") }));
}
