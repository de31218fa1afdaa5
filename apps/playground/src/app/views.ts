import type { ComponentType } from "preact";

/** A view of the page. Its module is loaded when it is shown for the first time. */
export interface View {
  readonly title: string;
  /** One line that says what the view is for. */
  readonly summary: string;
  readonly load: () => Promise<ComponentType>;
}

/** The views, in the order of their tabs. */
export const VIEWS = {
  parse: {
    title: "Parse",
    summary: "Type a text and see its trees.",
    load: async () => (await import("../parse/parse-view.tsx")).ParseView,
  },
} as const satisfies Record<string, View>;

/** The name of a view. */
export type ViewName = keyof typeof VIEWS;

/** The names of the views, in the order of their tabs. */
export const VIEW_NAMES = Object.keys(VIEWS) as ViewName[];

/** Returns the view of a name; the first view for any other text. */
export function viewOf(name: string): ViewName {
  return VIEW_NAMES.find((known) => known === name) ?? VIEW_NAMES[0]!;
}
