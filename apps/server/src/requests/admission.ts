import { overloaded } from "../failures.ts";

/** Seconds after which a refused request may come again: the least that the header can say. */
const RETRY_AFTER = 1;

/** Bounds the memory and the waiting time of requests: what does not fit is refused, not queued. */
export class Admission {
  readonly #limits: Readonly<Record<"requests" | "bytes", number>>;
  #requests = 0;
  #bytes = 0;

  /** @param limits maximum number of requests that are worked on or wait, and of bytes of bodies in memory */
  constructor(limits: Readonly<Record<"requests" | "bytes", number>>) {
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
