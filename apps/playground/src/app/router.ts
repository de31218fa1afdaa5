import { signal } from "@preact/signals";
import { type ViewName, viewOf } from "./view-names.ts";

/** What the address shows: a view, and its state as parameters: `#correct?sentence=3`. */
export interface Route {
  readonly view: ViewName;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The route of the address. */
export const route = signal<Route>(routeOf(location.hash));

/** Returns the route of a fragment of an address. Unknown views are the first view. */
export function routeOf(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return { view: viewOf(path), parameters: Object.fromEntries(new URLSearchParams(query)) };
}

/** Returns the fragment of a route, with `#`. Parameters that are empty are left out. */
export function hashOf({ view, parameters }: Route): string {
  const kept = Object.entries(parameters).filter(([, value]) => value !== "");
  const query = new URLSearchParams(kept).toString();
  return `#${view}${query === "" ? "" : `?${query}`}`;
}

/** Follows changes of the address. */
export function followHash(): void {
  addEventListener("hashchange", () => {
    route.value = routeOf(location.hash);
  });
}

/** Shows a view, as a new entry of the history. */
export function navigate(view: ViewName, parameters: Route["parameters"] = {}): void {
  location.hash = hashOf({ view, parameters });
}

/** Keeps the state of the current view in the address, without a new entry of the history. */
export function keepInAddress(parameters: Route["parameters"]): void {
  const next = { view: route.value.view, parameters };
  history.replaceState(null, "", hashOf(next));
  route.value = next;
}
