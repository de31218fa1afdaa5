import { posix } from "node:path";
import { inspect } from "./inspect.ts";
import type { WorkspacePackage } from "./workspace.ts";

/** A folder of sources as docs/architecture.md lists it. */
interface Room {
  /** From the root of the repository: `packages/parser/src/training`. */
  readonly folder: string;
  /** Folders of the same package that its files may import from, relative to `src`; `.` is `src` itself. */
  readonly imports: readonly string[];
}

/** Rows `| \`packages/NAME/src/...\` | what | \`folder\`, \`folder\` |` of the tables of a document. */
const ROW = /^\| `((?:packages|apps)\/[\w-]+\/src(?:\/[\w/-]+)?)`\s*\|[^|]*\|([^|]*)\|$/gm;
/** Items `- \`packages/NAME/src/...\`: what; imports \`folder\`, \`folder\`` of its lists, wrapped. */
const ITEM = /^- `((?:packages|apps)\/[\w-]+\/src(?:\/[\w/-]+)?)`:((?:.|\n {2})*)$/gm;

/** Reads the folders of all packages and what each may import from docs/architecture.md. */
export function readRooms(architecture: string): Room[] {
  const rows = [...architecture.matchAll(ROW)].map(([, folder, imports]) => roomOf(folder!, imports!));
  const items = [...architecture.matchAll(ITEM)].map(([, folder, text]) =>
    roomOf(folder!, text!.split(/;\s+imports\s/)[1] ?? ""),
  );
  return [...rows, ...items];
}

function roomOf(folder: string, imports: string): Room {
  return { folder, imports: [...imports.matchAll(/`([^`]+)`/g)].map((match) => match[1]!) };
}

/**
 * Compares the folders and imports between them that docs/architecture.md lists with those of the tree. A
 * package without folders under `src` needs no row. Returns one line per violation.
 */
export function roomViolations(workspace: readonly WorkspacePackage[], rooms: readonly Room[]): string[] {
  const found = new Map<string, Set<string>>();
  for (const pkg of workspace) {
    const ofPackage = foldersOf(pkg);
    if (ofPackage.size > 1) for (const [folder, imports] of ofPackage) found.set(folder, imports);
  }
  const listed = new Map(rooms.map(({ folder, imports }) => [folder, new Set(imports)]));
  const violations: string[] = [];
  for (const [folder, imports] of found) {
    const allowed = listed.get(folder);
    if (allowed === undefined) {
      violations.push(`${folder}: is not in docs/architecture.md; it imports ${list(imports)}`);
      continue;
    }
    for (const name of imports) {
      if (!allowed.has(name)) violations.push(`${folder}: imports ${name}; listed: ${list(allowed)}`);
    }
    for (const name of allowed) {
      if (!imports.has(name)) violations.push(`${folder}: is listed with ${name}, which it does not import`);
    }
  }
  for (const folder of listed.keys()) {
    if (!found.has(folder)) violations.push(`${folder}: is in docs/architecture.md and not in the tree`);
  }
  return violations;
}

/**
 * Returns the folders under `src` that contain files, with the folders of the package that each imports from.
 */
function foldersOf(pkg: WorkspacePackage): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const { path, targets } of sourcesOf(pkg)) {
    const folder = posix.dirname(path);
    const key = posix.join(pkg.folder, folder);
    const imports = folders.get(key) ?? new Set();
    folders.set(key, imports);
    for (const target of targets) {
      const other = posix.dirname(target);
      if (other !== folder) imports.add(posix.relative("src", other) || ".");
    }
  }
  return folders;
}

/** Returns the files of `src` with the files of the same package that each imports, types included. */
function sourcesOf(pkg: WorkspacePackage): { path: string; targets: string[] }[] {
  return pkg.files
    .filter(({ path }) => path.startsWith("src/"))
    .map(({ path, text }) => ({
      path,
      targets: inspect(path, text, new Set())
        .imports.filter(({ specifier }) => specifier.startsWith("."))
        .map(({ specifier }) => posix.join(posix.dirname(path), specifier)),
    }));
}

/**
 * Returns import cycles between files, type imports included, one line per cycle. O(files + imports), after
 * Tarjan (1972).
 */
export function importCircles(workspace: readonly WorkspacePackage[]): string[] {
  return workspace.flatMap((pkg) => {
    const graph = new Map(sourcesOf(pkg).map(({ path, targets }) => [path, targets]));
    return componentsOf(graph)
      .filter((files) => files.length > 1 || graph.get(files[0]!)!.includes(files[0]!))
      .map((files) => `${pkg.folder}: files import each other in a circle: ${files.sort().join(", ")}`);
  });
}

/** Returns the strongly connected components of a graph. */
function componentsOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const components: string[][] = [];
  const order = new Map<string, number>();
  const open: string[] = [];
  function visit(node: string): number {
    let low = order.size;
    order.set(node, low);
    const mine = low;
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next)!);
    }
    if (low === mine) components.push(open.splice(open.indexOf(node)));
    return low;
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return components;
}

function list(names: Iterable<string>): string {
  return [...names].sort().join(", ") || "nothing";
}
