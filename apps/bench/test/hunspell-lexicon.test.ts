import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const script = fileURLToPath(new URL("../scripts/hunspell-lexicon.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "arcwise-hunspell-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PLURAL = ["SFX S Y 2", "SFX S 0 s [^-y] is:pl", "SFX S y ies/X [^a]y is:pl"];

test.each([
  [
    "words and what rules of suffixes make of them, each analysis once",
    PLURAL,
    ["dog/S po:noun", "dog/S po:noun", "party/S po:noun is:sg", "go- po:prefix", "x/S"],
    [],
    [
      "dog\tdog\tpo:noun",
      "dog\tdogs\tis:pl;po:noun",
      "party\tparty\tis:sg;po:noun",
      "party\tparties\tis:pl;is:sg;po:noun",
      "go-\tgo-\tpo:prefix",
      "x\txs\tis:pl",
    ],
  ],
  [
    "flags of two characters, stems that need a suffix, and forbidden words",
    ["FLAG long", "NEEDAFFIX ()", "FORBIDDENWORD {}", "SFX S. Y 1", "SFX S. 0 s [^-] is:pl"],
    ["Alp/S.() po:name", "worng/S.{} po:adj", "was st:be po:verb_past al:were"],
    [],
    ["Alp\tAlps\tis:pl;po:name", "be\twas\tpo:past;po:verb"],
  ],
  [
    "numbers that stand for flags and fields",
    ["AF 2", "AF S # 1", "AF ST # 2", "AM 2", "AM po:noun", "AM is:pl", "SFX S Y 1", "SFX S 0 s . 2"],
    ["dog/1\t1", "cat/2\t1"],
    [],
    ["dog\tdog\tpo:noun", "dog\tdogs\tis:pl;po:noun", "cat\tcat\tpo:noun", "cat\tcats\tis:pl;po:noun"],
  ],
  [
    "words and other beginnings of their forms",
    ["SFX a Y 3", "SFX a a ák a is:pl", "SFX a a át a is:acc", "SFX a 0 i . is:adj"],
    ["csata/a po:noun", "és po:con"],
    ["--beginnings"],
    ["csata\tcsata\tpo:noun", "csata\tcsatá\tpo:noun", "és\tés\tpo:con"],
  ],
])("hunspell-lexicon writes %s", (_, rules, words, options, expected) => {
  const [aff, dic] = [join(folder, "x.aff"), join(folder, "x.dic")];
  writeFileSync(aff, `SET UTF-8\n${rules.join("\n")}\n`);
  writeFileSync(dic, `${words.length}\n${words.join("\n")}\n`);
  const found = execFileSync("node", [script, aff, dic, ...options], { encoding: "utf8" });
  expect(found.split("\n")).toEqual([...expected, ""]);
});
