import { createServer, type IncomingMessage, type Server } from "node:http";
import { buffer } from "node:stream/consumers";

/** A server with the requests of S3 that a store makes: objects by path, in memory. */
export interface S3Server {
  readonly url: string;
  readonly objects: Map<string, Uint8Array>;
  /** The next requests that are answered by an error of the server. */
  failures: number;
  close(): void;
}

/** Starts the server on this machine. */
export async function s3Server(): Promise<S3Server> {
  const objects = new Map<string, Uint8Array>();
  const server: Server = createServer(async (request, response) => {
    const key = new URL(request.url!, "http://localhost").pathname;
    const body = await buffer(request);
    if (started.failures > 0) {
      started.failures--;
      response.writeHead(503).end();
      return;
    }
    const found = objects.get(key);
    const source = request.headers["x-amz-copy-source"];
    if (typeof source === "string") {
      const copied = objects.get(`/${decodeURIComponent(source)}`);
      if (copied === undefined) return void response.writeHead(404).end();
      objects.set(key, copied);
      const time = "2026-01-01T00:00:00.000Z";
      response
        .writeHead(200)
        .end(`<CopyObjectResult><LastModified>${time}</LastModified></CopyObjectResult>`);
    } else if (request.method === "PUT") {
      if (found !== undefined && request.headers["if-none-match"] === "*") response.writeHead(412).end();
      else {
        objects.set(key, content(request, body));
        response.writeHead(200, { etag: '"1"' }).end();
      }
    } else if (request.method === "DELETE") {
      objects.delete(key);
      response.writeHead(204).end();
    } else if (found === undefined) response.writeHead(404).end();
    else
      response.writeHead(200, { "content-length": found.length }).end(request.method === "HEAD" ? "" : found);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  const started: S3Server = {
    url: `http://127.0.0.1:${port}`,
    objects,
    failures: 0,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return started;
}

/** Returns the content of a request, which may be signed in chunks: a length in hexadecimal, a line, and the bytes. */
function content({ headers }: IncomingMessage, body: Buffer): Uint8Array {
  if (!headers["content-encoding"]?.includes("aws-chunked")) return body;
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = body.indexOf("\r\n", at);
    const length = Number.parseInt(body.subarray(at, end).toString().split(";")[0]!, 16);
    if (!(length > 0)) return Buffer.concat(pieces);
    pieces.push(body.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}
