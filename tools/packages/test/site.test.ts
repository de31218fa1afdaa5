import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { documentedNames, type ExportedName, exportedNames } from "../../src/doc-rules.ts";
import { readWorkspace } from "../../src/workspace.ts";
import { CHROMIUM, chromiumOptions } from "../chromium.ts";
import { ROOT, run, SHELL_ENV } from "../project.ts";
import { serveFolder } from "../serve.ts";

const site = join(ROOT, "docs/.vitepress/dist");
const files = (ending: string) =>
  readdirSync(site, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => name.replaceAll("\\", "/"));
/** The pages that are made of documents, without the playground and the reference of names. */
const pages = () => files(".html").filter((name) => !/^(?:api|playground)\//.test(name));

/** The kinds of names that have pages. */
const KINDS = ["functions", "variables", "classes", "interfaces", "types"];

/** A page, the addresses in it, and the anchors that it has. */
interface Page {
  readonly links: readonly string[];
  readonly anchors: ReadonlySet<string>;
}

/** Returns the addresses of links, pictures, scripts and style sheets of a page, and its anchors. */
function pageOf(html: string): Page {
  const text = html.replaceAll(/<!--.*?-->|<script(?![^>]* src=)[^>]*>.*?<\/script>/gs, "");
  const values = (attribute: string) =>
    [...text.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, "g"))].map(([, value]) =>
      value!.replaceAll("&amp;", "&").replaceAll("&#x3D;", "="),
    );
  return {
    links: [...values("href"), ...values("src")],
    anchors: new Set([...values("id"), ...values("name")]),
  };
}

/** Returns the address of a site, without its origin, that a link of a page leads to; undefined if it leads elsewhere. */
function addressOf(link: string, page: string): URL | undefined {
  const url = new URL(link, `http://site/${page}`);
  return url.host === "site" && url.protocol === "http:" ? url : undefined;
}

/** Returns the file of an address; undefined if there is none. */
function fileOf({ pathname }: URL): string | undefined {
  const path = decodeURIComponent(pathname).slice(1);
  const file = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  return existsSync(join(site, file)) && statSync(join(site, file)).isFile() ? file : undefined;
}

describe("the site", { timeout: 600_000 }, () => {
  beforeAll(() => {
    const { status, output } = run("npm", ["run", "site"], ROOT, SHELL_ENV);
    // A link to a page that is not there, or a block that cannot be drawn, ends the build.
    expect(status, output).toBe(0);
  }, 600_000);

  test("has no link, picture or anchor that is missing", () => {
    const known = new Map(
      files(".html").map((name) => [name, pageOf(readFileSync(join(site, name), "utf8"))]),
    );
    const count = { links: 0, anchors: 0 };
    const dead = new Set<string>();
    for (const [name, { links }] of known) {
      for (const link of links) {
        const url = addressOf(link, name);
        if (url === undefined) continue;
        count.links++;
        const file = fileOf(url);
        const anchor = decodeURIComponent(url.hash.slice(1));
        if (anchor !== "") count.anchors++;
        if (file === undefined || (anchor !== "" && known.get(file)?.anchors.has(anchor) === false))
          dead.add(`${name}: ${link}`);
      }
    }
    console.info(`site: ${count.links} links of ${known.size} pages, ${count.anchors} of them to anchors`);
    expect(count.links).toBeGreaterThan(3000);
    expect(count.anchors).toBeGreaterThan(300);
    expect([...dead]).toEqual([]);
  });

  test("has all files that style sheets name", () => {
    const named = files(".css").flatMap((name) =>
      [...readFileSync(join(site, name), "utf8").matchAll(/url\(["']?([^"')]+)/g)].map(
        ([, link]) => [name, link!] as const,
      ),
    );
    const dead = named.filter(([name, link]) => {
      const url = addressOf(link, name);
      return url !== undefined && fileOf(url) === undefined;
    });
    expect(dead).toEqual([]);
  });

  test.skipIf(CHROMIUM === undefined)("opens the playground from its first page, which parses", async () => {
    const server = await serveFolder(site);
    const browser = await chromium.launch(chromiumOptions());
    try {
      const tab = await browser.newPage();
      const missing: string[] = [];
      tab.on("response", (response) => response.status() >= 400 && missing.push(response.url()));
      await tab.goto(`${server.origin}/`);
      await tab.getByRole("link", { name: "Playground", exact: true }).first().click();
      await tab.waitForURL("**/playground/**");
      await tab.waitForSelector("svg .arc", { timeout: 120_000 });
      expect(missing).toEqual([]);
    } finally {
      await browser.close();
      server.close();
    }
  });

  test("has the pages of the guide, the reference, the results and the explanations", () => {
    for (const page of [
      "index",
      "guide/first-steps",
      "reference/packages/core",
      "results/decoders",
      "explanation/ad3",
    ]) {
      expect(pages()).toContain(`${page}.html`);
    }
  });

  test("draws blocks of CoNLL-U, for screens and for phones", () => {
    const page = readFileSync(join(site, "explanation/parsing.html"), "utf8");
    expect(page.match(/<svg class="aw/g)?.length).toBe(2 * 11);
  });

  test("draws blocks of English text", () => {
    const page = readFileSync(join(site, "guide/first-steps.html"), "utf8");
    expect(page).toContain(">letter</text>");
  });

  test("has no scripts inside of pages, so that a content security policy without 'unsafe-inline' holds", () => {
    const inline = pages().flatMap(
      (name) => readFileSync(join(site, name), "utf8").match(/<script(?![^>]* src=)[^>]*>/g) ?? [],
    );
    expect(inline).toEqual([]);
  });

  test("asks for nothing from elsewhere", () => {
    const requests = pages().flatMap((name) => [
      ...readFileSync(join(site, name), "utf8").matchAll(/(?:src|href)="(https?:[^"]+)"[^>]*>/g),
    ]);
    // Links that a reader may follow are not requests.
    expect(
      requests.filter(([tag]) => !tag.startsWith("href") || /rel="(?:stylesheet|preload|icon)/.test(tag)),
    ).toEqual([]);
  });

  test("has a page for every exported name", () => {
    const out = join(site, "api");
    const workspace = readWorkspace(ROOT);
    const names = exportedNames(workspace);
    expect(names.length).toBeGreaterThan(400);
    const pageNamed = (module: string, name: string) => `${module.replaceAll(/[^\w.-]/g, "_")}.${name}.html`;
    // What arcwise exports has its page there.
    const first = new Map(
      documentedNames(workspace, "arcwise").map(({ module, name }) => [name, pageNamed(module, name)]),
    );
    const hasPage = ({ module, name }: ExportedName) =>
      [pageNamed(module, name), first.get(name)].some(
        (page) => page !== undefined && KINDS.some((kind) => existsSync(join(out, kind, page))),
      );
    const packageOf = ({ module }: ExportedName) => module.split("/").slice(0, 2).join("/");
    // What two modules of a package export has one page, under one of them.
    const found = new Set(
      names.filter(hasPage).map((one) => `${packageOf(one)} ${one.file} ${one.declared}`),
    );
    const isMissing = (one: ExportedName) => !found.has(`${packageOf(one)} ${one.file} ${one.declared}`);
    expect(names.filter(isMissing)).toEqual([]);
  });
});
