import { builtinModules } from "node:module";
import { posix } from "node:path";
import { type ImportOf, inspect } from "./inspect.ts";
import type { WorkspacePackage } from "./workspace.ts";

/**
 * The imports that the sources of a package may have, besides their own files: module specifiers, and names
 * of core for `learn`, which does not depend on trees. This table is the only definition of the rules.
 */
interface Allowed {
  /** Why the package may import no more. */
  readonly why: string;
  readonly modules: readonly string[];
  /** Names that may be imported from a module; all, when it is not listed. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** Modules for src/node alone, in addition to the built-ins of Node. */
  readonly forNode?: readonly string[];
  /** Whether all of src runs in Node alone, as src/node of other packages does. */
  readonly inNode?: boolean;
  /** Packages whose program its bin starts, and what that program imports. */
  readonly programs?: readonly string[];
}

const core = "@arcwise/core";

/** Returns the modules of the packages of this repository with given names. */
function own(...names: readonly string[]): string[] {
  return names.map((name) => `@arcwise/${name}`);
}

const ALLOWED: Readonly<Record<string, Allowed>> = {
  core: { why: "everything else stands on it", modules: [] },
  jobs: { why: "it does any computation of plain data", modules: [core], names: { [core]: [] } },
  conllu: { why: "a file format is of use without a parser", modules: [core] },
  evaluate: { why: "it compares files and trees, whoever made them", modules: own("core", "conllu") },
  draw: { why: "a picture shows trees, whoever made them", modules: own("core", "conllu") },
  "decode-mst": { why: "a decoder sees scores, never words", modules: [core] },
  "decoder-laws": { why: "used by tests only", modules: [core, "fast-check"] },
  learn: {
    why: "it learns any structure, trees among them",
    modules: own("core", "jobs"),
    names: { [core]: ["random", "Random", "SparseVector"] },
  },
  neural: {
    why: "layers know nothing of words or trees",
    modules: [core],
    names: { [core]: ["random", "Random"] },
  },
  "encoder-onnx": {
    why: "it reads words; parsers know encoders by their contract",
    modules: [core, "@arcwise/core/container", "@huggingface/tokenizers"],
    names: { [core]: [], "@arcwise/core/container": ["OTHER_DATA", "recognise"] },
    forNode: ["onnxruntime-node", "onnxruntime-web"],
  },
  sequence: {
    why: "tags, chunks and names need no trees",
    modules: own("core", "core/container", "core/features", "learn", "neural", "jobs"),
  },
  tokenize: {
    why: "text comes before words, tags and trees",
    modules: [
      ...own("core", "core/container", "core/features", "conllu", "learn", "neural", "jobs"),
      "unicode-segmenter/grapheme",
    ],
  },
  parser: {
    why: "features, decoders and learners meet here alone",
    modules: [
      ...own("core", "core/container", "core/features", "conllu", "evaluate", "learn", "neural", "jobs"),
      ...own("decode-ad3", "decode-hillclimb", "decode-mst"),
    ],
    forNode: own("jobs/node"),
  },
  "graph-parser": {
    why: "who parses trees installs no graphs",
    modules: [
      ...own("core", "core/container", "core/features", "conllu", "learn", "neural", "jobs", "decode-ad3"),
      ...own("parser", "parser/decoding", "parser/shared"),
    ],
    forNode: own("parser/node"),
  },
  pipeline: {
    why: "text in, trees out",
    modules: [
      ...own("core", "core/container", "core/features", "conllu", "evaluate", "sequence", "tokenize", "jobs"),
      ...own("parser", "parser/decoding", "parser/parse", "graph-parser"),
    ],
    forNode: own("parser/node", "graph-parser/node", "jobs/node"),
  },
  cluster: {
    why: "several machines do what one does",
    modules: [
      ...own(
        "core",
        "conllu",
        "evaluate",
        "parser",
        "graph-parser",
        "pipeline",
        "sequence",
        "tokenize",
        "jobs",
      ),
    ],
    forNode: [...own("parser/node", "jobs/node"), "@aws-sdk/client-s3", "bullmq", "ioredis", "pg"],
    inNode: true,
  },
  arcwise: {
    why: "one package to install",
    modules: own("core", "conllu", "conllu/search", "draw", "pipeline", "jobs"),
    forNode: own("pipeline/node", "jobs/node"),
    programs: [...own("cli"), "commander", "cli-progress", "unicode-segmenter"],
  },
};

/** Arithmetic, encoders, errors, options, messages, and what trainings report, which every package may use. */
const SHARED = ["arithmetic", "encoders", "errors", "options", "messages", "training"].map(
  (name) => `@arcwise/core/${name}`,
);
/** Files, for src/node of every package. */
const SHARED_FOR_NODE = ["@arcwise/core/node"];

const NOTHING: Allowed = { why: "it has no rule", modules: [] };
/** Any other decoder. */
const DECODER: Allowed = {
  why: "it starts from a spanning tree, and is checked against one",
  modules: own("core", "decode-mst"),
};

/** Globals that only Node has. */
const NODE_GLOBALS = new Set(["process", "Buffer", "__dirname", "__filename", "require", "setImmediate"]);

/**
 * Returns what the sources of packages/NAME may import; nothing outside of the package for an unknown name.
 */
function allowedImports(name: string): Allowed {
  const { why, modules, names, forNode, programs, inNode } =
    ALLOWED[name] ?? (name.startsWith("decode-") ? DECODER : NOTHING);
  if (modules.length === 0) return NOTHING;
  return {
    why,
    modules: [...modules, ...SHARED],
    ...(names && { names }),
    forNode: [...(forNode ?? []), ...SHARED_FOR_NODE],
    programs: programs ?? [],
    inNode: inNode ?? false,
  };
}

/** Returns the rules as a table in Markdown. */
export function importTable(): string {
  const rows = Object.entries(ALLOWED).map(([name, allowed]) => importRow(`\`${name}\``, allowed));
  rows.splice(6, 0, importRow("any other `decode-*`", DECODER));
  return [
    "| package | imports | in `src/node` also | why not more |",
    "|---|---|---|---|",
    ...rows,
    "| `apps/*` | anything | | nothing imports them |",
  ].join("\n");
}

function importRow(name: string, { why, modules, names = {}, forNode = [], programs = [] }: Allowed): string {
  const imports = modules.flatMap((module) => {
    const only = names[module];
    if (only === undefined) return [codeOf(module)];
    return only.length === 0 ? [] : [`${only.map(codeOf).join(", ")} of ${codeOf(module)}`];
  });
  const started = programs.slice(0, 1).map((program) => `the program of ${codeOf(program)}`);
  const inNode = [...forNode.map(codeOf), ...started];
  return `| ${name} | ${imports.join(", ") || "nothing"} | ${inNode.join(", ")} | ${why} |`;
}

function codeOf(module: string): string {
  return `\`${module.replace(/^@arcwise\//, "")}\``;
}

/**
 * Checks the import rules of the architecture on every file of packages/ and on the dependencies of each
 * package.json. Returns one line per violation: `FILE: WHAT`.
 */
export function importViolations(workspace: readonly WorkspacePackage[]): string[] {
  return workspace.flatMap((pkg) => {
    const files = pkg.files.flatMap(({ path, text }) =>
      fileViolations(pkg, path, text).map((what) => `${pkg.folder}/${path}: ${what}`),
    );
    files.push(...folderCircles(pkg).map((what) => `${pkg.folder}/src: ${what}`));
    return [...files, ...dependencyViolations(pkg).map((what) => `${pkg.folder}/package.json: ${what}`)];
  });
}

/** Returns the circles of imports between the folders of a package, one for each folder in a circle. */
function folderCircles({ files }: WorkspacePackage): string[] {
  const imported = new Map<string, Set<string>>();
  const sources = files.filter(({ path }) => path.startsWith("src/"));
  for (const { path, text } of sources) {
    for (const { specifier } of inspect(path, text, NODE_GLOBALS).imports) {
      if (!specifier.startsWith(".")) continue;
      const ends = [path, posix.join(posix.dirname(path), specifier)];
      const [from, to] = ends.map((file) => /^src\/([^/]+)\//.exec(file)?.[1]);
      if (from === undefined || to === undefined || from === to) continue;
      imported.set(from, (imported.get(from) ?? new Set()).add(to));
    }
  }
  const circles = [...imported.keys()].flatMap((from) => circleFrom(from, imported) ?? []);
  return circles.map((circle) => `imports in a circle: ${circle}`);
}

/** Returns the shortest path of imports from a folder back to it. */
function circleFrom(start: string, imported: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  const visited = new Set<string>();
  const paths: [from: string, path: string][] = [[start, start]];
  for (const [from, path] of paths) {
    for (const to of imported.get(from) ?? []) {
      if (to === start) return `${path} -> ${to}`;
      if (!visited.has(to)) paths.push([to, `${path} -> ${to}`]);
      visited.add(to);
    }
  }
  return undefined;
}

function fileViolations(pkg: WorkspacePackage, path: string, text: string): string[] {
  const { imports, globals, usesMathRandom } = inspect(path, text, NODE_GLOBALS);
  const isPackage = pkg.folder.startsWith("packages/");
  const isSource = path.startsWith("src/");
  const allowed = allowedImports(posix.basename(pkg.folder));
  const forNode = !isPackage || allowed.inNode === true || path.startsWith("src/node/");
  const found = imports.flatMap((of) => relativeViolation(path, of));
  if (isPackage && isSource) {
    for (const of of imports) found.push(...moduleViolation(of, allowed, forNode));
    if (!forNode) for (const name of new Set(globals)) found.push(`uses ${name}, which only Node has`);
  } else if (isPackage) {
    for (const { specifier } of imports) found.push(...applicationViolation(specifier));
  }
  const openers = OPENERS[pkg.folder];
  if (openers !== undefined && isSource && !openers.some((opener) => path.startsWith(opener)))
    for (const of of imports) found.push(...outputViolation(of));
  if (isPackage && usesMathRandom) found.push("uses Math.random; randomness comes from random(seed) of core");
  return found;
}

/**
 * What tests of all packages share: the models that one of them has trained, a checkpoint in memory, a place that copies,
 * tests of tables of options, small helpers.
 */
const SHARED_BY_TESTS = ["kept-models", "memory-checkpoint", "elsewhere", "option-laws", "test-helpers"].map(
  (name) => `../../tools/${name}.ts`,
);

/** Checks that relative imports stay in the package and have a file ending. */
function relativeViolation(path: string, { specifier }: ImportOf): string[] {
  if (!specifier.startsWith(".")) return [];
  const target = posix.join(posix.dirname(path), specifier);
  if (SHARED_BY_TESTS.includes(target) && path.startsWith("test/")) return [];
  if (target.startsWith("..")) return [`imports ${specifier}, which is outside of the package`];
  if (path.startsWith("src/") && !target.startsWith("src/"))
    return [`imports ${specifier}, which is not in src`];
  return /\.(tsx?|js|mjs|json|css)$/.test(target) ? [] : [`imports ${specifier} without its ending`];
}

function moduleViolation({ specifier, names }: ImportOf, allowed: Allowed, forNode: boolean): string[] {
  if (specifier.startsWith(".")) return [];
  if (isBuiltin(specifier)) {
    return forNode ? [] : [`imports ${specifier}, a built-in of Node, outside of src/node`];
  }
  const modules = forNode ? [...allowed.modules, ...(allowed.forNode ?? [])] : allowed.modules;
  if (!modules.includes(specifier)) {
    return [`imports ${specifier}; allowed: ${modules.join(", ") || "nothing"}`];
  }
  const only = allowed.names?.[specifier];
  if (only === undefined) return [];
  return names
    .filter((name) => !only.includes(name))
    .map((name) => `imports ${name} of ${specifier}; allowed: ${only.join(", ")}`);
}

/**
 * The sources of each program that may open files for writing: the plan of files.
 */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  "apps/cli": ["src/files/"],
  "apps/bench": ["src/data/files.ts"],
  "apps/experiments": [],
};

/** Names of `node:fs` that open nothing for writing. */
const READERS = [
  ...["createReadStream", "existsSync", "readdir", "readdirSync", "readFile", "readFileSync"],
  ...["rm", "rmSync", "stat", "statSync", "unlink"],
];

/** Checks that an import opens no output. */
function outputViolation({ specifier, names }: ImportOf): string[] {
  const isFileSystem = /^(node:)?fs(\/|$)/.test(specifier);
  const isOfFiles = isFileSystem || /^@arcwise\/[a-z-]+\/node$/.test(specifier);
  if (!isOfFiles) return [];
  return names
    .filter((name) => (isFileSystem ? !READERS.includes(name) : /^(begin|write)/.test(name)))
    .map(
      (name) =>
        `imports ${name} of ${specifier}; outputs are opened as planFiles of apps/cli/src/files returns them`,
    );
}

function applicationViolation(specifier: string): string[] {
  return isApplication(specifier) ? [`imports ${specifier}; nothing in packages/ imports apps/`] : [];
}

function isApplication(specifier: string): boolean {
  return /^@arcwise\/(bench|cli|experiments|playground)(\/|$)/.test(specifier);
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith("node:") || builtinModules.includes(specifier.split("/")[0]!);
}

/** Checks runtime dependencies by the same table, and that development dependencies are not in apps/. */
function dependencyViolations({ folder, manifest }: WorkspacePackage): string[] {
  if (!folder.startsWith("packages/")) return [];
  const { modules, forNode = [], programs = [] } = allowedImports(posix.basename(folder));
  const allowed = [...modules, ...forNode, ...programs];
  const runtime = {
    ...manifest.dependencies,
    ...manifest.peerDependencies,
    ...manifest.optionalDependencies,
  };
  const wrong = Object.keys(runtime).filter(
    (name) => !allowed.some((module) => module === name || module.startsWith(`${name}/`)),
  );
  const development = Object.keys(manifest.devDependencies ?? {}).filter(
    (name) => isApplication(name) && !programs.includes(name),
  );
  return [
    ...wrong.map((name) => `depends on ${name}; allowed: ${allowed.join(", ") || "nothing"}`),
    ...development.map((name) => `depends on ${name}; nothing in packages/ needs apps/`),
  ];
}
