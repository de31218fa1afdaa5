import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { arcwise, conllu, temporaryFolder } from "./support.ts";

const gold = conllu("1", "Cats/NOUN/2/nsubj sleep/VERB/0/root");
const system = conllu("1", "Cats/NOUN/0/root sleep/VERB/1/nsubj");

function files(contents: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
  return folder;
}

test("prints a table", async () => {
  const folder = files({ gold, system });
  const { code, out } = await arcwise(["evaluate", join(folder, "gold"), join(folder, "system")]);
  expect(code).toBe(0);
  const [head, , ...rows] = out.trimEnd().split("\n");
  expect(head).toBe("Metric     | Precision |    Recall |  F1 Score | AligndAcc");
  expect(rows).toContain("UPOS       |    100.00 |    100.00 |    100.00 |    100.00");
  expect(rows).toContain("UAS        |      0.00 |      0.00 |      0.00 |      0.00");
  expect(rows).toContain("Tokens     |    100.00 |    100.00 |    100.00 |          ");
});

test("prints counts and shares as JSON", async () => {
  const folder = files({ gold });
  const argv = ["evaluate", join(folder, "gold"), "-", "--json"];
  const { code, out } = await arcwise(argv, { stdin: gold });
  expect(code).toBe(0);
  expect(JSON.parse(out).metrics.LAS).toEqual({
    correct: 2,
    gold: 2,
    system: 2,
    aligned: 2,
    precision: 1,
    recall: 1,
    f1: 1,
    alignedAccuracy: 1,
  });
});

test("reads packed files", async () => {
  const folder = files({ "gold.gz": gzipSync(gold), system: gold });
  const { code, out } = await arcwise([
    "evaluate",
    join(folder, "gold.gz"),
    join(folder, "system"),
    "--json",
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(out).metrics.Words.correct).toBe(2);
});

describe("says in which file", () => {
  test("the texts differ", async () => {
    const folder = files({ gold, system: conllu("1", "Dogs/NOUN/2/nsubj sleep/VERB/0/root") });
    const [a, b] = [join(folder, "gold"), join(folder, "system")];
    const { code, err } = await arcwise(["evaluate", a, b]);
    expect(code).toBe(1);
    expect(err).toContain(`${a}:2 and ${b}:2: the texts differ`);
  });

  test("a sentence has two roots, unless they are accepted", async () => {
    const roots = conllu("1", "Cats/NOUN/0/root sleep/VERB/0/root");
    const folder = files({ gold, system: roots });
    const [a, b] = [join(folder, "gold"), join(folder, "system")];
    const { code, err } = await arcwise(["evaluate", a, b]);
    expect(code).toBe(1);
    expect(err).toContain(`arcwise: ${b}:`);
    expect((await arcwise(["evaluate", a, b, "--multiple-roots"])).code).toBe(0);
  });
});

/** A reference file: counts as text. */
interface Official {
  readonly counts: Readonly<
    Record<string, Readonly<Record<"correct" | "gold" | "system" | "aligned", string>>>
  >;
}

const data = process.env.ARCWISE_DATA ?? fileURLToPath(new URL("../../../../shared", import.meta.url));
const reference = join(data, "reference", "evaluation");
const cases = existsSync(reference) ? readdirSync(reference).filter((name) => name.endsWith(".json")) : [];

test.skipIf(cases.length === 0)(
  "gives the official counts (skipped without the reference files)",
  async () => {
    const name = cases[0]!.replace(".json", "");
    const goldFile = join(reference, `${name.replace(/-system-.*/, "")}-gold.conllu`);
    const { code, out, err } = await arcwise([
      "evaluate",
      goldFile,
      join(reference, `${name}.conllu`),
      "--json",
    ]);
    expect(err).toBe("");
    expect(code).toBe(0);
    const official = JSON.parse(readFileSync(join(reference, cases[0]!), "utf8")) as Official;
    const found = JSON.parse(out).metrics;
    for (const metric of ["Words", "UPOS", "UAS", "LAS", "CLAS", "MLAS", "BLEX"]) {
      const { correct, gold: inGold, system: inSystem, aligned } = official.counts[metric]!;
      const counts = [found[metric].correct, found[metric].gold, found[metric].system, found[metric].aligned];
      expect([metric, ...counts]).toEqual([metric, ...[correct, inGold, inSystem, aligned].map(Number)]);
    }
  },
);

test("counts full labels where the words are the same", async () => {
  const folder = files({
    gold: conllu("1", "Cats/NOUN/2/nsubj:outer sleep/VERB/0/root"),
    system: conllu("1", "Cats/NOUN/2/nsubj sleep/VERB/0/root"),
    split: conllu("1", "Ca/NOUN/3/nsubj ts/NOUN/1/flat sleep/VERB/0/root").replace(
      "# text = Ca ts",
      "# text = Cats",
    ),
  });
  const evaluate = (...argv: string[]) => arcwise(["evaluate", join(folder, "gold"), ...argv]);
  const table = await evaluate(join(folder, "system"));
  expect(table.out).toContain("LAS        |    100.00 |    100.00 |    100.00 |    100.00");
  expect(table.out).toContain("2 words, labels with their subtypes: UAS 100.00, LAS 50.00");
  const json = JSON.parse((await evaluate(join(folder, "system"), "--json")).out);
  expect(json.attachment).toMatchObject({ words: 2, uas: 1, las: 0.5 });
  expect((await evaluate(join(folder, "split"))).out).not.toContain("subtypes");
});
