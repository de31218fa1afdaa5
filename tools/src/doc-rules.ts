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
  const kinds = "const|function\\*?|abstract class|class|interface|type";
  const declaration = new RegExp(`^export (?:default )?(?:async )?(?:${kinds}) ${name}\\b`, "m");
  const at = declaration.exec(text)?.index;
  if (at === undefined) return false;
  const before = text.slice(0, at).trimEnd();
  if (!before.endsWith("*/")) return false;
  const comment = before.slice(before.lastIndexOf("/*"));
  return /^\/\*\*[\s*]*[^\s*@]/.test(comment);
}
