import type { ComponentType } from "preact";
import type { ViewName } from "./app/view-names.ts";

/** Loads the module of a view, when it is shown for the first time. */
export const LOAD_VIEW: Readonly<Record<ViewName, () => Promise<ComponentType>>> = {
  parse: async () => (await import("./parse/parse-view.tsx")).ParseView,
  correct: async () => (await import("./correct/view/correct-view.tsx")).CorrectView,
  learn: async () => (await import("./learn/learn-view.tsx")).LearnView,
  search: async () => (await import("./search/search-view.tsx")).SearchView,
  why: async () => (await import("./why/why-view.tsx")).WhyView,
  watch: async () => (await import("./watch/watch-view.tsx")).WatchView,
};
