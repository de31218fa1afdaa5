/**
 * Runs jobs in sequence, of which only the last one that waits is kept: while one types, a worker is asked again when it has
 * answered, and not for each key.
 */
export class LatestJob {
  #next: (() => Promise<void>) | undefined;
  #isRunning = false;

  /** Runs a job when the running one has ended, in place of a job that waits. The job handles its errors. */
  run(job: () => Promise<void>): void {
    this.#next = job;
    if (!this.#isRunning) void this.#runAll();
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    for (let job = this.#next; job !== undefined; job = this.#next) {
      this.#next = undefined;
      await job();
    }
    this.#isRunning = false;
  }
}
