/** Milliseconds of work between two pauses for input. */
const SLICE = 12;

/** Returns a function that pauses for input if a slice of work is over, and resolves to whether it has. */
export function pauses(): () => Promise<boolean> {
  let until = performance.now() + SLICE;
  return async () => {
    if (performance.now() < until) return false;
    await new Promise((resolve) => setTimeout(resolve));
    until = performance.now() + SLICE;
    return true;
  };
}
