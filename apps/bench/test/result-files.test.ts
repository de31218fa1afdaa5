import { existsSync, linkSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environment } from "../src/results/environment.ts";
import { RESULT_VERSION } from "../src/results/results.ts";
import { bench, smallTreebank, temporaryFolder } from "./support.ts";

const RESULTS = JSON.stringify({
  ...{ format: "arcwise-bench", version: RESULT_VERSION, kind: "parsers", title: "t", command: "c" },
  ...{ environment: environment(), seed: 1, contestants: [], results: [] },
});

test.each([
  ["a result that is read", ["diff", "@/old.json", "@/new.json", "--json", "@/old.json"]],
  ["a link to a result that is read", ["diff", "@/old.json", "@/new.json", "--html", "@/link.json"]],
  ["the other output", ["diff", "@/old.json", "@/new.json", "--json", "@/x", "--html", "@/x"]],
  ["a treebank", ["parsers", "--treebank", "#", "--json", "#/small-ud-test.conllu"]],
  ["the journal of results", ["diff", "@/old.json", "@/kept.partial", "--json", "@/kept"]],
])("a report does not replace %s", async (_what, words) => {
  const [folder, treebank] = [temporaryFolder(), smallTreebank(2)];
  const files = ["old.json", "new.json", "kept.partial"].map((name) => join(folder, name));
  for (const path of files) writeFileSync(path, RESULTS);
  linkSync(files[0]!, join(folder, "link.json"));
  files.push(join(treebank, "small-ud-test.conllu"));
  const before = files.map((path) => readFileSync(path, "utf8"));
  const { code, err } = await bench(words.map((word) => word.replace("@", folder).replace("#", treebank)));
  expect([code, err]).toEqual([2, expect.stringContaining("would replace")]);
  expect(files.map((path) => readFileSync(path, "utf8"))).toEqual(before);
});

test("a report that cannot be written is refused before anything is measured; its folder is made", async () => {
  const treebank = smallTreebank(2);
  const refused = await bench(["parsers", "--treebank", treebank, "--json", treebank]);
  expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("is a directory") });
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a.json"), RESULTS);
  const json = join(folder, "new", "folder", "b.json");
  const made = await bench(["diff", join(folder, "a.json"), join(folder, "a.json"), "--json", json]);
  expect([made.code, existsSync(json), existsSync(`${json}.partial`)]).toEqual([0, true, false]);
});
