import { anything, callback, checkArgument, positive, series } from "@arcwise/core/options";

/**
 * Yields what a function makes of items, in their order, each as soon as it is made. An error of the source is thrown
 * after the results of the items before it.
 *
 * @param width maximum number of items under way: the next item is read when there are fewer
 *
 * @example
 * for await (const square of inOrder(numbers(), place.width, (x) => place.do(squareJob, { x }))) console.log(square);
 */
export async function* inOrder<Item, Made>(
  items: AsyncIterable<Item> | Iterable<Item>,
  width: number,
  make: (item: Item) => Promise<Made>,
): AsyncGenerator<Made> {
  checkArgument(series<Item>("items"), items, "inOrder: items");
  checkArgument(width === Number.POSITIVE_INFINITY ? anything : positive, width, "inOrder: width");
  checkArgument(callback, make, "inOrder: make");
  const source = each(items);
  const underWay: Promise<Made>[] = [];
  let next: Promise<IteratorResult<Item>> | undefined;
  let end: { readonly error?: unknown } | undefined;
  const failed = (error: unknown): IteratorResult<Item> => {
    end = { error };
    return { done: true, value: undefined };
  };
  try {
    while (end === undefined || underWay.length > 0) {
      const [first] = underWay;
      if (end === undefined && underWay.length < width) {
        next ??= source.next().catch(failed);
        const item = await (first === undefined ? next : Promise.race([next, first.then(() => undefined)]));
        if (item !== undefined) {
          next = undefined;
          if (item.done === true) end ??= {};
          else underWay.push(caught(Promise.resolve(make(item.value))));
          continue;
        }
      }
      yield await first!;
      underWay.shift();
    }
    if (end.error !== undefined) throw end.error;
  } finally {
    // A source that waits for its next item ends after it.
    if (end === undefined) void source.return(undefined).catch(() => {});
  }
}

async function* each<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

/** Returns a promise whose error is met when its turn comes, or not at all after another error. */
function caught<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
