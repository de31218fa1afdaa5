/** Milliseconds of work between two turns of the event loop. */
const TURN = 50;

/**
 * Makes a function to call within a long computation: once `TURN` milliseconds have passed since the last
 * turn of the event loop, it yields to the loop and resolves to true; before that it returns false
 * immediately.
 *
 * @throws the reason of the signal, from the function as well, once that is aborted
 */
export function yieldToEventLoop(signal?: AbortSignal): () => boolean | Promise<boolean> {
  let last = performance.now();
  async function turn(): Promise<boolean> {
    await new Promise<void>((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    last = performance.now();
    return true;
  }
  signal?.throwIfAborted();
  return () => {
    signal?.throwIfAborted();
    return performance.now() - last >= TURN && turn();
  };
}
