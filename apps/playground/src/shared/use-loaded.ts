import { useEffect, useState } from "preact/hooks";
import { reportError } from "../app/store.ts";

/** Returns what a function loads, once it is loaded. @param load undefined while nothing is needed */
export function useLoaded<Loaded>(load: (() => Promise<Loaded>) | undefined): Loaded | undefined {
  const [loaded, setLoaded] = useState<{ readonly load: unknown; readonly value: Loaded }>();
  useEffect(() => {
    load?.().then((value) => setLoaded({ load, value }), reportError);
  }, [load]);
  return loaded?.load === load ? loaded?.value : undefined;
}
