import { overloaded } from "../failures.ts";

/** Counts of what is under way. */
export interface AdmissionOptions {
  /** Maximum number of requests that are worked on or wait. */
  readonly requests: number;
  /** Maximum number of bytes of bodies in memory. */
  readonly bytes: number;
}

/** Seconds after which a refused request may come again: the least that the header can say. */
const RETRY_AFTER = 1;

/** Bounds the memory and the waiting time of requests: what does not fit is refused, not queued. */
export class Admission {
  readonly #limits: AdmissionOptions;
  #requests = 0;
  #bytes = 0;

  constructor(limits: AdmissionOptions) {
    this.#limits = limits;
  }

  /** Requests that are worked on or wait. */
  get requests(): number {
    return this.#requests;
  }

  /** Bytes of bodies in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes a request. */
  enter(): void {
    if (this.#requests >= this.#limits.requests)
      throw overloaded("the server works on as many requests as it takes", RETRY_AFTER);
    this.#requests++;
  }

  /** Ends a request that was taken. */
  leave(): void {
    this.#requests--;
  }

  /** Takes bytes of a body. */
  hold(bytes: number): void {
    if (this.#bytes + bytes > this.#limits.bytes)
      throw overloaded("the server holds as many bytes of requests as it takes", RETRY_AFTER);
    this.#bytes += bytes;
  }

  /** Gives bytes back that were taken. */
  drop(bytes: number): void {
    this.#bytes -= bytes;
  }
}
