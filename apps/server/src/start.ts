import { createServer, maxHeaderSize, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { ArcwiseError } from "@arcwise/core/errors";
import { checkArgument, checkOptions } from "@arcwise/core/options";
import { isPlace } from "@arcwise/jobs";
import { onThreads } from "@arcwise/jobs/node";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app.ts";
import { modelSpec } from "./models/names.ts";
import { loadModels } from "./models/served-models.ts";
import { createLog } from "./requests/request-log.ts";
import { limitsOf, SERVER_OPTIONS, type ServerOptions, threadsOf } from "./server-options.ts";
import { type ServerState, serverState } from "./server-state.ts";

/**
 * A server that listens.
 *
 * @example
 * const server: RunningServer = await startServer({ models: ["english"] });
 * console.log(server.url); // http://127.0.0.1:8080
 */
export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /**
   * Loads the models again; requests that have begun keep theirs. If a model cannot be loaded, all stay as they are.
   *
   * @throws ArcwiseError what loading a model throws
   */
  reload(): Promise<void>;
  /** Stops: no request begins, and those that have begun have the time `grace` to end. */
  close(): Promise<void>;
}

/** Milliseconds in which the head of a request must arrive. */
const HEADERS_TIMEOUT = 10_000;
/**
 * Megabytes of a thread's heap: for what a request makes, per model, and for what lives shortly. Numbers of networks are
 * outside it. Without a limit, garbage stands until memory is short.
 */
const HEAP = { each: 128, perModel: 128, young: 32 };
/** Connections at a time; Node closes others. */
const MAX_CONNECTIONS = 4096;

/**
 * Starts a server of models. Resolves when it listens and all models are loaded.
 *
 * @throws ArcwiseError `unknown-option`, `invalid-option`; `missing-model` and others of a model that cannot be loaded;
 *   the error of Node, with its code, if it cannot listen
 *
 * @example
 * const server = await startServer({ models: ["english"], port: 0 });
 * const answer = await fetch(`${server.url}/v1/parse?text=Dogs+bark.`);
 * console.log((await answer.json()).sentences[0].words.length); // 3
 * await server.close();
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const given = checkOptions(SERVER_OPTIONS, options, "startServer");
  const specs = given.models.map(modelSpec);
  if (specs.length === 0)
    throw new ArcwiseError("invalid-option", "startServer: models: expected one model or more, found none");
  const threads = threadsOf(given);
  const state = serverState(limitsOf(given.limits, threads), createLog(given.log));
  const newPlace =
    given.place ??
    (() =>
      onThreads(threads, {
        keeps: specs.length,
        limits: {
          maxOldGenerationSizeMb: HEAP.each + HEAP.perModel * specs.length,
          maxYoungGenerationSizeMb: HEAP.young,
        },
        onLost: ({ error, job, attempt }) => {
          state.metrics.threadLost();
          state.log.warn({ err: error, job, attempt }, "a thread ended early");
        },
      }));
  const load = () => {
    const place = newPlace();
    checkArgument(isPlace, place, "startServer: what place returns");
    return loadModels(specs, place, given.encoder);
  };
  const app = createApp(state, given);
  // The server answers probes while it loads.
  const server = await listen(app.fetch as never, given);
  try {
    state.models = await load();
  } catch (error) {
    server.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const url = `http://${given.host.includes(":") ? `[${given.host}]` : given.host}:${port}`;
  state.log.info({ url, models: specs.map(({ names }) => names[0]), threads }, "listening");
  return {
    url,
    port,
    reload: inSequence(() => reload(state, load)),
    close: once(() => close(state, server, given.grace)),
  };
}

async function listen(
  fetch: Parameters<typeof getRequestListener>[0],
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Server> {
  const listener = getRequestListener(fetch, {
    overrideGlobalObjects: false,
    // Clients of HTTP/1.0, such as probes of proxies, send no Host.
    hostname: "localhost",
    errorHandler: () => {
      const message =
        "expected a path that begins with / and a header Host with a name and a port, found others";
      return Response.json({ error: { code: "invalid-request", message } }, { status: 400 });
    },
  });
  // Bodies have limits of their own.
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT, requestTimeout: 0 },
    (request, response) => void listener(request, response),
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    const { status, ...failure } = clientFailure(error);
    const body = JSON.stringify({ error: failure });
    const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\n`;
    socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return server;
}

/** An error of Node at bytes that are not a request, or are too many. */
interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer | undefined;
  readonly bytesParsed?: number | undefined;
}

/** Returns the status and the error of bytes that Node does not take for a request. */
function clientFailure({ code, rawPacket, bytesParsed }: ClientError) {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    const limit = { name: "head", value: HEADERS_TIMEOUT / 1000, unit: "seconds" };
    const message = `expected the head of a request within ${limit.value} s`;
    return { status: "408 Request Timeout", code: "limit-exceeded", message, limit };
  }
  if (code !== "HPE_HEADER_OVERFLOW") {
    const message = "expected a request of HTTP/1.1, found other bytes";
    return { status: "400 Bad Request", code: "invalid-request", message };
  }
  // The first line has the address.
  const isAddress = rawPacket?.subarray(0, bytesParsed).includes("\r\n") !== true;
  const limit = { name: isAddress ? "address" : "headers", value: maxHeaderSize, unit: "bytes" };
  const message =
    `expected an address and headers of at most ${maxHeaderSize} bytes, found more: send long texts as the body of a POST ` +
    "request";
  const status = isAddress ? "414 URI Too Long" : "431 Request Header Fields Too Large";
  return { status, code: "limit-exceeded", message, limit };
}

async function reload(state: ServerState, load: () => ReturnType<typeof loadModels>): Promise<void> {
  if (state.isStopping) return;
  try {
    const before = state.models;
    state.models = await load();
    before?.retire();
    state.metrics.reloaded("done");
    state.log.info("the models were loaded again");
  } catch (error) {
    state.metrics.reloaded("failed");
    state.log.error({ err: error }, "the models could not be loaded again; the old ones stay");
    throw error;
  }
}

async function close(state: ServerState, server: Server, grace: number): Promise<void> {
  state.isStopping = true;
  state.log.info("stopping");
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await state.works.stop(grace * 1000);
  // Answers that are written have a moment to arrive.
  const timer = setTimeout(() => server.closeAllConnections(), 1000);
  server.closeIdleConnections();
  await closed;
  clearTimeout(timer);
  await state.models?.close();
  state.log.info("stopped");
}

/** Returns a function whose calls run in sequence. */
function inSequence(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    const next = last.then(run);
    last = next.catch(() => {});
    return next;
  };
}

/** Returns a function whose later calls return what the first one does. */
function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
