// @module-tag slow
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { built, builtIn } from "./program.ts";
import { folderWith, settings, treebank } from "./support.ts";

describe.skipIf(!built)("training on threads (skipped before npm run build)", () => {
  const network = { units: 8, members: 3, epochs: 3, dropout: 0.2 };
  const short = settings({ preset: "linear", jackknife: 3, parser: { epochs: 2, network } });
  const TRAIN = "train --verbose --train @train --model @model --threads";
  let whole: Buffer;

  beforeAll(async () => {
    const { run, bytes } = builtIn({ train: treebank });
    expect(await run(`${TRAIN} 1`, ...short)).toMatchObject({ code: 0 });
    whole = bytes("model");
  });

  // Three networks are trained on one, two or three of the threads.
  test.each(["2", "3", "9"])("gives the same bytes on %s threads", async (threads) => {
    const { run, path, bytes } = builtIn({ train: treebank });
    const { code, err } = await run(`${TRAIN} ${threads}`, ...short);
    expect({ code, err }).toMatchObject({ code: 0 });
    for (const line of [
      /^tokeniser, tokens 1\//m,
      /^tagger, upos 8\/8/m,
      /^tags of parts, part 3, upos 5\/5/m,
    ])
      expect(err).toMatch(line);
    expect(bytes("model").equals(whole)).toBe(true);
    expect(existsSync(path("model.checkpoint"))).toBe(false);
  });

  test.each([
    ["the taggers", /^tags of parts, part \d, upos 5\/5/m],
    ["the network", /^network 1\/3/m],
  ])("ends all threads on Ctrl-C in the middle of %s, and continues to the same bytes", async (_, line) => {
    const at = builtIn({ train: treebank });
    const { child, ended } = at.start(`${TRAIN} 4`, short);
    let err = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      const before = line.test(err);
      err += chunk.toString();
      if (!before && line.test(err)) child.kill("SIGINT");
    });
    child.stdin?.end();
    const stopped = await ended;
    expect(stopped.code).toBe(130);
    expect(stopped.err.match(/^arcwise: (?!warning).*$/gm)).toEqual([
      expect.stringMatching(/^arcwise: stopped/),
    ]);
    expect((await at.run(`${TRAIN} 2 --resume`, ...short)).code).toBe(0);
    expect(at.bytes("model").equals(whole)).toBe(true);
  });

  test("throws the error of a thread once, and ends the others", async () => {
    const dist = (name: string) =>
      JSON.stringify(new URL(`../node_modules/@arcwise/${name}/index.js`, import.meta.url));
    const code = `
      import { readFileSync } from "node:fs";
      import { parseConllu } from ${dist("conllu/dist")};
      import { trainPipeline } from ${dist("pipeline/dist")};
      import { onThreads } from ${dist("jobs/dist/node")};
      const sentences = parseConllu(readFileSync("train", "utf8"));
      for (const row of sentences[0].rows) row.form = "a\\tb";
      const settings = { tagger: { epochs: 1_000_000 } };
      const place = onThreads(4);
      await trainPipeline(sentences, { place, settings }).catch(
        ({ name, message }) => console.log(name + ": " + message),
      );
      await place.close();
    `;
    const folder = folderWith({ train: treebank, "failing.mjs": code });
    const child = spawn(process.execPath, ["failing.mjs"], { cwd: folder });
    const ended = new Promise((resolve) => child.once("close", resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect({ out, err }).toEqual({ out: expect.stringMatching(/^ArcwiseError: form: /), err: "" });
    expect(await ended).toBe(0);
  });
});
