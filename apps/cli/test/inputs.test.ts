import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseConllu, writeConllu } from "@arcwise/conllu";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { run } from "../src/run.ts";
import {
  arcwise,
  conllu,
  inFolder,
  settings,
  sink,
  temporaryFolder,
  trainedModel,
  treebank,
} from "./support.ts";

let model: Uint8Array;
let taggedModel: Uint8Array;

beforeAll(async () => {
  const train = ["train", "--train", "@treebank", "--threads", "1", "--preset", "linear", "--epochs", "3"];
  model = await trainedModel([...train, ...settings({ jackknife: 2 })]);
  taggedModel = await trainedModel([...train, "--for", "tagged"]);
});

const forms = (out: string) => parseConllu(out).map(({ rows }) => rows.map(({ form }) => form).join(" "));
const ids = (out: string) => [...out.matchAll(/^# sent_id = (.*)$/gm)].map(([, id]) => id);

describe("the inputs of parse", () => {
  const text = "Cats sleep";
  const one = conllu("one", "Cats/NOUN/1/x sleep/VERB/0/root");

  test.each(["parse", "run"])("may not be a table that has lost its tabs: %s", async (command) => {
    const spaces =
      "# sent_id = p\n1  Give   give  VERB _ _  0  root _ _\n2  it     it    PRON _ _  1  obj  _ _\n";
    const { run } = inFolder({ model, spaces, text: "1 cup of sugar is mixed with 2 eggs\n2 cups\n" });
    const { code, out, err } = await run(`${command} @model @spaces`);
    expect([code, out, err]).toEqual([1, "", expect.stringMatching(/spaces:2: .*10 separated by spaces/)]);
    // Texts may begin with numbers, and a format may be given.
    expect((await run(`${command} @model @text`)).code).toBe(0);
    expect((await run(`${command} @model @spaces --input text`)).code).toBe(0);
  });

  test.each<[string, string, string[]]>([
    ["a text", "'Dogs chase cats'", ["Dogs chase cats"]],
    ["a text with a line end", "'Cats sleep\n'", ["Cats sleep"]],
    ["a file whose name has a space", "'@a text'", ["Cats sleep"]],
    ["several texts", "'Cats sleep' @text 'Dogs sleep'", ["Cats sleep", "Cats sleep", "Dogs sleep"]],
    ["several files of sentences", "@one @two", ["Cats sleep", "Dogs sleep"]],
    ["the standard input beside a file", "@text -", ["Cats sleep", "They sleep soundly"]],
    ["nothing: the standard input", "", ["They sleep soundly"]],
  ])("may be %s", async (_, args, expected) => {
    const two = conllu("two", "Dogs/NOUN/2/x sleep/VERB/0/root");
    const { run } = inFolder({ model, text, "a text": text, one, two });
    const { code, out } = await run(`parse @model ${args}`, { stdin: "They sleep soundly" });
    expect([code, forms(out)]).toEqual([0, expected]);
  });

  test("number the sentences of all texts on", async () => {
    const { out } = await inFolder({ model }).run("parse @model 'Cats sleep' 'Dogs sleep'");
    expect(ids(out)).toEqual(["1", "2"]);
  });

  test.each<[string, string, number, string]>([
    ["a file that does not exist", "@none", 1, "none: no such file or directory"],
    ["the standard input twice", "- -", 2, "expected the standard input (-) once"],
    ["text after sentences", "@one 'Cats sleep'", 2, '"Cats sleep": expected CoNLL-U as in'],
    ["sentences after text", "'Cats sleep' @one", 2, 'one: expected text as in "Cats sleep", found CoNLL-U'],
  ])("may not be %s", async (_, args, code, message) => {
    const found = await inFolder({ model, one }).run(`parse @model ${args}`, { stdin: one });
    expect([found.code, found.err]).toEqual([code, expect.stringContaining(message)]);
  });

  test.each(["./none", "none.txt", "none.conllu.gz", "folder/none", "none\\none"])(
    "%s is not taken for a text",
    async (path) => {
      const { code, err } = await inFolder({ model }).run("parse @model", path);
      expect([code, err]).toEqual([1, expect.stringContaining(`${path}: no such file`)]);
    },
  );

  test.each(["Cats", "Sleep.", "p.m", "3.5", "Cats?!", "猫は眠る。", "猫".repeat(200)])(
    "%s is a text if no file has this name, and the command says so",
    async (word) => {
      const { code, out, err } = await inFolder({ model }).run("parse @model", word);
      expect([code, err]).toEqual([0, expect.stringContaining(`arcwise: ${word}: no such file`)]);
      expect(out).toContain(`# text = ${word}\n`);
    },
  );

  test.each([
    ["Cats sleep", false],
    ["the cats.txt", true],
  ])("%s is a text: reported as no file: %s", async (text, isReported) => {
    const { code, err } = await inFolder({ model }).run("parse @model", text);
    expect([code, err.includes("no such file")]).toEqual([0, isReported]);
  });

  test.each<[string, string, boolean]>([
    ["conllu", "text", false],
    ["text", "conllu", false],
    ["text", "vertical", true],
  ])("of the formats %s and %s may have one format: %#", async (first, second, hasAdvice) => {
    const { run } = inFolder({ model, conllu: one, text, vertical: "Cats\nsleep\n.\n" });
    const { code, err } = await run(`parse @model @${first} @${second}`);
    expect([code, err.includes("--input")]).toEqual([2, hasAdvice]);
  });

  test.each([
    ["sentences", "\n# a comment\n1-2\tCatssleep\t_\t_\t_\t_\t_\t_\t_\t_\n"],
    ["text with a number", "1 cat sleeps\nand 2 dogs"],
    ["text with a comment", "# Cats\nThey sleep"],
    ["lines of words after a comment", "# Cats\nThey\n.\n"],
    ["lines of one word each without marks", "Cats\nsleep\n"],
    ["a line without spaces that ends with its mark", "猫は眠る。\n犬は走る。\n"],
  ])("hold %s by their first line", async (_, content) => {
    const rest = "1\tCats\t_\t_\t_\t_\t0\t_\t_\t_\n2\tsleep\t_\t_\t_\t_\t1\t_\t_\t_\n\n";
    const isSentences = content.includes("\t");
    const { run } = inFolder({ model, in: content + (isSentences ? rest : "") });
    const { code, out } = await run("parse @model @in");
    expect(code).toBe(0);
    // Offsets into the text are written for words that were cut out of it.
    expect(out.includes("TokenRange=")).toBe(!isSentences);
  });

  test.each([
    ["with a stop", "They\nsleep\n.\n\nCats sleep\n", ["They sleep .", "Cats sleep"]],
    ["with columns after a tab", "Cats\tN\r\n!\tP\r\n", ["Cats !"]],
    ["after a word that begins as comments do", "\n#cats\nsleep\n.\n", ["#cats sleep ."]],
  ])("are words %s, one a line", async (_, content, expected) => {
    const { code, out } = await inFolder({ model, in: content }).run("parse @model @in");
    expect([code, forms(out)]).toEqual([0, expected]);
    expect(out).not.toContain("TokenRange=");
  });

  test("are sentences for a model that cannot cut text", async () => {
    const found = await inFolder({ tagged: taggedModel }).run("parse @tagged 'Cats sleep'");
    expect([found.code, found.err]).toEqual([1, expect.stringContaining("expected CoNLL-U")]);
  });

  test("are tagged anew by run, or by --tags predicted", async () => {
    const wrong = conllu("s", "Cats/X/1/x sleep/X/0/root");
    const { run } = inFolder({ model, wrong });
    const [kept, given, ...tagged] = await Promise.all(
      [
        "parse @model @wrong",
        "run @model @wrong --tags given",
        "parse @model @wrong --tags predicted",
        "run @model @wrong",
      ].map((line) => run(line)),
    );
    expect(kept!.out).toMatch(/\tCats\tcats\tX\t/);
    expect(given!.out).toBe(kept!.out);
    for (const { out } of tagged) expect(out).toMatch(/\tCats\tcats\tNOUN\t/);
    expect(tagged[0]!.out).toBe(tagged[1]!.out);
  });
});

describe("a model", () => {
  const before = process.cwd();
  afterEach(() => process.chdir(before));

  /** A folder with packages: the contents of each package.json, beside a model. */
  function packagesIn(manifests: Readonly<Record<string, object>>): string {
    const folder = temporaryFolder();
    for (const [name, manifest] of Object.entries(manifests)) {
      const at = join(folder, "node_modules", name);
      mkdirSync(dirname(join(at, "package.json")), { recursive: true });
      writeFileSync(join(at, "package.json"), JSON.stringify({ name, version: "1.0.0", ...manifest }));
      writeFileSync(join(at, "own.model"), model);
    }
    return folder;
  }

  const own = { arcwise: { model: "./own.model" } };

  test.each<[string, string, Readonly<Record<string, object>>]>([
    ["by its name", "klingon", { klingon: own }],
    ["in a scope", "@me/klingon", { "@me/klingon": own }],
    [
      "in any scope by its short name",
      "klingon",
      { "@me/klingon": own, "@me/klingon-small": own, "@you/klingon": {} },
    ],
    [
      "of this project rather than of another scope",
      "klingon",
      { "@me/klingon": {}, "@arcwise/klingon": own },
    ],
    ["of this project by its short name", "klingon", { "@arcwise/klingon": own }],
    ["beside one of that name without a model", "klingon", { klingon: {}, "@arcwise/klingon": own }],
    [
      "that has other exports",
      "klingon",
      { klingon: { ...own, exports: { "./package.json": "./package.json" } } },
    ],
  ])("may be a package %s", async (_, name, manifests) => {
    process.chdir(packagesIn(manifests));
    const { code, out } = await arcwise(["parse", name, "Cats sleep"]);
    expect([code, forms(out)]).toEqual([0, ["Cats sleep"]]);
    expect((await arcwise(["parse", "--model", name, "Cats sleep"])).out).toBe(out);
    expect((await arcwise(["info", name])).out).toMatch(/^kind: pipeline$/m);
  });

  test("is the package of a name rather than a folder", async () => {
    const folder = packagesIn({ klingon: own });
    mkdirSync(join(folder, "klingon"));
    process.chdir(folder);
    expect((await arcwise(["parse", "klingon", "Cats sleep"])).code).toBe(0);
  });

  test("is the file of a name rather than its package", async () => {
    const folder = packagesIn({ klingon: own });
    writeFileSync(join(folder, "klingon"), "no model");
    process.chdir(folder);
    const { code, err } = await arcwise(["parse", "klingon", "Cats sleep"]);
    expect([code, err]).toEqual([1, expect.stringContaining("klingon: expected an Arcwise model file")]);
  });

  test.each<[string, string[]]>([
    ["klingon", ["neither a file nor an installed package", "--model klingon.model", "own.model"]],
    ["roman", ['(did you mean "romana"?)']],
    ["@me/klingon", ["npm install @me/klingon, if npm has it"]],
    ["latin", ["did you mean @me/latin or @you/latin?"]],
    ["welsh", ["npm run model -- welsh --fetch, in a clone"]],
    ["klingon.model", ["no such file", "own.model, romana"]],
    ["lattin", ['(did you mean "@me/latin"?)']],
    ["owm.model", ['(did you mean "own.model"?)']],
    ["./klingon", ["no such file"]],
    ["models/own.modle", ['(did you mean "models/own.model"?)']],
    ["modles/own.model", ['(did you mean "models"?)']],
  ])("that is nowhere is explained: %s", async (name, parts) => {
    const scoped = { "@me/latin": own, "@you/latin": own };
    const folder = packagesIn({ klingon: {}, "@arcwise/romana": own, ...scoped });
    mkdirSync(join(folder, "models"));
    for (const file of ["own.model", "models/own.model"]) writeFileSync(join(folder, file), model);
    writeFileSync(join(folder, "text.model"), "no model");
    process.chdir(folder);
    const { code, err } = await arcwise(["parse", name, "Cats sleep"]);
    expect(code).toBe(1);
    for (const part of parts) expect(err).toContain(part);
    expect(err).not.toContain("text.model");
  });

  test.each<[string, string[]]>([
    ["nothing", []],
    ["a text", ["Cats sleep"]],
  ])("must be given, and is not %s: the models are listed", async (_, argv) => {
    process.chdir(packagesIn({ klingon: own, "@me/klingon": own, "@arcwise/romana": own, left: {} }));
    const { code, err } = await arcwise(["parse", ...argv]);
    expect([code, err]).toEqual([2, expect.stringContaining("@me/klingon, ")]);
    for (const name of ["klingon", "romana"]) expect(err).toContain(name);
    expect(err).not.toContain("left");
  });

  test("is listed by info without a file", async () => {
    const folder = packagesIn({ klingon: own });
    writeFileSync(join(folder, "own.model"), model);
    process.chdir(folder);
    const { code, out } = await arcwise(["info"]);
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^klingon {2}klingon 1.0.0 {2}\//),
        "own.model  own.model",
      ]),
    );
    const listed = JSON.parse((await arcwise(["info", "--json"])).out) as { name: string; file: string }[];
    expect(listed).toContainEqual({ name: "own.model", file: "own.model" });
  });
});

describe("the output format", () => {
  const text = "Cats sleep\n\nOld dogs chase young cats";

  async function parsed(...more: string[]): Promise<string> {
    const { code, out } = await inFolder({ model, text }).run("parse @model @text", ...more);
    expect(code).toBe(0);
    return out;
  }

  test("html is a page with numbered sentences, titled as the file", async () => {
    const page = await parsed("--output-format", "html");
    expect(page).toMatch(/^<!doctype html>[\s\S]*<title>text<\/title>[\s\S]*<\/html>\n$/);
    expect([...page.matchAll(/<article id="sentence-(\d+)">/g)].map(([, id]) => id)).toEqual(["1", "2"]);
  });

  test("svg is one file, however many sentences there are", async () => {
    const svg = await parsed("--output-format", "svg");
    expect(svg.match(/xmlns=/g)).toHaveLength(1);
    expect(svg.match(/<g class="word"/g)).toHaveLength(7);
    const heights = [...svg.matchAll(/translate\(16 (\d+)\)/g)].map(([, y]) => Number(y));
    expect(heights).toHaveLength(2);
    expect(heights[1]!).toBeGreaterThan(heights[0]! + 50);
    const none = await inFolder({ model }).run("parse @model --output-format svg");
    expect(none.out).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  });

  test("svg of one sentence is its drawing, with the probabilities of --marginals", async () => {
    const { out } = await inFolder({ model }).run(
      "parse @model 'Cats sleep' --output-format svg --marginals",
    );
    expect(out.match(/data-probability="[\d.]+"/g)).toHaveLength(2);
    expect(out).not.toContain("translate");
  });

  test("svg and html have words below their heads with --layout tree", async () => {
    for (const format of ["svg", "html"]) {
      const drawings = [
        await parsed("--output-format", format),
        await parsed("--output-format", format, "--layout", "tree"),
      ];
      const heights = drawings.map(
        (text) => new Set([...text.matchAll(/ y="([\d.]+)">(?:Old|chase)</g)].map(([, y]) => y)).size,
      );
      expect(heights).toEqual([1, 2]);
    }
  });

  test("follows the ending of the output, unless --output-format says otherwise", async () => {
    const { run, path, text } = inFolder({ model });
    const parse = (flags: string) => run(`parse @model 'Cats sleep' ${flags}`);
    for (const [name, format] of [
      ["out.svg", "svg"],
      ["out.txt", "tree"],
      ["out.json", "json"],
      ["out.tex", "tikz"],
      ["out", "conllu"],
    ] as const) {
      expect((await parse(`-o @${name}`)).code).toBe(0);
      expect(text(name)).toBe((await parse(`--output-format ${format}`)).out);
    }
    expect((await parse("-o @a.svg --output-format conllu")).code).toBe(0);
    expect(parseConllu(text("a.svg"))).toHaveLength(1);
    expect((await parse("-o @b.svg --layout tree")).code).toBe(0);
    expect((await parse("-o @out.pdf")).code).toBe(2);
    expect(existsSync(path("out.pdf"))).toBe(false);
  });

  test("jsonl and displacy have a line a sentence", async () => {
    for (const format of ["jsonl", "displacy"]) {
      const lines = (await parsed("--output-format", format)).trimEnd().split("\n");
      expect(lines.map((line) => JSON.parse(line).words.length)).toEqual([2, 5]);
    }
  });

  /** Runs the command with a terminal as its standard output. */
  async function inTerminal(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const stdout = Object.assign(sink(), { isTTY: true });
    const signal = new AbortController().signal;
    const code = await run(argv, { stdin: process.stdin, stdout, stderr: sink(), env, signal });
    expect(code).toBe(0);
    return stdout.text();
  }

  test("is tree by default for text in a terminal, in colour unless NO_COLOR says otherwise", async () => {
    const { run, path, text } = inFolder({ model, gold: treebank });
    const plain = (await run("parse @model 'Cats sleep' --output-format tree")).out;
    const cats = ["parse", path("model"), "Cats sleep"];
    expect(await inTerminal(cats)).toContain("\u001b[");
    expect(await inTerminal(cats, { NO_COLOR: "1" })).toBe(plain);
    expect(await inTerminal(["parse", path("model"), path("gold")])).toBe(writeConllu(parseConllu(treebank)));
    expect(await inTerminal([...cats, "--output-format", "conllu"])).toMatch(/^# sent_id = 1$/m);
    expect(await inTerminal([...cats, "-o", path("out")])).toBe("");
    expect(text("out")).toMatch(/^# sent_id = 1$/m);
  });
});

/** Command lines that read sentences from `@in`, and those that learn from it or measure time. */
const READERS = [
  "parse @model @in --tags given",
  "run @model @in",
  "search {} @in",
  "convert @in --to json",
  "convert @in --to conllu --from conllu",
  "text @in",
  "validate @in",
  "evaluate @in @other",
  "evaluate @other @in",
  "convert --deps enhance @in",
  "evaluate --graphs @in @other",
];
const LEARNERS = [
  "cascade @model @in --first @model",
  "train --train @in --model @new",
  "train --train @other --dev @in --model @new",
  "train --train @other --silver @in --model @new",
  "train --train @other --lexicon @in --model @new",
  "train --for tagged --train @in --model @new",
  "tag train --train @in --model @new",
  "tag train --train @other --dev @in --model @new",
  "train --for graphs --train @in --model @new",
  "train --for graphs --train @other --dev @in --model @new",
];

describe("sentences of another kind of file", () => {
  const runOn = (line: string, content: string | Uint8Array) =>
    inFolder({ in: content, other: treebank, model }).run(line);
  const plus = `# global.columns = A:B ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n${treebank.replaceAll(/^(\d.*)$/gm, "*\t$1")}`;

  test.each([...READERS, ...LEARNERS])("UTF-16 is named: %s", async (argv) => {
    const { code, out, err } = await runOn(argv, Buffer.from(`\ufeff${treebank}`, "utf16le"));
    expect([code, out + err]).toEqual([1, expect.stringContaining("UTF-16")]);
  });

  test.each(READERS)("CoNLL-U Plus is read as CoNLL-U: %s", async (argv) => {
    const [found, plain] = [await runOn(argv, plus), await runOn(argv, treebank)];
    const named = (out: string) => out.replaceAll(/\S*in:\d+/g, "in");
    expect([found.code, named(found.out)]).toEqual([plain.code, named(plain.out)]);
  });
});
