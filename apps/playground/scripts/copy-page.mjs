/**
 * Copies the built page into a package before it is packed: `node copy-page.mjs FOLDER`. The model of English is left out:
 * the page loads the models of the server that serves it. Not a step of the build, since the page is built after the
 * command, which is built after the server.
 */
import { cpSync, existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../dist", import.meta.url));
if (!existsSync(`${built}/index.html`)) throw new Error(`${built}: expected a built page, found none`);
const target = resolve(argv[2]);
rmSync(target, { recursive: true, force: true });
cpSync(built, target, { recursive: true, dereference: true, filter: (file) => !file.endsWith(".model") });
