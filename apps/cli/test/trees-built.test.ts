// @module-tag slow
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { arcwise, built, start } from "./program.ts";
import { conllu, temporaryFolder } from "./support.ts";

const gold = conllu("s1", "Old/ADJ/2/amod cats/NOUN/3/nsubj sleep/VERB/0/root");
const system = conllu("s1", "Old/ADJ/3/amod cats/NOUN/3/obj sleep/VERB/0/root");

describe.skipIf(!built)("the built command (skipped before npm run build)", () => {
  function files() {
    const folder = temporaryFolder();
    const file = (name: string) => join(folder, name);
    writeFileSync(file("gold"), gold);
    writeFileSync(file("system"), system);
    return file;
  }

  test("lists and draws errors", async () => {
    const file = files();
    const { code, out } = await arcwise(
      ...["evaluate", file("gold"), file("system"), "--errors", "--html", file("page.html")],
    );
    expect(code).toBe(0);
    expect(out).toContain("nsubj | obj");
    expect(readFileSync(file("page.html"), "utf8").match(/data-kind="missed"/g)).toHaveLength(1);
  });

  test("searches", async () => {
    const { child, ended } = start(["search", "{} >nsubj {}=x", "--by", "x.lemma"]);
    child.stdin?.end(gold.repeat(2));
    expect(await ended).toEqual({ code: 0, out: "2\tcats\n", err: "2 matches in 2 of 2 sentences\n" });
    const page = await arcwise("search", "{}", files()("gold"), "--output-format", "html");
    expect(page.out.match(/word marked/g)).toHaveLength(3);
    expect((await arcwise("search", "{", files()("gold"))).code).toBe(2);
  });

  test("converts, and back", async () => {
    const file = files();
    expect(await arcwise("convert", file("gold"), "--to", "brackets", "-o", file("trees"))).toEqual({
      code: 0,
      out: "",
      err: "arcwise: warning: brackets cannot hold: 3 LEMMA\n",
    });
    const { out } = await arcwise("convert", file("trees"), "--to", "conllx");
    expect(out.split("\n")[2]).toBe("2\tcats\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_");
  });
});
