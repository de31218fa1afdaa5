/** The views, in the order of their tabs, and in one line what each is for. */
export const VIEWS = {
  parse: { title: "Parse", summary: "Type a text and see its trees." },
  correct: { title: "Correct", summary: "Open a CoNLL-U file, correct its trees, and save what changed." },
  learn: { title: "Learn", summary: "Let the model learn from corrected sentences." },
  search: { title: "Search", summary: "Find words and relations by pattern." },
  why: { title: "Why this arc", summary: "See which terms, features and words decide an arc." },
  watch: { title: "Watch decoders", summary: "See a decoder find a tree, step by step." },
} as const satisfies Record<string, { readonly title: string; readonly summary: string }>;

/** The name of a view. */
export type ViewName = keyof typeof VIEWS;

/** The names of the views, in the order of their tabs. */
export const VIEW_NAMES = Object.keys(VIEWS) as ViewName[];

/** Returns the view of a name; the first view for any other text. */
export function viewOf(name: string): ViewName {
  return VIEW_NAMES.find((known) => known === name) ?? VIEW_NAMES[0]!;
}
