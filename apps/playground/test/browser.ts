import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { preview } from "vite";

/** Where Chromium or Chrome is installed. */
const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const PROGRAM = [process.env.ARCWISE_CHROMIUM ?? "", ...PROGRAMS].find((file) => existsSync(file));

/** Whether tests in a browser can run. */
export const hasBrowser = PROGRAM !== undefined;

/** Starts Chromium. It has no sandbox for the root user, which runs the tests in a container. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch(options());
}

/** Starts Chromium with the storage in a folder. */
export function launchPersistent(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, options());
}

function options() {
  return { executablePath: PROGRAM!, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] };
}

/** The policy of the guide, and pictures of a drawing for the export of PNG. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob:";

/** Serves a folder, on this machine alone, with that content security policy. */
export async function serve(outDir: string) {
  const server = await preview({
    configFile: false,
    logLevel: "error",
    build: { outDir },
    preview: {
      host: "127.0.0.1",
      port: 0,
      headers: { "content-security-policy": POLICY },
    },
  });
  const address = server.httpServer.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}
