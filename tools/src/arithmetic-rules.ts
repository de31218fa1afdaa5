import { isNamed, violationsOf } from "./syntax.ts";
import type { SourceFile } from "./workspace.ts";

/** Members of `Math` that every engine rounds alike: operations that are exact, square roots, and constants. */
const EXACT = new Set(
  ["abs", "ceil", "clz32", "floor", "fround", "imul", "max", "min", "round", "sign", "sqrt", "trunc"].concat([
    ...["E", "LN10", "LN2", "LOG10E", "LOG2E", "PI", "SQRT1_2", "SQRT2"],
  ]),
);

/** Names of methods and globals whose results depend on the language of the machine. */
const LOCAL = /^(?:Intl|localeCompare|toLocale[A-Z]\w*)$/;

interface Node {
  readonly type: string;
  readonly start: number;
}

/**
 * Finds what engines or machines compute differently: functions of `Math` other than exact ones, powers other than
 * of 2 to a whole exponent, and what depends on the language of the machine. Returns `FILE:LINE: WHAT` per
 * place. `Math.random` is a matter of the import rules.
 */
export function arithmeticViolations(files: readonly SourceFile[]): string[] {
  return violationsOf(files, (report) => {
    const members = new Set<object>();
    const checkPower = (node: Node, base: Node, exponent: Node): void => {
      if (!isNumber(base, 2) || !isWhole(exponent))
        report(node, "a power: write a product, or power() or powerOfTwo() of @arcwise/core/arithmetic");
    };
    return {
      MemberExpression: (node) => {
        const name = memberName(node);
        if (LOCAL.test(name)) report(node, `${name} depends on the language of the machine`);
        if (!isNamed(node.object, "Math")) return;
        members.add(node.object);
        if (name !== "random" && !EXACT.has(name))
          report(node, `Math.${name}: take the function of @arcwise/core/arithmetic`);
      },
      Identifier: (node) => {
        if (isNamed(node, "Math") && !members.has(node)) report(node, "Math as a value cannot be checked");
        if (node.name === "Intl") report(node, "Intl depends on the language of the machine");
      },
      BinaryExpression: (node) => {
        if (node.operator === "**") checkPower(node, node.left, node.right);
      },
      AssignmentExpression: (node) => {
        if (node.operator === "**=") checkPower(node, node.left, node.right);
      },
    };
  });
}

function memberName({ property }: { readonly property: object }): string {
  if ("name" in property) return String(property.name);
  return "value" in property ? String(property.value) : "of an expression";
}

function isNumber(node: Node, value: number): boolean {
  return node.type === "Literal" && "value" in node && node.value === value;
}

/** Whether an exponent is whole if its variables are: neither a quotient, nor a fraction, nor a call. */
function isWhole(node: Node): boolean {
  const children = "left" in node && "right" in node ? [node.left, node.right] : [];
  const within = "argument" in node ? [node.argument] : "expression" in node ? [node.expression] : children;
  if (node.type === "Literal") return "value" in node && Number.isInteger(node.value);
  if (node.type === "Identifier" || node.type === "MemberExpression") return true;
  if ("operator" in node && !["+", "-", "*"].includes(String(node.operator))) return false;
  return within.length > 0 && within.every((inner) => isWhole(inner as Node));
}
