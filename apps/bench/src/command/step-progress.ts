import { formatDuration } from "../results/format.ts";
import { type Io, status } from "./io.ts";

/** Shows steps of known number with the time that is left: `EWT, decoding: 7 of 17, 2 min left: Eisner`. */
export class StepProgress {
  readonly #io: Io;
  readonly #title: string;
  readonly #now: () => number;
  #begin: number | undefined;
  #first = 0;

  /** @param now returns milliseconds; the clock by default */
  constructor(io: Io, title: string, now: () => number = () => performance.now()) {
    this.#io = io;
    this.#title = title;
    this.#now = now;
  }

  /** Shows that a step begins. Steps are numbered from 1. */
  show(text: string, step: number, steps: number): void {
    const now = this.#now();
    if (this.#begin === undefined) [this.#begin, this.#first] = [now, step];
    const done = step - this.#first;
    const left =
      done === 0 ? "" : `, ${formatDuration(((now - this.#begin) / done) * (steps - step + 1))} left`;
    status(this.#io, `${this.#title}: ${step} of ${steps}${left}: ${text}`);
  }
}
