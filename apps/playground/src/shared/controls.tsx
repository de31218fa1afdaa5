import { counted } from "@arcwise/core/errors";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

/** A choice of one of several values, with a label before it. */
export function Choice<Value extends string>(properties: {
  readonly label: string;
  readonly value: Value;
  readonly options: Readonly<Record<Value, string>>;
  readonly onChange: (chosen: Value) => void;
}) {
  const { label, value, options, onChange } = properties;
  return (
    <label class="inline">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {(Object.entries(options) as [Value, string][]).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A choice that is on or off, with its label behind it. */
export function Check(properties: {
  readonly class?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ComponentChildren;
}) {
  const { class: kind = "inline", isOn, onChange, children } = properties;
  return (
    <label class={kind}>
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
      {children}
    </label>
  );
}

interface FileButtonProperties {
  readonly name: string;
  readonly title?: string;
  /** Name of the file field, for screen readers. */
  readonly label: string;
  readonly onFile: (file: File) => Promise<void>;
  /** Another way to pick a file; returns whether the browser has it. */
  readonly onPick?: () => Promise<boolean>;
  readonly isPrimary?: boolean;
  readonly isPressed?: boolean;
}

/** A button that picks a file. */
export function FileButton(properties: FileButtonProperties) {
  const { name, title, label, onFile, onPick, isPrimary, isPressed } = properties;
  const input = useRef<HTMLInputElement>(null);
  const onChange = async () => {
    const file = input.current?.files?.[0];
    if (file !== undefined) await onFile(file);
    if (input.current !== null) input.current.value = "";
  };
  const pick = async () => {
    if (!(await onPick?.())) input.current?.click();
  };
  return (
    <>
      <button
        type="button"
        class={isPrimary ? "primary" : undefined}
        aria-pressed={isPressed}
        title={title}
        onClick={pick}
      >
        {name}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        data-open={onPick && true}
        aria-label={label}
        onChange={onChange}
      />
    </>
  );
}

/** Returns a number with its noun: "1,024 words". */
export function count(number: number, noun: string): string {
  return counted(number.toLocaleString("en"), noun);
}
