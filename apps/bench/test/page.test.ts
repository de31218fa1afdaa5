import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { htmlReport, sortKey } from "../src/report/html.ts";
import { pageScript } from "../src/report/page-script.ts";
import { pageExample } from "./page-example.ts";
import { nestingFaults, outsideReferences } from "./support.ts";

test("the page with its script is well-formed, without external references", async () => {
  const html = htmlReport(pageExample, await pageScript());
  expect(nestingFaults(html)).toEqual([]);
  expect(outsideReferences(html)).toEqual([]);
  expect(html).toContain("default-src 'none'");
  // The words of a table must not end the element of the script.
  expect(html.match(/<\/script>/g)).toHaveLength(1);
});

test("the contents link to all sections and tables", () => {
  const { document } = parseHTML(htmlReport(pageExample, ""));
  const links = [...document.querySelectorAll("nav a")].map((a) => a.getAttribute("href")!.slice(1));
  expect(links).toEqual([
    "section-1",
    "section-1-table-1",
    "section-2",
    ...[1, 2, 3].map((k) => `section-2-table-${k}`),
  ]);
  for (const id of links) expect(document.getElementById(id)).not.toBeNull();
  const chapters = [...document.querySelectorAll("nav .chapter")].map(({ textContent }) => textContent);
  expect(chapters).toEqual(["Decoders", "Texts"]);
});

test.each([
  ["1,234", "1234"],
  ["−0.12", "-0.12"],
  ["+1.5", "1.5"],
  ["3.1e-4", "0.00031"],
  ["9 min", "540"],
  ["1.20 ms\n1.1–1.3", "0.0012"],
  ["98.2 %", "98.2"],
  ["≈ 1,000", "1000"],
  ["81.2 (79 to 83)", "81.2"],
  ["< 0.001", `${0.001 - 1e-12}`],
  ["exact\nalways", "exact"],
  ["–", ""],
  ["2nd", "2nd"],
])("the cell %j is sorted by %j", (text, key) => expect(sortKey(text)).toBe(key));
