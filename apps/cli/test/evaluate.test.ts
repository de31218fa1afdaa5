import { describe, expect, test } from "vitest";
import { conllu, inFolder } from "./support.ts";

const gold = conllu("1", "Cats/NOUN/2/nsubj sleep/VERB/0/root");
const system = conllu("1", "Cats/NOUN/0/root sleep/VERB/1/nsubj");

test("prints a table", async () => {
  const { run } = inFolder({ gold, system });
  const { code, out } = await run("evaluate @gold @system");
  expect(code).toBe(0);
  const [head, , ...rows] = out.trimEnd().split("\n");
  expect(head).toBe("Metric     | Precision |    Recall |  F1 Score | AligndAcc");
  expect(rows).toContain("UPOS       |    100.00 |    100.00 |    100.00 |    100.00");
  expect(rows).toContain("UAS        |      0.00 |      0.00 |      0.00 |      0.00");
  expect(rows).toContain("Tokens     |    100.00 |    100.00 |    100.00 |          ");
});

test("prints counts and shares as JSON", async () => {
  const { run } = inFolder({ gold });
  const { code, out } = await run("evaluate @gold - --json", { stdin: gold });
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

test("accepts a sentence with two roots, if that is allowed", async () => {
  const roots = conllu("1", "Cats/NOUN/0/root sleep/VERB/0/root");
  const { run } = inFolder({ gold, roots });
  expect((await run("evaluate @gold @roots --multiple-roots")).code).toBe(0);
});

test("counts full labels where the words are the same", async () => {
  const { run } = inFolder({
    gold: conllu("1", "Cats/NOUN/2/nsubj:outer sleep/VERB/0/root"),
    system: conllu("1", "Cats/NOUN/2/nsubj sleep/VERB/0/root"),
    split: conllu("1", "Ca/NOUN/3/nsubj ts/NOUN/1/flat sleep/VERB/0/root").replace(
      "# text = Ca ts",
      "# text = Cats",
    ),
  });
  const table = await run("evaluate @gold @system");
  expect(table.out).toContain("LAS        |    100.00 |    100.00 |    100.00 |    100.00");
  const line = table.out.split("\n").find((one) => one.startsWith("2 words"));
  expect(line).toMatch(/UAS 100\.00.*LAS 50\.00.*subtypes.*100\.00/);
  const json = JSON.parse((await run("evaluate @gold @system --json")).out);
  expect(json.attachment).toMatchObject({ words: 2, uas: 1, las: 0.5 });
  expect((await run("evaluate @gold @split")).out).not.toContain("subtypes");
});

describe("errors", () => {
  const golds = conllu("a<b>", "Old/ADJ/2/amod cats/NOUN/3/nsubj sleep/VERB/0/root") + gold;
  const systems = conllu("a<b>", "Old/ADJ/3/amod cats/VERB/3/obj sleep/VERB/0/root") + gold;

  test("are listed by class, with confusions and the worst sentences", async () => {
    const { run } = inFolder({ golds, systems });
    const { code, out } = await run("evaluate @golds @systems --errors");
    expect(code).toBe(0);
    const rows = out.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    expect(rows).toContainEqual(["1-5", "5", "60.00"]);
    expect(rows).toContainEqual(["nsubj", "obj", "1", "1"]);
    expect(rows).toContainEqual(["NOUN", "VERB", "1"]);
    expect(rows).toContainEqual(["NOUN", "VERB", "1", "1"]);
    expect(rows).toContainEqual(["1", "a<b>", "1", "3", "1", "2", "33.33", "Old cats sleep"]);
  });

  test("are members of the JSON", async () => {
    const { run } = inFolder({ golds, systems });
    const { out } = await run("evaluate @golds @systems --errors --json");
    const { errors } = JSON.parse(out);
    const worst = { index: 0, words: 3, wrongHeads: 1, wrongArcs: 2, las: 1 / 3, id: "a<b>", lines: [1, 1] };
    expect(errors.worst).toEqual([{ ...worst, text: "Old cats sleep" }]);
    expect(errors.tagConfusions).toContainEqual({ gold: "NOUN", predicted: "VERB", words: 1, rightHeads: 1 });
    const without = await run("evaluate @golds @systems --json");
    expect(JSON.parse(without.out)).not.toHaveProperty("errors");
  });

  test("are drawn on a page on which every text is escaped", async () => {
    const label = "x<script>y";
    const { run, text } = inFolder({ golds: golds.replaceAll("amod", label), systems });
    expect((await run("evaluate @golds @systems --html @page.html")).code).toBe(0);
    const html = text("page.html");
    expect(html).not.toContain("<script");
    expect(html).not.toContain("a<b>");
    expect(html).toContain("a&lt;b&gt;");
    expect(html.match(/<article/g)).toHaveLength(1);
    expect([...html.matchAll(/data-kind="(\w+)"/g)].map(([, kind]) => kind).sort()).toEqual([
      "missed",
      "relabelled",
      "right",
      "wrong",
    ]);
    expect(html).not.toMatch(/(?:src|href)="(?!#)/);
  });

  test("are drawn one at a time, with contents, and links from sentence to sentence", async () => {
    const words = "Old/ADJ/2/amod dogs/NOUN/3/nsubj bark/VERB/0/root";
    const sentences = (text: string) => ["1", "2", "3"].map((id) => conllu(id, text)).join("");
    const systems = sentences(words.replace("3/nsubj", "3/obj"));
    const { run, text } = inFolder({ golds: sentences(words), systems, page: "" });
    expect((await run("evaluate @golds @systems --html @page")).code).toBe(0);
    const html = text("page");
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    const contents = /<nav class="contents".*?<\/nav>/.exec(html)![0];
    expect(contents).toContain('href="#trees"');
    const steps = [...html.matchAll(/<nav class="steps".*?<\/nav>/g)].map(([nav]) =>
      [...nav.matchAll(/#sentence-(\d)/g)].map(([, to]) => to),
    );
    expect(steps).toEqual([["2"], ["1", "3"], ["2"]]);
    // The legend comes before the drawing.
    expect(html.indexOf("<figcaption")).toBeLessThan(
      html.indexOf('<div class="scroll" tabindex="0" role="group"'),
    );
  });
});

describe("several systems", () => {
  const golds = Array.from({ length: 12 }, (_, i) =>
    conllu(`${i}`, "Old/ADJ/2/amod cats/NOUN/3/nsubj sleep/VERB/0/root"),
  );
  const wrong = (from: number) =>
    golds.map((text, i) => (i < from ? text : text.replace("\tnsubj\t", "\tobj\t"))).join("");

  function systems() {
    return inFolder({
      gold: golds.join(""),
      a: wrong(2),
      b: wrong(10),
      // Other words: the first sentence is one token.
      c: golds.join("").replace(/# sent_id = 0\n(?:.*\n){3}/, "1\tOldcatssleep\t_\tX\t_\t_\t0\troot\t_\t_\n"),
      "d|e": wrong(2),
    });
  }

  test("are compared with the first by a paired bootstrap", async () => {
    const { run, path } = systems();
    const { code, out } = await run("evaluate @gold @a @b @c --format json");
    expect(code).toBe(0);
    const [a, b, c] = JSON.parse(out).systems;
    expect([a.comparison, a.system]).toEqual([undefined, path("a")]);
    expect(b.metrics.LAS.f1).toBeCloseTo(34 / 36, 12);
    expect(b.comparison.LAS.difference).toBeCloseTo(8 / 36, 12);
    expect(b.comparison.LAS.interval[0]).toBeGreaterThan(0);
    expect(b.comparison.LAS.pValue).toBeLessThan(0.01);
    expect(b.comparison.UAS).toMatchObject({ difference: 0, pValue: 1 });
    // F1 of system c: 33 right of 36 gold and 34 system words.
    expect(c.metrics.UAS.f1).toBeCloseTo(66 / 70, 12);
    expect(c.comparison.UAS.b).toBeCloseTo(66 / 70, 12);
    const other = await run("evaluate @gold @a @b --json --metrics mlas,UPOS");
    expect(Object.keys(JSON.parse(other.out).systems[1].comparison)).toEqual(["MLAS", "UPOS"]);
  });

  test.each<[string, RegExp]>([
    ["text", /^system .* LAS .*\n-+\+.*\n.*a +\|.*\n.*d\|e \|/m],
    ["markdown", /^\| system \|.* LAS \|.*\n\|---\|---:\|.*\n\| .*a \|.*\n\| .*d\\\|e \|/m],
    ["latex", /\\begin\{tabular\}\{lr+\}\n\\toprule\nsystem & .* \\\\\n\\midrule\n.*a & [\s\S]*\\bottomrule/],
    ["csv", /^system,metric,.*\n.*a,Tokens,1\.000000,/],
  ])("are a table as %s", async (format, pattern) => {
    const { run } = systems();
    const { code, out } = await run(`evaluate @gold @a @d|e --format ${format}`);
    expect([code, out]).toEqual([0, expect.stringMatching(pattern)]);
    const one = await run(`evaluate @gold @a --format ${format}`);
    expect([one.code, one.out]).toEqual([0, expect.stringMatching(/LAS/)]);
  });
});
