// @module-tag slow
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { built, builtIn } from "./program.ts";

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
  const TRAIN = "train --for graphs --preset linear --verbose --train";

  test("parse on several threads to the same output in the same order", { timeout: 120_000 }, async () => {
    const many = sentences(2500);
    const files = { train: sentences(40), "in.sdp": many, "bad.sdp": `${many}1\tone\n\n` };
    const { run, path } = builtIn(files);
    expect((await run(`${TRAIN} @train --model @model --epochs 2`)).code).toBe(0);
    const parse = "parse --model @model @in.sdp --report";
    const [one, three] = await Promise.all([run(parse), run(`${parse} --threads 3 --force-threads`)]);
    expect([one.code, three.code]).toEqual([0, 0]);
    expect(three.out).toBe(one.out);
    expect(one.out.match(/^#s\d+$/gm)).toHaveLength(2500);
    expect(three.err).toMatch(/^2500 sentences, \d+ words in /);
    const refused = await run("parse --model @model @bad.sdp -o @out.sdp --threads 2 --force-threads");
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain(`${path("bad.sdp")}:${many.split("\n").length}: `);
    expect(existsSync(path("out.sdp"))).toBe(false);
  });

  test("train on several threads to the same model, and stop on Ctrl-C", { timeout: 120_000 }, async () => {
    const { run, start, path, bytes } = builtIn({ train: sentences(40), long: sentences(3000) });
    const [one, three] = await Promise.all([
      run(`${TRAIN} @train --model @one --epochs 2`),
      run(`${TRAIN} @train --model @three --epochs 2 --threads 3`),
    ]);
    expect([one.code, three.code]).toEqual([0, 0]);
    expect(three.err.match(/^pruner \d\/5: done$/gm)!.sort()).toEqual(
      [1, 2, 3, 4, 5].map((pruner) => `pruner ${pruner}/5: done`),
    );
    expect(bytes("three").equals(bytes("one"))).toBe(true);
    const { child, ended } = start(`${TRAIN} @long --model @stopped --threads 3`);
    child.stderr?.once("data", () => child.kill("SIGINT"));
    const stopped = await ended;
    expect(stopped.code).toBe(130);
    expect(stopped.err).toContain("stopped before the first checkpoint: nothing is kept");
    expect(existsSync(path("stopped"))).toBe(false);
  });
});
