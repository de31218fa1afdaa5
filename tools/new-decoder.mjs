/**
 * Writes the package of a new decoder: sources that pass the laws, tests, README. Adds it to the registry and the
 * dependencies of the benchmark, and to the list of packages of the README of the repository.
 *
 *     node tools/new-decoder.mjs NAME [--root DIRECTORY]
 *
 * NAME is lower-case words joined by hyphens; the package is packages/decode-NAME. Existing files are never
 * overwritten.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const USAGE = "usage: node tools/new-decoder.mjs NAME [--root DIRECTORY]";

/** "beam-search" -> "beamSearch". */
function camelCase(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

function manifest(name, root) {
  const sibling = JSON.parse(readFileSync(join(root, "packages/decode-mst/package.json"), "utf8"));
  const result = {
    ...sibling,
    name: `@arcwise/decode-${name}`,
    description: `The ${name} decoder of Arcwise`,
    dependencies: { "@arcwise/core": "workspace:*", "@arcwise/decode-mst": "workspace:*" },
    devDependencies: { "@arcwise/decoder-laws": "workspace:*" },
  };
  return `${JSON.stringify(result, null, 2)}\n`;
}

const source = (name, factory, options) => `import {
  type Decoder,
  type Decoding,
  isTree,
  NoTree,
  type ParsingProblem,
  type PartKind,
  requireHandled,
  scoreTree,
  validateProblem,
} from "@arcwise/core";
import { mstDecoder } from "@arcwise/decode-mst";

/** Options of the ${name} decoder. */
export interface ${options} {
  /** Exactly one word hangs off the root; true unless said otherwise. */
  readonly singleRoot?: boolean;
}

/**
 * Takes the best head of every word, or the maximum spanning arborescence where these heads are not a tree.
 *
 * Exact for problems of arcs alone. O(arcs) in the first case, the cost of \`mstDecoder\` in the second.
 *
 * The decoder throws UnsupportedPart when the problem has part tables or a global scorer, NoTree when the
 * arcs that are not pruned contain no tree, RangeError when a score is NaN or +Infinity or arrays do not
 * fit each other.
 */
export function ${factory}(options: ${options} = {}): Decoder {
  const name = "${name}";
  const handles: ReadonlySet<PartKind> = new Set();
  const singleRoot = options.singleRoot ?? true;
  const repair = mstDecoder({ singleRoot });

  function decode(problem: ParsingProblem): Decoding {
    requireHandled(problem, name, handles);
    validateProblem(problem);
    const heads = bestHeads(problem);
    const found = isTree(heads, { singleRoot }) ? heads : repaired(problem);
    const score = scoreTree(problem, found);
    return { heads: found, score, bound: score };
  }

  function repaired(problem: ParsingProblem): Int32Array {
    try {
      return repair.decode(problem).heads;
    } catch (error) {
      throw error instanceof NoTree ? new NoTree(name, error.message) : error;
    }
  }

  return { name, trees: "any", singleRoot, handles, decode };
}

/** The head of highest score for every word, -1 where all are pruned. */
function bestHeads({ arcs, arcScores }: ParsingProblem): Int32Array {
  const { n, start, head } = arcs;
  const heads = new Int32Array(n + 1).fill(-1);
  for (let m = 1; m <= n; m++) {
    let best = -Infinity;
    for (let a = start[m]!; a < start[m + 1]!; a++) {
      if (arcScores[a]! <= best) continue;
      best = arcScores[a]!;
      heads[m] = head[a]!;
    }
  }
  return heads;
}
`;

const index = (name, factory, options) => `import type { Decoder } from "@arcwise/core";
import { ${factory} } from "./${name}-decoder.ts";

export { type ${options}, ${factory} } from "./${name}-decoder.ts";

/** What \`arcwise --decoder\` and \`npm run bench -- ... --with\` load. */
export default function decoder(): Decoder {
  return ${factory}();
}
`;

const conformance = (name, factory) => `import { ${factory} } from "@arcwise/decode-${name}";
import { laws } from "@arcwise/decoder-laws";
import { describe, test } from "vitest";

describe.each([true, false])("single root: %s", (singleRoot) => {
  const checks = laws(() => ${factory}({ singleRoot }), { exact: true });
  for (const { name, check } of checks) test(name, check);
});
`;

const example = (name, factory) => `import { completeArcs } from "@arcwise/core";
import { ${factory} } from "@arcwise/decode-${name}";

const arcs = completeArcs(3);
// Scores of 0->1, 2->1, 3->1; 0->2, 1->2, 3->2; 0->3, 1->3, 2->3.
const arcScores = Float64Array.of(0, 9, 1, 7, 2, 1, 0, 8, 3);
const { heads, score, bound } = ${factory}().decode({ arcs, arcScores, parts: [] });
console.log(heads.join(" ")); // -1 2 0 1
console.log(score, bound); // 24 24
`;

const readme = (name, factory, options) => `# @arcwise/decode-${name}

The ${name} decoder of Arcwise: the best head of every word where these form a tree, the maximum spanning
arborescence where they do not. Exact for problems of arcs alone.

## Install

    npm install @arcwise/decode-${name}

## Example

\`\`\`ts
${example(name, factory)}\`\`\`

## API

| name | what it is |
|---|---|
| \`${factory}(options)\` | a decoder of arcs |
| \`${options}\` | \`singleRoot\`: exactly one word hangs off the root; \`true\` unless said otherwise |

## Complexity

O(arcs) when the best heads form a tree, the cost of \`mstDecoder\` otherwise.

## Limits

It takes arcs only: part tables and global scores are refused with \`UnsupportedPart\`.

## References

- Ryan McDonald, Fernando Pereira, Kiril Ribarov and Jan Hajič. Non-projective dependency parsing using
  spanning tree algorithms. HLT/EMNLP 2005.
`;

const tsconfig = `${JSON.stringify(
  {
    extends: "../../tsconfig.base.json",
    compilerOptions: { rootDir: "src", outDir: "dist" },
    include: ["src"],
  },
  null,
  2,
).replace(/\[\s+"src"\s+\]/, '["src"]')}\n`;

/** Returns the files of a new decoder's package, by their paths from the root of the workspace. */
function filesOf(name, root) {
  const factory = `${camelCase(name)}Decoder`;
  const options = `${factory[0].toUpperCase()}${factory.slice(1)}Options`;
  const folder = `packages/decode-${name}`;
  return {
    [`${folder}/package.json`]: manifest(name, root),
    [`${folder}/tsconfig.json`]: tsconfig,
    [`${folder}/README.md`]: readme(name, factory, options),
    [`${folder}/src/index.ts`]: index(name, factory, options),
    [`${folder}/src/${name}-decoder.ts`]: source(name, factory, options),
    [`${folder}/test/laws.test.ts`]: conformance(name, factory),
  };
}

/** Returns the source of the registry with the decoder as its last entry. */
function registered(text, name) {
  const factory = `${camelCase(name)}Decoder`;
  const module = `@arcwise/decode-${name}`;
  const statement = `import { ${factory} } from "${module}";\n`;
  const imports = [...text.matchAll(/^import [^;]*? from "([^"]+)";\n/gm)];
  const next = imports.find(([, other]) => other.startsWith(".") || other > module);
  const last = imports.at(-1);
  const at = next?.index ?? last.index + last[0].length;
  const withImport = text.slice(0, at) + statement + text.slice(at);
  const end = /(export const DECODERS\b.*? = \[\n.*?)(^\];\n)/ms;
  if (!end.test(withImport))
    throw new Error("apps/bench/src/registry/decoders.ts: expected a list DECODERS, found none");
  return withImport.replace(end, `$1  decoderEntry(${factory}, { exact: true }),\n$2`);
}

/** Returns the manifest of the benchmark with the decoder among its dependencies. */
function depending(text, name) {
  const manifest = JSON.parse(text);
  const dependencies = { ...manifest.dependencies, [`@arcwise/decode-${name}`]: "workspace:*" };
  const sorted = Object.fromEntries(Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ ...manifest, dependencies: sorted }, null, 2)}\n`;
}

/** Returns the README with the package among the decoders of its list, in alphabetical order. */
function listed(text, name) {
  const row = `- [@arcwise/decode-${name}](packages/decode-${name}/README.md): the ${name} decoder\n`;
  const rows = [...text.matchAll(/^- \[@arcwise\/decode-([\w-]+)\]\(.*\n(?: {2}.*\n)*/gm)];
  if (rows.length === 0) throw new Error("README.md: expected a list of the packages, found none");
  const next = rows.find(([, other]) => other > name);
  const at = next?.index ?? rows.at(-1).index + rows.at(-1)[0].length;
  return text.slice(0, at) + row + text.slice(at);
}

/** The files outside of the package that list decoders, with functions that add one. */
const CHANGED = {
  "apps/bench/src/registry/decoders.ts": registered,
  "apps/bench/package.json": depending,
  "README.md": listed,
};

function main(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { root: { type: "string" } },
  });
  const root = resolve(values.root ?? fileURLToPath(new URL("..", import.meta.url)));
  const [name = "", ...others] = positionals;
  if (others.length > 0 || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new Error(
      `expected a NAME of lower-case words joined by hyphens, found "${positionals.join(" ")}"\n${USAGE}`,
    );
  const folder = `packages/decode-${name}`;
  if (existsSync(join(root, folder))) throw new Error(`${folder} exists already`);
  for (const [path, text] of Object.entries(filesOf(name, root))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { flag: "wx" });
    console.log(`wrote ${path}`);
  }
  for (const [path, change] of Object.entries(CHANGED)) {
    writeFileSync(join(root, path), change(readFileSync(join(root, path), "utf8"), name));
    console.log(`changed ${path}`);
  }
  console.log("next: pnpm install, and docs/guide/decoder.md");
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
