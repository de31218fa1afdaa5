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
  if (port.addEventListener !== undefined) {
    port.addEventListener("message", (event) => message((event as MessageEvent).data));
    port.addEventListener("error", (event) => lost(reasonOf(event), (event as ErrorEvent).error));
    port.addEventListener("messageerror", () => lost("a message could not be read"));
    port.addEventListener("close", () => lost("the channel was closed"));
  } else {
    port.on?.("message", message);
    port.on?.("error", (error) => lost(reasonOf(error), error));
    port.on?.("messageerror", () => lost("a message could not be read"));
    port.on?.("exit", (code) => lost(`the thread ended with the exit code ${String(code)}`));
  }
  port.start?.();
}

/** The message of an error, or of an error event; browsers give none where a script cannot be loaded. */
function reasonOf(event: unknown): string {
  const { message } = event as { readonly message?: unknown };
  return typeof message === "string" && message !== "" ? message : "its script could not be loaded";
}
