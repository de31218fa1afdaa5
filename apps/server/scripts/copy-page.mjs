/**
 * Copies the built playground, with its model, into the package before it is packed. Not a step of the build, since the
 * playground is built after the command, which is built after the server.
 */
import { cpSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const built = here("../playground/dist");
if (!existsSync(`${built}/index.html`)) throw new Error(`${built}: expected a built page, found none`);
rmSync(here("playground"), { recursive: true, force: true });
cpSync(built, here("playground"), { recursive: true, dereference: true });
