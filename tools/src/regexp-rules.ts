import { parseSync, Visitor } from "oxc-parser";
import { analyse } from "scslre";
import type { SourceFile } from "./workspace.ts";

/**
 * Finds regular expressions whose time can grow faster than the text that they read (`/\s+$/`), and patterns
 * that are made at run time, which cannot be checked.
 */
export function regexpViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    regexpsOf(path, text).flatMap(({ start, problem }) =>
      problem === undefined ? [] : [`${path}:${text.slice(0, start).split("\n").length}: ${problem}`],
    ),
  );
}

/** A regular expression of a source file. */
interface Regexp {
  readonly start: number;
  readonly problem: string | undefined;
}

function regexpsOf(path: string, text: string): Regexp[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]!.message}`);
  const regexps: Regexp[] = [];
  const isConstructor = (node: { type: string }) =>
    node.type === "Identifier" && "name" in node && node.name === "RegExp";
  const add = (callee: { type: string }, start: number) => {
    if (isConstructor(callee))
      regexps.push({ start, problem: "RegExp() cannot be checked: write a literal" });
  };
  new Visitor({
    Literal: (node) => {
      if (!("regex" in node)) return;
      const { pattern, flags } = node.regex;
      regexps.push({ start: node.start, problem: superLinear(pattern, flags) });
    },
    NewExpression: ({ callee, start }) => add(callee, start),
    CallExpression: ({ callee, start }) => add(callee, start),
  }).visit(program);
  return regexps;
}

function superLinear(source: string, flags: string): string | undefined {
  const [report] = analyse({ source, flags }).reports;
  if (report === undefined) return undefined;
  const growth = report.exponential ? "exponential" : "quadratic";
  return `/${source}/${flags} takes ${growth} time on some texts`;
}
