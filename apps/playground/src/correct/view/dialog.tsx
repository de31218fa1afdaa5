import "./dialogs.css";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import * as state from "../state.ts";

/** Closes the dialog. */
export function closeDialog(): void {
  state.dialog.value = undefined;
}

interface DialogProperties {
  readonly title: string;
  readonly isWide?: boolean;
  /** The name of the button that accepts, as Enter does; without it the dialog has no form. */
  readonly action?: string;
  readonly onAccept?: () => void;
  readonly isDisabled?: boolean;
  readonly children: ComponentChildren;
}

/** A dialog over the page, which Escape closes. */
export function Dialog(properties: DialogProperties) {
  const { title, isWide, action, onAccept, isDisabled = false, children } = properties;
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => dialog.close();
  }, []);
  const accept = (event: Event) => {
    event.preventDefault();
    onAccept?.();
  };
  return (
    <dialog
      ref={element}
      class="edit-dialog"
      data-wide={isWide || undefined}
      aria-label={title}
      onClose={closeDialog}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick={closeDialog}>
          ×
        </button>
      </header>
      {action === undefined ? (
        children
      ) : (
        <form class="dialog-form" onSubmit={accept}>
          {children}
          <footer class="row">
            <button type="submit" class="primary" disabled={isDisabled}>
              {action}
            </button>
            <button type="button" onClick={closeDialog}>
              Cancel
            </button>
          </footer>
        </form>
      )}
    </dialog>
  );
}

interface TextFieldProperties {
  readonly label: string;
  readonly value: string;
  readonly class?: string;
  readonly spellcheck?: boolean;
  readonly "aria-invalid"?: true | undefined;
  readonly onInput: (text: string) => void;
  readonly onBlur?: () => void;
  readonly onKeyDown?: (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }) => void;
  /** Text below the field. */
  readonly children?: ComponentChildren;
}

/** A text with its label. In a dialog, `data-first` marks the field that has the focus. */
export function TextField({ label, onInput, children, class: kind, ...attributes }: TextFieldProperties) {
  return (
    <label class={kind ? `field ${kind}` : "field"}>
      <span>{label}</span>
      <input
        spellcheck={false}
        autocomplete="off"
        {...attributes}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {children}
    </label>
  );
}
