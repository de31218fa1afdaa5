interface Waiting {
  readonly order: number;
  readonly begin: () => void;
}

/** Gives turns to tasks, at most `width` at a time: those of the lowest order first, and of one order as they came. */
export class Turns {
  readonly width: number;
  readonly #waiting: Waiting[] = [];
  #taken = 0;

  constructor(width: number) {
    this.width = width;
  }

  /** Resolves when it is the turn of a task. */
  take(order: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(task), 1);
        reject(signal.reason);
      };
      const begin = () => {
        signal.removeEventListener("abort", leave);
        this.#taken++;
        resolve();
      };
      const task = { order, begin };
      let at = this.#waiting.length;
      while (at > 0 && this.#waiting[at - 1]!.order > order) at--;
      this.#waiting.splice(at, 0, task);
      signal.addEventListener("abort", leave, { once: true });
      this.#next();
    });
  }

  /** Ends a turn. */
  give(): void {
    this.#taken--;
    this.#next();
  }

  #next(): void {
    while (this.#taken < this.width && this.#waiting.length > 0) this.#waiting.shift()!.begin();
  }
}
