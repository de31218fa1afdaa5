import { useEffect, useState } from "preact/hooks";

/** Milliseconds after the last input: a pattern is not searched for while it is typed. */
const DELAY = 150;

interface Search<Found> {
  /** What has been found so far. */
  readonly found?: Found | undefined;
  readonly error?: string | undefined;
}

/** Searches again whenever what is searched or the query changes. What was found elsewhere is not returned. */
export function useSearch<Found>(
  searched: unknown,
  query: string,
  search: () => AsyncIterable<Found>,
): Search<Found> {
  const [state, setState] = useState<Search<Found> & { readonly searched?: unknown }>({});
  useEffect(() => {
    let isCurrent = true;
    const run = async () => {
      try {
        for await (const found of search()) {
          if (!isCurrent) return;
          setState({ found, searched });
        }
      } catch (error) {
        if (isCurrent) setState({ error: (error as Error).message, searched });
      }
    };
    const timer = setTimeout(() => void run(), DELAY);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [searched, query]);
  return state.searched === searched ? state : {};
}
