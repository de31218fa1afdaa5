import { parseSync, Visitor } from "oxc-parser";
import type { SourceFile } from "./workspace.ts";

/** An end tag, or a start tag with attributes: what only markup has. */
const TAG = /<\/[a-z][a-z0-9]*\s*>|<[a-z][a-z0-9]*\s[^<>]*=["']?$|<[a-z][a-z0-9]*\s[^<>]*="/i;

/**
 * Finds texts that become markup without the template `markup`, which escapes: templates with values and
 * concatenations with tags in them, and values that `innerHTML` takes from elsewhere.
 */
export function markupViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const { program, errors } = parseSync(path, text);
    if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]!.message}`);
    return unescaped(program).map(
      ({ start, problem }) => `${path}:${text.slice(0, start).split("\n").length}: ${problem}`,
    );
  });
}

interface Violation {
  readonly start: number;
  readonly problem: string;
}

function unescaped(program: Parameters<Visitor["visit"]>[0]): Violation[] {
  const found: Violation[] = [];
  const tagged = new Set<number>();
  new Visitor({
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (tag.type === "Identifier" && tag.name === "markup") tagged.add(quasi.start);
    },
    TemplateLiteral: ({ start, quasis, expressions }) => {
      if (expressions.length === 0 || tagged.has(start)) return;
      // A value at the end of an attribute's quotation mark completes the tag.
      if (quasis.some(({ value }) => TAG.test(value.raw))) found.push({ start, problem: "not `markup`" });
    },
    BinaryExpression: ({ start, operator, left, right }) => {
      if (operator !== "+") return;
      if ([left, right].some((side) => side.type === "Literal" && TAG.test(`${side.value}`)))
        found.push({ start, problem: "markup is concatenated" });
    },
    CallExpression: ({ start, callee }) => {
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      const method = callee.property.name;
      if (method === "insertAdjacentHTML" || method === "setHTMLUnsafe")
        found.push({ start, problem: `${method} takes any text` });
    },
    AssignmentExpression: ({ start, left, right }) => {
      if (left.type !== "MemberExpression" || left.property.type !== "Identifier") return;
      if (!/^(?:innerHTML|outerHTML|srcdoc)$/.test(left.property.name)) return;
      if (!isEscaped(right)) found.push({ start, problem: `${left.property.name} takes any text` });
    },
  }).visit(program);
  return found;
}

/** Whether an expression is `String(…)` of a piece of markup, a constant, or a choice of these. */
function isEscaped(node: { readonly type: string }): boolean {
  if (node.type === "Literal") return true;
  if (node.type === "ConditionalExpression" && "consequent" in node && "alternate" in node) {
    return [node.consequent, node.alternate].every((branch) => isEscaped(branch as { type: string }));
  }
  return (
    node.type === "CallExpression" && "callee" in node && (node.callee as { name?: string }).name === "String"
  );
}
