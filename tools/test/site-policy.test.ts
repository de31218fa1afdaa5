import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { withoutInlineScripts, writeFunctions } from "../../docs/.vitepress/policy.ts";

const site = mkdtempSync(join(tmpdir(), "arcwise-site-"));
afterAll(() => rmSync(site, { recursive: true }));
mkdirSync(join(site, "assets/chunks"), { recursive: true });
const metadata = join(site, "assets/chunks/metadata.1a.js");

test("scripts of a page become files", () => {
  const page = '<head><script id="check-dark">a("b");</script><script src="/c.js"></script></head>';
  expect(withoutInlineScripts(page, site)).toBe(
    '<head><script src="/assets/check-dark.js"></script><script src="/c.js"></script></head>',
  );
  expect(readFileSync(join(site, "assets/check-dark.js"), "utf8")).toBe('a("b");');
});

test("functions of the configuration are code, and other values stay", () => {
  const config = { title: 'A "b" \u2028', list: [1, null, true], boost: "_vp-fn_(id) => id.length" };
  const reader = "function deserializeFunctions(r){return new Function(r)};";
  const data = JSON.stringify(JSON.stringify(config));
  writeFileSync(
    metadata,
    `a();${reader}window.__VP_SITE_DATA__=deserializeFunctions(JSON.parse(${data}));b();`,
  );
  writeFunctions(site);
  expect(readFileSync(metadata, "utf8")).toBe(
    `a();window.__VP_SITE_DATA__={"title":${JSON.stringify(config.title)},"list":[1,null,true],"boost":((id) => id.length)};b();`,
  );
  expect(() => writeFunctions(site)).toThrow("expected");
});
