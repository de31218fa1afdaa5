import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, extname, join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import type { KeptFile } from "../files/kept-file.ts";

/** Address at which the page is opened. */
export interface PageContents {
  /** The folder of the built page. */
  readonly page: string;
  /** The files that are corrected and saved. */
  readonly files: readonly KeptFile[];
  /** Annotations to compare the files with, in their order. */
  readonly gold: readonly KeptFile[];
  /** Files of models. */
  readonly models: readonly KeptFile[];
}

/** A server of the page, for this machine alone. */
export interface PageServer {
  readonly url: string;
  close(): void;
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
const HEADERS = {
  // The page loads nothing from elsewhere, and compiles WebAssembly. Its address is a secret.
  "content-security-policy":
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self' blob:; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** The attribute of the page's index that names its host. */
const HOST = 'name="arcwise-host" content=""';

interface Answer {
  readonly status: number;
  readonly type?: string | undefined;
  readonly version?: string | undefined;
  readonly body?: string | Uint8Array | undefined;
}

/**
 * Serves the page and its files at a free port of this machine, under a path that cannot be guessed: other programs and
 * pages of other addresses do not know it.
 */
export async function servePage(contents: PageContents, port: number): Promise<PageServer> {
  const secret = randomBytes(16).toString("hex");
  const server = createServer((request, response) => {
    answer(request, contents, `/${secret}/`)
      .catch((error: NodeJS.ErrnoException): Answer => {
        const status = error.code === "ENOENT" ? 404 : error instanceof URIError ? 400 : 500;
        return { status, body: error.message };
      })
      .then((made) => send(response, made));
  });
  await new Promise<void>((listening, refused) => {
    server.once("error", refused).listen(port, "127.0.0.1", listening);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/${secret}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(request: IncomingMessage, contents: PageContents, prefix: string): Promise<Answer> {
  const { method = "", url = "" } = request;
  const path = url.split("?", 1)[0]!;
  if (!path.startsWith(prefix)) return { status: 404 };
  const name = decodeURIComponent(path.slice(prefix.length));
  const [, kind, index] = /^(files|gold|models)\/(\d+)$/.exec(name) ?? [];
  const file = kind === undefined ? undefined : contents[kind as "files" | "gold" | "models"][Number(index)];
  if (method === "PUT" && kind === "files" && file !== undefined) return save(request, file);
  if (method !== "GET" && method !== "HEAD") return { status: 405 };
  if (file !== undefined) {
    const { bytes, version } = await file.read();
    return { status: 200, type: "application/octet-stream", version, body: bytes };
  }
  if (name === "host.json")
    return { status: 200, type: TYPES[".json"], body: JSON.stringify(hostOf(contents)) };
  return pageFile(contents.page, name || "index.html");
}

/** Facts of the host for the page: see apps/playground/src/app/host.ts. */
function hostOf({ files, gold, models }: PageContents): object {
  const listed = (all: readonly KeptFile[], kind: string) =>
    all.map(({ path }, i) => ({ name: basename(path), path: resolve(path), href: `${kind}/${i}` }));
  return {
    files: listed(files, "files").map((file, i) => ({ ...file, gold: gold[i] && `gold/${i}` })),
    models: listed(models, "models").map(({ name, href }) => ({ name: name.replace(/\.model$/, ""), href })),
  };
}

async function save(request: IncomingMessage, file: KeptFile): Promise<Answer> {
  const before = request.headers["if-match"];
  if (before === undefined) return { status: 428, body: "expected the header If-Match, found none" };
  const version = await file.replace(before, await buffer(request));
  return version === undefined ? { status: 412 } : { status: 204, version };
}

async function pageFile(folder: string, name: string): Promise<Answer> {
  const file = join(folder, name);
  const type = TYPES[extname(name)];
  if (!resolve(file).startsWith(resolve(folder)) || type === undefined) return { status: 404 };
  const body = await readFile(file);
  return { status: 200, type, body: name === "index.html" ? withHost(body) : body };
}

function withHost(index: Uint8Array): string {
  return new TextDecoder().decode(index).replace(HOST, HOST.replace('content=""', 'content="host.json"'));
}

function send(response: ServerResponse, { status, type, version, body }: Answer): void {
  response.writeHead(status, {
    ...HEADERS,
    ...(type === undefined ? {} : { "content-type": type }),
    ...(version === undefined ? {} : { etag: version }),
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
