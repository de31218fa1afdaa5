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
  readonly children: ComponentChildren;
}

/** A dialog over the page, which Escape closes. */
export function Dialog({ title, isWide, children }: DialogProperties) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => dialog.close();
  }, []);
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
      {children}
    </dialog>
  );
}

interface FormProperties {
  /** The name of the button that accepts, as Enter does. */
  readonly action: string;
  readonly onAccept: () => void;
  readonly isDisabled?: boolean;
  readonly children: ComponentChildren;
}

/** The fields of a dialog, and its buttons. */
export function Form({ action, onAccept, isDisabled = false, children }: FormProperties) {
  return (
    <form
      class="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        onAccept();
      }}
    >
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
  );
}
