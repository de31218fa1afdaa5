// @module-tag slow
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { arcwise, built, start } from "./program.ts";
import { temporaryFolder } from "./support.ts";

/** A sentence of SDP columns: a verb with a subject and up to two objects. */
function sdp(i: number): string {
  const nouns = Array.from({ length: i % 3 }, (_, k) => `noun${(i + k) % 7}`);
  const words = ["They", `verb${i % 4}`, ...nouns];
  const rows = words.map((form, k) => {
    const tag = k === 1 ? "VB" : "NN";
    const role = k === 1 ? "_" : k === 0 ? "ARG0" : `ARG${k - 1}`;
    return [k + 1, form, form, tag, "-", k === 1 ? `+\t${form}.01` : "-\t_", role].join("\t");
  });
  return `#s${i}\n${rows.join("\n")}\n\n`;
}

const sentences = (count: number) => Array.from({ length: count }, (_, i) => sdp(i)).join("");

// `npm test` builds first; after `npm run build` the tests of one package run these as well.
describe.skipIf(!built)("the built commands of graphs (skipped before npm run build)", () => {
  const folder = { path: "" };
  const file = (name: string) => join(folder.path, name);
  const train = (name: string, ...more: readonly string[]) => [
    ...[
      "train",
      "--for",
      "graphs",
      "--train",
      file("train.sdp"),
      "--model",
      file(name),
      "--preset",
      "linear",
      "--verbose",
      ...more,
    ],
  ];

  beforeEach(() => {
    folder.path = temporaryFolder();
    writeFileSync(file("train.sdp"), sentences(40));
  });

  test("parse on several threads to the same output in the same order", { timeout: 120_000 }, async () => {
    expect((await arcwise(...train("model", "--epochs", "2"))).code).toBe(0);
    writeFileSync(file("in.sdp"), sentences(2500));
    const parse = ["parse", "--model", file("model"), file("in.sdp"), "--report"];
    const [one, three] = await Promise.all([
      arcwise(...parse),
      arcwise(...parse, "--threads", "3", "--force-threads"),
    ]);
    expect([one!.code, three!.code]).toEqual([0, 0]);
    expect(three!.out).toBe(one!.out);
    expect(one!.out.match(/^#s\d+$/gm)).toHaveLength(2500);
    expect(three!.err).toMatch(/^2500 sentences, \d+ words in /);
    writeFileSync(file("bad.sdp"), `${sentences(2500)}1\tone\n\n`);
    const bad = ["parse", "--model", file("model"), file("bad.sdp"), "-o", file("out.sdp")];
    const refused = await arcwise(...bad, "--threads", "2", "--force-threads");
    expect([refused.code, refused.out]).toEqual([1, ""]);
    const line = sentences(2500).split("\n").length;
    expect(refused.err).toContain(`${file("bad.sdp")}:${line}: `);
    expect(existsSync(file("out.sdp"))).toBe(false);
  });

  test("train on several threads to the same model, and stop on Ctrl-C", { timeout: 120_000 }, async () => {
    const threads = ["--threads", "3"];
    const [one, three] = await Promise.all([
      arcwise(...train("one", "--epochs", "2")),
      arcwise(...train("three", "--epochs", "2", ...threads)),
    ]);
    expect([one!.code, three!.code]).toEqual([0, 0]);
    expect(three!.err.match(/^pruner \d\/5: done$/gm)!.sort()).toEqual(
      [1, 2, 3, 4, 5].map((pruner) => `pruner ${pruner}/5: done`),
    );
    expect(readFileSync(file("three")).equals(readFileSync(file("one")))).toBe(true);
    writeFileSync(file("train.sdp"), sentences(3000));
    const { child, ended } = start(train("long", ...threads));
    child.stderr?.once("data", () => child.kill("SIGINT"));
    const stopped = await ended;
    expect(stopped.code).toBe(130);
    expect(stopped.err).toContain("stopped before the first checkpoint: nothing is kept");
    expect(existsSync(file("long"))).toBe(false);
  });
});
