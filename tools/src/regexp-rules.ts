import { analyse } from "scslre";
import { isNamed, violationsOf } from "./syntax.ts";
import type { SourceFile } from "./workspace.ts";

/**
 * Finds regular expressions whose time can grow faster than the text that they read (`/\s+$/`), and patterns
 * that are made at run time, which cannot be checked.
 */
export function regexpViolations(files: readonly SourceFile[]): string[] {
  return violationsOf(files, (report) => {
    const checkCall = (node: { readonly callee: object; readonly start: number }): void => {
      if (isNamed(node.callee, "RegExp")) report(node, "RegExp() cannot be checked: write a literal");
    };
    return {
      Literal: (node) => {
        const problem = "regex" in node ? superLinear(node.regex.pattern, node.regex.flags) : undefined;
        if (problem !== undefined) report(node, problem);
      },
      NewExpression: checkCall,
      CallExpression: checkCall,
    };
  });
}

function superLinear(source: string, flags: string): string | undefined {
  const [report] = analyse({ source, flags }).reports;
  if (report === undefined) return undefined;
  const growth = report.exponential ? "exponential" : "quadratic";
  return `/${source}/${flags} takes ${growth} time on some texts`;
}
