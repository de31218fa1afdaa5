import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packAll } from "../pack.mjs";

/** The repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A published package, packed and installed. */
export interface PackedPackage {
  readonly name: string;
  /** Its folder in the repository. */
  readonly folder: string;
  readonly tarball: string;
  /** The modules that it exports: `@arcwise/parser`, `@arcwise/parser/node`. */
  readonly modules: readonly string[];
}

/** A folder outside of the repository in which all published packages are installed from their tarballs. */
export interface Project {
  readonly folder: string;
  readonly packages: readonly PackedPackage[];
}

/** What a program printed, and its exit code. */
export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  /** Standard output, then standard error. */
  readonly output: string;
}

/** What vitest, npm and continuous integration set is not there in a shell; where npm finds packages is kept. */
const OF_TESTS =
  /^pnpm_|^npm_(?!config_(?:registry|userconfig|cache|https?_proxy)$)|^(?:INIT_CWD|VITEST.*|NODE_ENV|CI)$/i;

/** The environment of a reader's shell. */
export const SHELL_ENV: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !OF_TESTS.test(name)),
);

/** Runs a program to its end. */
export function run(command: string, args: readonly string[], cwd: string, env = process.env): Run {
  const shell = process.platform === "win32" && !command.endsWith(".exe");
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", shell, env });
  if (error !== undefined) throw error;
  return { status, stdout, output: stdout + stderr };
}

/** Runs a program that must succeed. @throws Error with its output */
export function runSound(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, output } = run(command, args, cwd);
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: exit code ${status}\n${output}`);
  return stdout;
}

/** A version of TypeScript and the file of its compiler. */
export interface Compiler {
  readonly version: string;
  readonly program: string;
}

/** Returns the compiler of a package of the repository: `typescript`, or an alias of another version. */
export function compilerOf(name: string): Compiler {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve(`${name}/package.json`);
  const { version } = require(manifest) as { version: string };
  return { version, program: join(dirname(manifest), "bin", "tsc") };
}

/**
 * Packs all published packages as `npm run pack` does, and installs the tarballs with npm in an empty project. Their other
 * dependencies come from npm's cache where it has them.
 *
 * @throws Error when a package has not been built, or a program fails
 */
export function createProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), "arcwise-packed-"));
  const packages: PackedPackage[] = packAll(join(folder, "tarballs")).map(({ manifest, ...packed }) => ({
    ...packed,
    modules: Object.keys(manifest.exports ?? {})
      .filter((subpath) => !subpath.endsWith(".json"))
      .map((subpath) => packed.name + subpath.slice(1)),
  }));
  const require = createRequire(import.meta.url);
  const nodeTypes = require("@types/node/package.json") as { version: string };
  const encoder = createRequire(join(ROOT, "packages/encoder-onnx/package.json"));
  const { env } = encoder("onnxruntime-web") as { env: { versions: { web: string } } };
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  const others = [`@types/node@${nodeTypes.version}`, `onnxruntime-web@${env.versions.web}`];
  const wanted = [...packages.map(({ tarball }) => tarball), ...others];
  runSound("npm", [...args, ...wanted], folder);
  cpSync(new URL("page", import.meta.url), join(folder, "page"), { recursive: true });
  return { folder, packages };
}
