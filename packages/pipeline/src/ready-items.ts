/** Turns of the queue of microtasks in which an item that waits for nothing has arrived. */
const TURNS = 32;

/**
 * Yields the items of an asynchronous generator, those together that arrive without waiting for anything from
 * outside, such as input or a timer. An error comes after the items before it.
 *
 * @param most maximum number of items together
 */
export async function* readyItems<T>(items: AsyncGenerator<T>, most: number): AsyncGenerator<T[]> {
  let next = items.next();
  try {
    for (;;) {
      let result = await next;
      const ready: T[] = [];
      while (!result.done) {
        ready.push(result.value);
        next = items.next();
        if (ready.length === most) break;
        const soon = await soonOf(next);
        if (soon === undefined) break;
        result = soon;
      }
      if (ready.length > 0) yield ready;
      if (result.done) return;
    }
  } finally {
    // Nobody waits for an item any more, which may never come.
    next.catch(() => {});
    items.return(undefined).catch(() => {});
  }
}

/** Returns a value that arrives within some turns; undefined: it does not, or it is an error. */
async function soonOf<T>(value: Promise<T>): Promise<T | undefined> {
  let arrived: { readonly value: T } | undefined;
  value.then(
    (found) => {
      arrived = { value: found };
    },
    () => {},
  );
  for (let turn = 0; turn < TURNS && arrived === undefined; turn++) await undefined;
  return arrived?.value;
}
