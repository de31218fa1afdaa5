import { parseSync, Visitor } from "oxc-parser";
import type { SourceFile } from "./workspace.ts";

/** Parses a source. @throws SyntaxError when it does not parse */
export function parsed(path: string, text: string): ReturnType<typeof parseSync> {
  const result = parseSync(path, text);
  if (result.errors.length > 0) throw new SyntaxError(`${path}: ${result.errors[0]!.message}`);
  return result;
}

/** Reports a problem of a node. */
export type Report = (node: { readonly start: number }, problem: string) => void;

/** Visits the syntax of sources. Returns `FILE:LINE: PROBLEM` for each problem that the visitor reports. */
export function violationsOf(
  files: readonly SourceFile[],
  visitorOf: (report: Report) => ConstructorParameters<typeof Visitor>[0],
): string[] {
  return files.flatMap(({ path, text }) => {
    const found: string[] = [];
    const report: Report = ({ start }, problem) =>
      void found.push(`${path}:${text.slice(0, start).split("\n").length}: ${problem}`);
    new Visitor(visitorOf(report)).visit(parsed(path, text).program);
    return found;
  });
}

/** Whether a node is a global of a name. */
export function isNamed(node: object, name: string): boolean {
  return "type" in node && node.type === "Identifier" && "name" in node && node.name === name;
}
