import { ArcwiseError, type ErrorData, errorFromData, errorToData } from "@arcwise/core/errors";
import { abortable, errorData, messageKind } from "@arcwise/core/messages";
import {
  anyOf,
  anything,
  type Check,
  checkArgument,
  having,
  integer,
  oneOf,
  record,
  string,
  withMembers,
} from "@arcwise/core/options";
import { type ChannelPort, listenTo } from "./channel-port.ts";

/**
 * Functions that one end of a channel offers to the other, by name. Inputs and results are plain data; `report` sends
 * progress before the result.
 */
export type Calls = Readonly<Record<string, (input: never, report: (progress: object) => void) => unknown>>;

/** Callbacks of a call, and its end. */
export interface CallRun {
  /** Receives what the function reports. */
  readonly onProgress?: ((progress: never) => void) | undefined;
  /** Rejects with the signal's reason once that is aborted. The other end may complete the call. */
  readonly signal?: AbortSignal | undefined;
  /** What is called, for messages. Default: the name of the function. */
  readonly what?: string | undefined;
}

/** An end of a channel. */
export interface Channel<Offered extends Calls = Calls> {
  /**
   * Calls a function of the other end. Rejects with what the function throws: its name, code and members, not its class.
   *
   * @throws ArcwiseError `invalid-argument` when the input cannot be copied
   */
  call<Name extends keyof Offered & string>(
    name: Name,
    input?: Parameters<Offered[Name]>[0],
    run?: CallRun,
  ): Promise<Awaited<ReturnType<Offered[Name]>>>;
}

/** Limits of the waits of a channel. */
export interface ChannelOptions {
  /** Milliseconds that the other end has for its first sign of life. Default: any time. */
  readonly timeout?: number | undefined;
  /** Milliseconds without any answer, while there are calls, after which the other end is lost. Default: any time. */
  readonly patience?: number | undefined;
  /**
   * Called when the other end is lost; returns the error of the calls that have no answer. Default: the error
   * `lost-connection`.
   */
  readonly lost?: ((reason: string, cause: unknown) => Error) | undefined;
}

/**
 * Opens an end of a channel, which offers functions to the other end and calls those that are offered there. Several
 * calls may be under way. Other messages, such as messages of other libraries, are ignored.
 *
 * @typeParam Offered the functions of the other end
 * @param calls the functions of this end
 *
 * @example
 * // worker.ts
 * openChannel(self, { square: (x) => x * x });
 *
 * // page.ts
 * const channel = openChannel(new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }));
 * console.log(await channel.call("square", 3)); // 9
 */
export function openChannel<Offered extends Calls>(
  port: ChannelPort,
  calls: Calls = {},
  options: ChannelOptions = {},
): Channel<Offered> {
  checkArgument(PORT, port, "openChannel: port");
  checkArgument(withMembers("functions by name"), calls, "openChannel: calls");
  checkArgument(withMembers("options"), options, "openChannel: options");
  return new PortChannel(port, calls, options) as Channel<Offered>;
}

const PORT = anyOf(
  having("a worker or a port", "postMessage", "addEventListener"),
  having("a worker or a port", "postMessage", "on"),
);

/** `heard` says at once that there will be an answer. */
type Message = { readonly id: number } & (
  | { readonly kind: "call"; readonly name: string; readonly input: unknown }
  | { readonly kind: "heard" }
  | { readonly kind: "progress"; readonly progress: object }
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly error: ErrorData }
);

const withId = (members: Readonly<Record<string, Check>>): Check =>
  record<Record<string, unknown>>({ id: integer(0), kind: string, ...members });
const KINDS: { readonly [Kind in Message["kind"]]: Check } = {
  call: withId({ name: string, input: anything }),
  heard: withId({}),
  progress: withId({ progress: withMembers("an object") }),
  result: withId({ result: anything }),
  error: withId({ error: errorData }),
};
const isKind = oneOf(...Object.keys(KINDS));
const MESSAGE = messageKind<Message>("call", (value, at) => {
  const kind = (value as Partial<Message> | undefined)?.kind;
  isKind(kind, at);
  KINDS[kind!](value, at);
});

/** Calls of each port so far: several channels may have one port. */
const counts = new WeakMap<ChannelPort, number>();

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  readonly onProgress: ((progress: never) => void) | undefined;
}

class PortChannel implements Channel {
  readonly #port: ChannelPort;
  readonly #calls: Calls;
  readonly #options: ChannelOptions;
  readonly #waiting = new Map<number, Waiting>();
  #isHeard = false;
  #lost: Error | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(port: ChannelPort, calls: Calls, options: ChannelOptions) {
    this.#port = port;
    this.#calls = calls;
    this.#options = options;
    listenTo(port, {
      message: (data) => {
        const message = MESSAGE.open(data);
        if (message?.kind === "call") void this.#answer(message.id, message.name, message.input);
        else if (message !== undefined) this.#receive(message);
      },
      lost: (reason, cause) => this.#lose(reason, cause),
    });
  }

  async call(
    name: string,
    input: unknown,
    { onProgress, signal, what = name }: CallRun = {},
  ): Promise<never> {
    if (this.#lost !== undefined) throw this.#lost;
    const id = counts.get(this.#port) ?? 0;
    counts.set(this.#port, id + 1);
    this.#post({ id, kind: "call", name, input }, what);
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, onProgress }));
    if (this.#timer === undefined) this.#watch();
    try {
      return (await abortable(answer, signal)) as never;
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** Calls a function of this end. */
  async #answer(id: number, name: string, input: unknown): Promise<void> {
    this.#post({ id, kind: "heard" });
    try {
      if (!Object.hasOwn(this.#calls, name))
        throw new ArcwiseError(
          "lost-connection",
          `use one version of Arcwise at both ends: found no ${name}`,
        );
      const report = (progress: object) => this.#post({ id, kind: "progress", progress });
      const result = await this.#calls[name]!(input as never, report);
      this.#post({ id, kind: "result", result });
    } catch (error) {
      this.#post({ id, kind: "error", error: errorToData(error) });
    }
  }

  #post(message: Message, what: string = message.kind): void {
    try {
      this.#port.postMessage(MESSAGE.seal(message));
    } catch (cause) {
      if (!(cause instanceof DOMException)) throw cause;
      const code = message.kind === "call" ? "invalid-argument" : "invalid-data";
      const found = cause.message;
      throw new ArcwiseError(code, `${what}: expected data that can be copied, found: ${found}`, {
        found,
        cause,
      });
    }
  }

  #receive(message: Exclude<Message, { kind: "call" }>): void {
    this.#isHeard = true;
    const waiting = this.#waiting.get(message.id);
    if (message.kind === "progress") {
      try {
        waiting?.onProgress?.(message.progress as never);
      } catch (error) {
        this.#waiting.delete(message.id);
        waiting?.reject(error as Error);
      }
    } else if (message.kind !== "heard") {
      this.#waiting.delete(message.id);
      if (message.kind === "error") waiting?.reject(errorFromData(message.error));
      else waiting?.resolve(message.result);
    }
    this.#watch();
  }

  /** Waits for the next message, while there are calls. */
  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const limit = this.#isHeard ? this.#options.patience : this.#options.timeout;
    if (limit === undefined || this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => this.#lose(`it did not answer for ${limit} ms`), limit);
  }

  #lose(reason: string, cause?: unknown): void {
    clearTimeout(this.#timer);
    if (this.#lost !== undefined) return;
    this.#lost =
      this.#options.lost?.(reason, cause) ??
      new ArcwiseError("lost-connection", `the other end ended: ${reason}`, { cause });
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
    this.#waiting.clear();
  }
}
