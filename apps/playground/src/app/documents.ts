import { signal } from "@preact/signals";

/** A text that was opened: a file, or what somebody typed. */
export interface OpenedText {
  /** Name of the file. */
  readonly name: string;
  readonly text: string;
}

/** The last text that was opened; views that read texts follow it. */
export const opened = signal<OpenedText | undefined>(undefined);

/** Opens a text in the views. */
export function openText(name: string, text: string): void {
  opened.value = { name, text };
}
