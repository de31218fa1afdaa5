import { type ErrorData, errorFromData, errorToData } from "@arcwise/core/errors";
import { abortable, errorData, messageKind } from "@arcwise/core/messages";
import { anyOf, anything, integer, record, string } from "@arcwise/core/options";
import type { PipelinePort } from "@arcwise/pipeline";

/** Functions that a worker offers, each of plain data, by name. */
export type Calls = Readonly<Record<string, (input: never) => unknown>>;

interface Request {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}
type Answer = { readonly id: number } & ({ readonly result: unknown } | { readonly error: ErrorData });

const id = integer(0);
const REQUEST = messageKind<Request>(
  "playground request",
  record<Request>({ id, name: string, input: anything }),
);
const ANSWER = messageKind<Answer>(
  "playground answer",
  anyOf(
    record<{ id: number; error: ErrorData }>({ id, error: errorData }),
    record<{ id: number; result: unknown }>({ id, result: anything }),
  ),
);

/** Answers the requests of `connectCalls` at the other end of a channel, in sequence. */
export function serveCalls(calls: Promise<Calls>, port: PipelinePort): void {
  calls.catch(() => {}); // its error is the answer to each request
  port.addEventListener?.("message", async (event) => {
    const request = REQUEST.open((event as MessageEvent).data);
    if (request === undefined) return;
    const { id, name, input } = request;
    try {
      const result = await (await calls)[name]!(input as never);
      port.postMessage(ANSWER.seal({ id, result }));
    } catch (error) {
      port.postMessage(ANSWER.seal({ id, error: errorToData(error) }));
    }
  });
}

/** Calls a function of a worker. Rejects with its error, or with the reason of the signal. */
export type Call<Offered extends Calls> = <Name extends keyof Offered & string>(
  name: Name,
  input: Parameters<Offered[Name]>[0],
  signal?: AbortSignal,
) => Promise<Awaited<ReturnType<Offered[Name]>>>;

/** Returns a function that calls what `serveCalls` serves at the other end of a channel. */
export function connectCalls<Offered extends Calls>(port: PipelinePort): Call<Offered> {
  const waiting = new Map<number, { resolve(result: never): void; reject(error: Error): void }>();
  let requests = 0;
  port.addEventListener?.("message", (event) => {
    const answer = ANSWER.open((event as MessageEvent).data);
    if (answer === undefined) return;
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("error" in answer) asked?.reject(errorFromData(answer.error));
    else asked?.resolve(answer.result as never);
  });
  return (name, input, signal) => {
    const id = requests++;
    const asked = new Promise<never>((resolve, reject) => void waiting.set(id, { resolve, reject }));
    port.postMessage(REQUEST.seal({ id, name, input }));
    return abortable(asked, signal);
  };
}
