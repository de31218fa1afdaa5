import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { RequestFailure } from "../failures.ts";
import type { AppEnv, ServerState } from "../server-state.ts";
import { type Body, readBody } from "./bodies.ts";
import type { Work } from "./work.ts";

/** Reads the body of a request, and calls a function with it. Its memory is given back when the answer is there. */
export async function withBody(
  c: Context<AppEnv>,
  { limits, admission }: ServerState,
  answer: (bytes: Body["bytes"]) => Promise<Response>,
): Promise<Response> {
  const { incoming, outgoing } = c.env ?? {};
  const { bytes, drop } = await readBody(c.req.raw, incoming as IncomingMessage | undefined, {
    limits,
    admission,
  });
  if (outgoing !== undefined && !outgoing.closed) {
    outgoing.once("close", drop);
    return answer(bytes);
  }
  return answer(bytes).finally(drop);
}

/** Begins the work of a request, and calls a function that answers by it and ends it. An error ends it as well. */
export async function withWork(
  c: Context<AppEnv>,
  { models, works }: ServerState,
  bytes: number,
  answer: (work: Work) => Promise<Response>,
): Promise<Response> {
  if (models === undefined) {
    const message = "the server loads its models: send the request again in 1 s";
    throw new RequestFailure({ status: 503, code: "loading", message, retryAfter: 1 });
  }
  const work = works.begin(models, bytes, goneSignal(c));
  try {
    return await answer(work);
  } catch (error) {
    work.end();
    throw error;
  }
}

/** Returns a signal that is aborted when the client has gone before it had the answer. */
function goneSignal(c: Context<AppEnv>): AbortSignal {
  const { outgoing } = c.env ?? {};
  if (outgoing === undefined) return c.req.raw.signal;
  const gone = new AbortController();
  if (outgoing.closed) gone.abort();
  else outgoing.once("close", () => outgoing.writableFinished || gone.abort());
  return gone.signal;
}

/** Returns what breaks the connection of a request off. */
export function breakOffOf({ env }: Context<AppEnv>): () => void {
  return () => void env?.outgoing?.destroy();
}
