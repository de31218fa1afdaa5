/* VitePress writes scripts into pages and functions of its configuration as text: a content security policy forbids both. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markup } from "@arcwise/draw";

const SCRIPT = /<script id="([\w-]+)">([^<]*)<\/script>/g;

/** Moves the scripts of a page into files of the site. Returns the page, which loads them where they stood. */
export function withoutInlineScripts(page: string, site: string): string {
  return page.replaceAll(SCRIPT, (_, id: string, code: string) => {
    mkdirSync(join(site, "assets"), { recursive: true });
    writeFileSync(join(site, "assets", `${id}.js`), code);
    return String(markup`<script src="/assets/${id}.js"></script>`);
  });
}

const READER = "function deserializeFunctions(";
const DATA = "window.__VP_SITE_DATA__=deserializeFunctions(JSON.parse(";

/**
 * Writes the functions of the configuration as functions, which the site would otherwise evaluate as text.
 *
 * @throws Error when VitePress writes its data in another way
 */
export function writeFunctions(site: string): void {
  const chunks = join(site, "assets/chunks");
  for (const name of readdirSync(chunks).filter((file) => file.startsWith("metadata."))) {
    const file = join(chunks, name);
    const code = readFileSync(file, "utf8");
    const [reader, data] = [code.indexOf(READER), code.indexOf(DATA)];
    const end = code.indexOf('"))', data);
    if (reader < 0 || data < reader || end < 0)
      throw new Error(`${file}: expected ${DATA}, found other code`);
    const config: unknown = JSON.parse(JSON.parse(code.slice(data + DATA.length, end + 1)));
    const written = `window.__VP_SITE_DATA__=${expression(config)}`;
    writeFileSync(file, code.slice(0, reader) + written + code.slice(end + '"))'.length));
  }
}

const FUNCTION = "_vp-fn_";

/** Returns a value as an expression of JavaScript. */
function expression(value: unknown): string {
  if (typeof value === "string" && value.startsWith(FUNCTION)) return `(${value.slice(FUNCTION.length)})`;
  if (Array.isArray(value)) return `[${value.map(expression).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${expression(member)}`,
  );
  return `{${members.join(",")}}`;
}
