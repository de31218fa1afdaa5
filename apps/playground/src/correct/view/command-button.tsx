import type { ComponentChildren } from "preact";
import { COMMANDS, type CommandTitle } from "../commands.ts";

interface CommandButtonProperties {
  readonly of: CommandTitle;
  readonly children: ComponentChildren;
  readonly class?: string | undefined;
  readonly isPressed?: boolean | undefined;
  readonly isDisabled?: boolean;
  /** A hint in place of the title of the command. */
  readonly hint?: string | undefined;
}

/** A button that runs a command. Its hint has the key of the command. */
export function CommandButton(properties: CommandButtonProperties) {
  const { of, children, class: kind, isPressed, isDisabled, hint = of } = properties;
  const [keys, run] = COMMANDS[of];
  return (
    <button
      type="button"
      class={kind}
      title={`${hint} (${keyTitle(keys[0]!)})`}
      aria-label={kind === "icon" ? of : undefined}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={() => run()}
    >
      {children}
    </button>
  );
}

const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "Space",
  PageUp: "Page up",
  PageDown: "Page down",
  Delete: "Del",
};

/** Returns the name of a key as users read it. */
export function keyTitle(key: string): string {
  const parts = key === "+" ? ["+"] : key.split("+");
  return parts.map((part) => SIGNS[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join(" + ");
}
