/**
 * One end of a channel: a `Worker`, the global scope of one, or a `MessagePort`; of browsers or of Node's
 * `worker_threads`.
 *
 * @example
 * const port: ChannelPort = new Worker("./worker.js", { type: "module" });
 */
export interface ChannelPort {
  postMessage(message: unknown): void;
  addEventListener?: ((type: string, listener: (event: Event) => void) => void) | undefined;
  on?: ((type: string, listener: (value: unknown) => void) => unknown) | undefined;
  start?: (() => void) | undefined;
}

/** Events at an end of a channel. */
export interface PortEvents {
  message(data: unknown): void;
  /** The other end cannot answer any more. */
  lost(reason: string, cause?: unknown): void;
}

/** Listens to an end of a channel. */
export function listenTo(port: ChannelPort, { message, lost }: PortEvents): void {
  const isTarget = port.addEventListener !== undefined;
  const on = (type: string, take: (value: unknown) => void) =>
    isTarget ? port.addEventListener!(type, take) : port.on?.(type, take);
  on("message", (value) => message(isTarget ? (value as MessageEvent).data : value));
  on("error", (value) => lost(reasonOf(value), isTarget ? (value as ErrorEvent).error : value));
  on("messageerror", () => lost("a message could not be read"));
  on("close", () => lost("the channel was closed"));
  on("exit", (code) => lost(`the thread ended with the exit code ${String(code)}`));
  port.start?.();
}

/** The message of an error, or of an error event; browsers give none where a script cannot be loaded. */
function reasonOf(event: unknown): string {
  const { message } = event as { readonly message?: unknown };
  return typeof message === "string" && message !== "" ? message : "its script could not be loaded";
}
