import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** A server of the files of a folder, on this machine alone. */
export interface FolderServer {
  readonly origin: string;
  /** The paths that were requested, in their order. */
  readonly requested: readonly string[];
  close(): void;
}

/**
 * Serves the files of a folder, `index.html` for a folder in it.
 *
 * @param headers more headers of every response, asked for at each request
 */
export async function serveFolder(
  folder: string,
  headers: () => Readonly<Record<string, string>> = () => ({}),
): Promise<FolderServer> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    requested.push(path);
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile())
      return void response.writeHead(404).end();
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, ...headers() }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, requested, close: () => void server.close() };
}
