import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@arcwise/bench/testing";
import { random } from "@arcwise/core";
import { describe, expect, test } from "vitest";
import { experiments } from "./support.ts";

/** Writes corpora in which the label of a word depends on its last letter and the previous label. */
function smallData(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "sequence", "conll2000"), { recursive: true });
  const rng = random(4);
  const sentence = (): [string, string, string][] =>
    Array.from({ length: 6 }, () => {
      const noun = rng.next() < 0.5;
      return [`${"abcdef"[rng.int(6)]}${noun ? "n" : "v"}`, noun ? "NN" : "VB", noun ? "B-NP" : "O"];
    });
  const sentences = (count: number) => Array.from({ length: count }, sentence);
  const brown = sentences(60).map((words) => words.map(([form, tag]) => `${form}/${tag}-tl`).join(" "));
  writeFileSync(join(folder, "sequence", "brown.tagged.txt"), `${brown.join("\n")}\n`);
  for (const part of ["train", "test"]) {
    const blocks = sentences(40).map((words) => words.map((columns) => columns.join(" ")).join("\n"));
    writeFileSync(join(folder, "sequence", "conll2000", `${part}.txt`), `${blocks.join("\n\n")}\n\n`);
  }
  return folder;
}

describe("maxent", () => {
  test("compares all methods on both corpora", async () => {
    const data = smallData();
    const html = join(data, "maxent.html");
    const json = join(data, "maxent.json");
    const argv = ["maxent", "--seconds", "1", "--iterations", "6", "--html", html, "--json", json];
    const { code, out } = await experiments(argv, { data });
    expect(code).toBe(0);
    for (const method of ["CD", "SCGIS", "GIS", "IIS", "L-BFGS"]) expect(out).toContain(`│ ${method} `);
    expect(out).toContain("tagging, Brown corpus");
    expect(out).toContain("48 sentences, 288 events of 2 classes");
    expect(readFileSync(html, "utf8").match(/class="plot"/g)).toHaveLength(4);
    const { results } = JSON.parse(readFileSync(json, "utf8"));
    for (const { courses } of results) {
      for (const { points } of courses) {
        const values = points.map(({ value }: { value: number }) => value);
        expect(values).toEqual(values.toSorted((a: number, b: number) => b - a));
        expect(points.at(-1).score).toBeGreaterThan(0.6);
      }
    }
  });

  test("computes the minimum for comparisons, with a certificate", async () => {
    const data = smallData();
    const json = join(data, "reference.json");
    const argv = ["maxent", "--corpus", "conll2000", "--method", "cd", "gis", "--iterations", "3"];
    const { code, out } = await experiments([...argv, "--reference", "5", "--json", json], { data });
    expect(code).toBe(0);
    expect(out).toMatch(/above the minimum by at most \d\.\de-(7|8|9|1\d)/);
    const { results } = JSON.parse(readFileSync(json, "utf8"));
    const { reference, courses } = results[0];
    expect(reference.certificate).toBeLessThan(1e-6);
    for (const { points } of courses) {
      for (const { value } of points) expect(value).toBeGreaterThan(reference.value * (1 - 1e-6));
    }
  });

  test("reports missing files and invalid variances", async () => {
    const absent = await experiments(["maxent", "--corpus", "brown"]);
    expect(absent.code).toBe(1);
    expect(absent.err).toContain("brown.tagged.txt: no such file");
    expect((await experiments(["maxent", "--variance", "0"])).code).toBe(2);
  });
});
