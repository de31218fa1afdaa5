import { writeContainer } from "@arcwise/core/container";
import { expect, test } from "vitest";
import { inFolder } from "./support.ts";

/** Sets the title of a terminal, clears it, and hides a character. */
const EVIL = "\u001b]0;pwned\u0007\u001b[2J\u200b";
const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}]/u;

test("names and values of a file are escaped where info shows them", async () => {
  const header = { description: { note: EVIL, [`name${EVIL}`]: [EVIL], c1: "\u009b31m" } };
  const { run } = inFolder({ model: writeContainer({ kind: `zz${EVIL}`, header, vectors: {} }) });
  for (const options of [[], ["--json"]]) {
    const { code, out } = await run("info @model", ...options);
    expect(code).toBe(0);
    expect(out).not.toMatch(HIDDEN);
    expect(out).toContain("\\u001b]0;pwned\\u0007\\u001b[2J\\u200b");
    if (options.length > 0) expect(JSON.parse(out)).toMatchObject(header.description);
  }
});

test("the name of a file and labels are escaped in summaries and tables", async () => {
  const name = `a${EVIL}.conllu`;
  const row = (deps: string) => `1\ta\ta\tX\t_\t_\t0\troot\t${deps}\t_\n\n`;
  const { run, path } = inFolder({ [name]: row("0:root"), "b.conllu": row(`0:${EVIL}`) });
  const valid = await run("validate", path(name));
  expect(valid.err).toMatch(/a\\u001b\]0;pwned.*: \d errors?\n/);
  expect(valid.out + valid.err).not.toMatch(HIDDEN);
  const { code, out } = await run("evaluate --graphs @b.conllu @b.conllu --errors");
  expect([code, HIDDEN.test(out)]).toEqual([0, false]);
  expect(out).toContain("\\u001b]0;pwned");
});
