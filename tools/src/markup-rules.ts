import { violationsOf } from "./syntax.ts";
import type { SourceFile } from "./workspace.ts";

/** An end tag, or a start tag with attributes: what only markup has. */
const TAG = /<\/[a-z][a-z0-9]*\s*>|<[a-z][a-z0-9]*\s[^<>]*=["']?$|<[a-z][a-z0-9]*\s[^<>]*="/i;

/**
 * Finds texts that become markup without the template `markup`, which escapes: templates with values and
 * concatenations with tags in them, and values that `innerHTML` takes from elsewhere.
 */
export function markupViolations(files: readonly SourceFile[]): string[] {
  return violationsOf(files, (report) => {
    const tagged = new Set<number>();
    return {
      TaggedTemplateExpression: ({ tag, quasi }) => {
        if (tag.type === "Identifier" && tag.name === "markup") tagged.add(quasi.start);
      },
      TemplateLiteral: (node) => {
        if (node.expressions.length === 0 || tagged.has(node.start)) return;
        // A value at the end of an attribute's quotation mark completes the tag.
        if (node.quasis.some(({ value }) => TAG.test(value.raw))) report(node, "not `markup`");
      },
      BinaryExpression: (node) => {
        if (node.operator !== "+") return;
        if ([node.left, node.right].some((side) => side.type === "Literal" && TAG.test(`${side.value}`)))
          report(node, "markup is concatenated");
      },
      CallExpression: (node) => {
        const method = propertyOf(node.callee);
        if (method === "insertAdjacentHTML" || method === "setHTMLUnsafe")
          report(node, `${method} takes any text`);
      },
      AssignmentExpression: (node) => {
        const property = propertyOf(node.left);
        if (/^(?:innerHTML|outerHTML|srcdoc)$/.test(property) && !isEscaped(node.right))
          report(node, `${property} takes any text`);
      },
    };
  });
}

/** Returns the name of the property that an expression reads or writes; an empty text for other expressions. */
function propertyOf(node: { readonly type: string }): string {
  const { property } = node as { readonly property?: { readonly type: string; readonly name?: string } };
  return node.type === "MemberExpression" && property?.type === "Identifier" ? property.name! : "";
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
