import { posix } from "node:path";
import { entriesOf, namesOf } from "../exported-names.mjs";
import type { WorkspacePackage } from "./workspace.ts";

/** A name that a module of a published package exports. */
export interface ExportedName {
  /** The module by which it is imported: `@arcwise/core/features`. */
  readonly module: string;
  readonly name: string;
  /** The file that declares it, and its name there. */
  readonly file: string;
  readonly declared: string;
}

/** Lists what the modules of published packages export, the names of other packages left out. */
export function exportedNames(workspace: readonly WorkspacePackage[]): ExportedName[] {
  return workspace
    .filter(({ manifest }) => manifest.private !== true)
    .flatMap((pkg) =>
      entriesOf(pkg.manifest).flatMap(([module, path]) =>
        namesOf(path, textOf(pkg, path)).map((found) => ({ module, ...found })),
      ),
    );
}

function textOf({ files, folder }: WorkspacePackage, path: string): string {
  const file = files.find((one) => one.path === path);
  if (file === undefined) throw new Error(`${folder}/${path}: expected a source file, found none`);
  return file.text;
}

/** Returns the exported names without a doc comment that says what they are: `FOLDER/FILE: NAME`. */
export function undocumentedNames(workspace: readonly WorkspacePackage[]): string[] {
  const found = workspace.flatMap((pkg) =>
    exportedNames([pkg])
      .filter(({ file, declared }) => !isDocumented(textOf(pkg, file), declared))
      .map(({ file, declared }) => `${pkg.folder}/${file}: ${declared}`),
  );
  return [...new Set(found)];
}

/** Whether a declaration follows a doc comment that begins with text, not with a tag. */
function isDocumented(text: string, name: string): boolean {
  return /^\/\*\*[\s*]*[^\s*@]/.test(commentOf(text, name));
}

/** Returns the comment before the declaration of a name; an empty text if it lacks one. */
function commentOf(text: string, name: string): string {
  const kinds = "const|function\\*?|abstract class|class|interface|type";
  const declaration = new RegExp(`^export (?:default )?(?:async )?(?:${kinds}) ${name}\\b`, "m");
  const at = declaration.exec(text)?.index;
  if (at === undefined) return "";
  const before = text.slice(0, at).trimEnd();
  return before.endsWith("*/") ? before.slice(before.lastIndexOf("/*")) : "";
}

/** A name that a package exports, its own or of another package, and the example of its doc comment. */
export interface DocumentedName {
  readonly module: string;
  readonly name: string;
  readonly isType: boolean;
  /** The code below `@example`; undefined without one. */
  readonly example: string | undefined;
}

const RE_EXPORT = /^export (type )?\{([^}]*)\} from "([^"]+)";$/gm;

/** Lists what the modules of a package export, names of other packages included, with their examples. */
export function documentedNames(workspace: readonly WorkspacePackage[], name: string): DocumentedName[] {
  const pkg = workspace.find(({ manifest }) => manifest.name === name)!;
  return entriesOf(pkg.manifest).flatMap(([module, path]) =>
    [...textOf(pkg, path).matchAll(RE_EXPORT)].flatMap(([, type, names, source]) =>
      names!
        .split(",")
        .map((entry) => entry.trim())
        .filter((entry) => entry !== "")
        .map((entry) => {
          const name = entry.replace(/^type /, "");
          const example = /@example\n([\s\S]*?)\n \*\/$/.exec(commentIn(workspace, source!, name))?.[1];
          return {
            module,
            name,
            isType: type !== undefined || entry !== name,
            example: example?.replace(/^ \* ?/gm, ""),
          };
        }),
    ),
  );
}

/** Returns the doc comment of a name that a module exports, by itself or from other modules. */
function commentIn(workspace: readonly WorkspacePackage[], module: string, name: string): string {
  const pkg = workspace.find(
    ({ manifest }) => module === manifest.name || module.startsWith(`${manifest.name}/`),
  )!;
  let path = entriesOf(pkg.manifest).find(([entry]) => entry === module)![1];
  for (;;) {
    const text = textOf(pkg, path);
    const listed = [...text.matchAll(RE_EXPORT)].find(([, , names]) =>
      new RegExp(`\\b${name}\\b`).test(names!),
    );
    const source = listed?.[3];
    if (source === undefined) return commentOf(text, name);
    if (!source.startsWith(".")) return commentIn(workspace, source, name);
    path = posix.join(posix.dirname(path), source);
  }
}
