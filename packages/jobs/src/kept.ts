/** Results that jobs keep by data and name: see `JobContext.keep`. */
export class Kept {
  readonly #made = new WeakMap<object, Map<string, unknown>>();

  /** Returns the function `keep` for jobs of a name. */
  for(job: string): <Made>(data: object, make: () => Made) => Made {
    return <Made>(data: object, make: () => Made) => {
      const found = this.#made.get(data) ?? new Map<string, unknown>();
      this.#made.set(data, found);
      if (!found.has(job)) found.set(job, make());
      return found.get(job) as Made;
    };
  }
}
