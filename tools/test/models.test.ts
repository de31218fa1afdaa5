import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseConllu, writeConllu } from "@arcwise/conllu";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { arcwise } from "../../apps/cli/test/support.ts";
import { cardOf } from "../models/card.mjs";
import { fetchTreebank } from "../models/fetch.mjs";
import {
  addressOf,
  LICENSES,
  licenseText,
  merged,
  readRecipe,
  recipeNames,
  recipeOf,
} from "../models/recipe.mjs";
import { agreed } from "../models/silver.mjs";
import { writeTable } from "../models/table.mjs";
import { byGenre, checkLicense, describeTreebank, newest, prepareTreebank } from "../models/treebank.mjs";
import { wordnetLexicon } from "../models/wordnet.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const recipes = recipeNames().map((name) => ({ name, recipe: readRecipe(name) }));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "arcwise-models-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.each(recipes)("the recipe $name", ({ name, recipe }) => {
  it("has settings that train accepts", async () => {
    const files = ["--train", "train.conllu", "--model", join(folder, "model")];
    const settings = ["--settings", JSON.stringify(recipe.settings), "--print-settings"];
    writeFileSync(join(folder, "vectors"), "word 1 0\n");
    const vectors = recipe.vectors === undefined ? [] : ["--vectors", join(folder, "vectors")];
    const { code, out } = await arcwise(["train", ...files, ...settings, ...vectors]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject(recipe.settings);
  });

  it("allows commercial use, and its package has the text of the licence", () => {
    const sources = [...recipe.treebanks, ...(recipe.silver === undefined ? [] : [recipe.silver])];
    expect(sources.map(({ license }) => license).join(" ")).not.toMatch(/NC/);
    const text = licenseText(recipe, `${name}.model`);
    for (const { credit } of sources) expect(text).toContain(credit);
    expect(text.length).toBeGreaterThan(10_000);
  });
});

test("there is a recipe for English and for at least twelve other languages", () => {
  expect(recipeNames()).toContain("english");
  expect(new Set(recipes.map(({ recipe }) => recipe.language)).size).toBeGreaterThanOrEqual(13);
});

test("the list of published models is made of the recipes (npx vitest run tools/test/models -u writes it)", async () => {
  const models = recipes.map(({ name, recipe: { language, code, license, treebanks } }) => {
    const treebank = treebanks.map((one) => one.name).join(" and ");
    const facts = Object.entries({ name, language, code, treebank, license });
    return `  { ${facts.map(([fact, value]) => `${fact}: ${JSON.stringify(value)}`).join(", ")} },\n`;
  });
  const comment = "/* Written by tools/test/models.test.ts, from the recipes in tools/models/recipes. */";
  const text = `${comment}\n\n// biome-ignore format: a model per line\nexport const PUBLISHED = [\n${models.join("")}];\n`;
  await expect(text).toMatchFileSnapshot("../../packages/pipeline/src/node/published-models.ts");
});

test("the page of treebanks lists the recipes (npx vitest run tools/test/models -u writes it)", async () => {
  const page = "../../docs/guide/treebanks.md";
  const rows = recipes.map(({ recipe }) => {
    const treebanks = recipe.treebanks.map(({ name, version }) => `[${name}](${addressOf(name)}) ${version}`);
    const texts = recipe.treebanks.map(({ text }) => text).join("; ");
    return `| \`${recipe.package}\` | ${treebanks.join(", ")} | ${texts} | ${LICENSES[recipe.license].title} |`;
  });
  const table = ["| package | treebank | texts | licence |", "|---|---|---|---|", ...rows].join("\n");
  const before = readFileSync(join(import.meta.dirname, page), "utf8");
  const after = before.replace(
    /(<!-- models: [^\n]*-->\n).*(<!-- end)/s,
    (_, begin, end) => `${begin}\n${table}\n\n${end}`,
  );
  await expect(after).toMatchFileSnapshot(page);
});

test("each licence of the recipes has its text, and no other one has", () => {
  const texts = readdirSync(join(root, "tools/models/licenses")).map((file) => file.replace(".txt", ""));
  expect(texts.sort()).toEqual(Object.keys(LICENSES).sort());
});

const treebank = {
  name: "UD_Latin-Short",
  version: "2.16",
  commit: "0".repeat(40),
  license: "CC BY 4.0",
  text: "letters",
  credit: "Somebody",
};
const silver = {
  file: "latin.conllu.gz",
  text: "Proverbs",
  credit: "Everybody",
  license: "CC BY 2.0 FR",
  weight: 0.5,
  teacher: { seeds: [1], settings: {} },
};
const recipe = { language: "Latin", code: "la", license: "CC-BY-4.0", treebanks: [treebank], limits: [] };

describe("a recipe", () => {
  it.each([
    ["language", { language: "" }],
    ["code", { code: "latin" }],
    ["license", { license: "CC-BY-NC-SA-4.0" }],
    ["treebanks", { treebanks: [] }],
    ["treebanks[0].name", { treebanks: [{ ...treebank, name: "Latin" }] }],
    ["treebanks[0].version", { treebanks: [{ ...treebank, version: "v2.16" }] }],
    ["treebanks[0].commit", { treebanks: [{ ...treebank, commit: "r2.16" }] }],
    ["treebanks[0].genres", { treebanks: [{ ...treebank, genres: "^[a-z]+_" }] }],
    ["treebanks[0].genres", { treebanks: [{ ...treebank, genres: "^(" }] }],
    ["treebanks[0].select", { treebanks: [{ ...treebank, select: "^(a|b)_" }] }],
    ["treebanks[0]", { treebanks: [{ ...treebank, licence: "CC BY 4.0" }] }],
    ["limits[0]", { limits: [1] }],
    ["silver.file", { silver: { ...silver, file: "../english.conllu" } }],
    ["silver.weight", { silver: { ...silver, weight: 0 } }],
    ["silver.teacher.seeds", { silver: { ...silver, teacher: { seeds: [], settings: {} } } }],
    ["vectors.words", { vectors: { package: "vectors", words: 0 } }],
    ["lexicon.license", { lexicon: { package: "words", text: "Words", license: "../MIT" } }],
    ["settings", { settings: "linear" }],
  ])("is refused with the field that is wrong: %s", (at, change) => {
    const json = JSON.stringify({ ...recipe, ...change });
    expect(() => recipeOf(json, "latin.json")).toThrow(`latin.json${at === "" ? "" : "."}${at}: `);
  });

  it("learns from the data of its base", () => {
    const base = readRecipe("english");
    const { treebanks, silver: taught, lexicon, vectors, settings } = readRecipe("english-small");
    const own = { treebanks, silver: taught, lexicon };
    expect(own).toEqual({ treebanks: base.treebanks, silver: base.silver, lexicon: base.lexicon });
    expect([vectors, settings]).toMatchObject([{ words: 9000 }, { preset: "fast" }]);
    expect(() => recipeOf(JSON.stringify({ base: "elvish", limits: [] }), "a.json")).toThrow("a.json.base: ");
  });

  it("that is not JSON is refused with its file", () => {
    expect(() => recipeOf("{", "latin.json")).toThrow("latin.json: ");
  });

  it("gets the settings and limits that all recipes share, unless it has its own", () => {
    const read = recipeOf(JSON.stringify({ ...recipe, limits: ["Short."], settings: { seed: 7 } }), "");
    expect(read.settings).toMatchObject({ preset: "fast", seed: 7 });
    expect(read.limits[0]).toBe("Short.");
    expect(read.limits.length).toBeGreaterThan(1);
  });
});

test("settings are merged by their groups", () => {
  const base = { seed: 1, parser: { epochs: 5, network: { units: 8 } } };
  const over = { parser: { network: { epochs: 2 }, learning: { l2: 3 } } };
  expect(merged(base, over)).toEqual({
    seed: 1,
    parser: { epochs: 5, network: { units: 8, epochs: 2 }, learning: { l2: 3 } },
  });
  expect(merged(base, { parser: { terms: ["features"] } }).parser.terms).toEqual(["features"]);
});

/** CoNLL-U of sentences of one word, by their sent_id. */
const sentences = (...ids: readonly string[]) =>
  ids.map((id) => `# sent_id = ${id}\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n`).join("");

/** Writes the files of a treebank. */
function write(files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const ids = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/^# sent_id = (.*)$/gm)].map(([, id]) => id);
const prepared = (options = {}) => {
  const { files, ...facts } = prepareTreebank(folder, options, join(folder, "out"));
  return {
    ...facts,
    ids: Object.fromEntries(Object.entries(files).map(([split, file]) => [split, ids(file)])),
  };
};

describe("a treebank", () => {
  it("has the splits of its folder, each of one file or of several", () => {
    write({
      "la_short-ud-train-a.conllu": sentences("a1", "a2"),
      "la_short-ud-train-b.conllu": sentences("b1"),
      "la_short-ud-dev.conllu": sentences("d1"),
      "la_short-ud-test.conllu": sentences("t1"),
      "la_short-ud-train.txt": "Go Go",
    });
    expect(prepared()).toEqual({
      sentences: { train: 3, dev: 1, test: 1 },
      isHeldOut: false,
      ids: { train: ["a1", "a2", "b1"], dev: ["d1"], test: ["t1"] },
    });
  });

  it("without a development split gives the last tenth of the training split for one", () => {
    const train = Array.from({ length: 25 }, (_, i) => `s${i}`);
    write({ "x-ud-train.conllu": sentences(...train), "x-ud-test.conllu": sentences("t") });
    const { isHeldOut, ids } = prepared();
    expect([isHeldOut, ids.train!.length, ids.dev]).toEqual([true, 22, ["s22", "s23", "s24"]]);
  });

  it("has the sentences that a recipe selects", () => {
    write({
      "x-ud-train.conllu": sentences("GUM_news_a-1", "GUM_fiction_b-1", "GUM_court_c-1"),
      "x-ud-dev.conllu": sentences("GUM_news_d-1"),
      "x-ud-test.conllu": sentences("GUM_fiction_e-1", "GUM_court_f-1").replaceAll("\n", "\r\n"),
    });
    expect(prepared({ select: "^GUM_(?:news|court)_" }).ids).toEqual({
      train: ["GUM_news_a-1", "GUM_court_c-1"],
      dev: ["GUM_news_d-1"],
      test: ["GUM_court_f-1"],
    });
    expect(() => prepared({ select: "^GUM_poetry_" })).toThrow(`${folder}: expected files *-ud-train.conllu`);
  });

  it.each([
    ["train", { "x-ud-test.conllu": sentences("t") }],
    ["test", { "x-ud-train.conllu": sentences("t", "u") }],
    ["train", { "x-ud-train.conllu": "", "x-ud-test.conllu": sentences("t") }],
  ])("without a %s split is refused, with the files that there are", (split, files) => {
    write(files);
    expect(() => prepared()).toThrow(`*-ud-${split}.conllu`);
    expect(() => prepared()).toThrow(Object.keys(files)[0]!);
  });

  it("is evaluated by the genres of a pattern, in alphabetical order", () => {
    write({ "test.conllu": sentences("GUM_voyage_a-1", "GUM_bio_b-1", "GUM_voyage_a-2", "x") });
    const genres = byGenre(join(folder, "test.conllu"), "^GUM_([a-z]+)_");
    expect([...genres].map(([genre, own]) => [genre, own.length])).toEqual([
      ["all", 4],
      ["bio", 1],
      ["other", 1],
      ["voyage", 2],
    ]);
    expect([...byGenre(join(folder, "test.conllu"), undefined).keys()]).toEqual(["all"]);
  });

  it("is described by its folder and README", () => {
    const readme = "* 2025-05-15 v2.16\n* 2021-11-15 v2.9\nLicense: CC BY-SA 4.0\nContributors: Nemo, A; \n";
    write({ "README.txt": readme });
    expect(describeTreebank(folder)).toMatchObject({
      ...{ version: "2.16", license: "CC BY-SA 4.0", credit: "Nemo, A;" },
    });
    expect(describeTreebank(mkdtempSync(join(folder, "empty")))).toMatchObject({ version: undefined });
    expect(() => describeTreebank(join(folder, "absent"))).toThrow(join(folder, "absent"));
  });

  it("is refused when its README has another licence than the recipe", () => {
    write({ "README.md": "License: CC BY-NC-SA 4.0\n" });
    expect(() => checkLicense(folder, treebank)).toThrow("expected the licence of UD_Latin-Short, CC BY 4.0");
    expect(() => checkLicense(folder, { ...treebank, select: "^a" })).not.toThrow();
    expect(() => checkLicense(folder, { ...treebank, license: "CC BY-NC-SA 4.0" })).not.toThrow();
  });
});

test.each([
  [["2.9", "2.16", "2.2"], "2.16"],
  [[], undefined],
])("the newest of the releases %j is %s", (versions, expected) => {
  expect(newest(versions)).toBe(expected);
});

describe("fetching a treebank", () => {
  let commit: string;
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync("git", args, { cwd: join(folder, "repo"), encoding: "utf8" });
    expect(status).toBe(0);
    return stdout.trim();
  };
  const fetched = (of: string) =>
    fetchTreebank({ ...treebank, commit: of }, join(folder, "at"), `file://${folder}/repo`);

  beforeEach(() => {
    mkdirSync(join(folder, "repo"));
    git("init", "--quiet");
    git("config", "uploadpack.allowAnySHA1InWant", "true");
    writeFileSync(join(folder, "repo/x-ud-test.conllu"), sentences("t"));
    git("add", ".");
    const author = ["-c", "user.name=Nemo", "-c", "user.email=nemo@example.org"];
    git(...author, "commit", "--quiet", "-m", "2.16");
    commit = git("rev-parse", "HEAD");
    writeFileSync(join(folder, "repo/x-ud-test.conllu"), sentences("other"));
    git(...author, "commit", "--quiet", "-am", "2.17");
  });

  it("gives the files of the commit, not of the newest one", () => {
    expect(ids(join(fetched(commit), "x-ud-test.conllu"))).toEqual(["t"]);
  });

  it("is done once, and again when a file was changed", () => {
    const file = join(fetched(commit), "x-ud-test.conllu");
    rmSync(join(folder, "repo"), { recursive: true });
    expect(existsSync(join(fetched(commit), "x-ud-test.conllu"))).toBe(true);
    writeFileSync(file, sentences("changed"));
    expect(() => fetched(commit)).toThrow("git fetch");
  });

  it("fails when the repository does not have the commit", () => {
    expect(() => fetched("1".repeat(40))).toThrow("1".repeat(40));
  });
});

test("the table of results has a row per treebank of each package that exists, and keeps the others", () => {
  const other = ["`@arcwise/welsh`", "UD_Welsh-CCG 2.16", "1"];
  write({
    "table.json": JSON.stringify({ title: "T", rows: [["`@arcwise/french`", "old"], other, ["`@me/x`"]] }),
  });
  mkdirSync(join(folder, "french"));
  const scores = { Words: 99.5, Sentences: 85, UPOS: 97.25, LAS: 85.5 };
  const figures = [{ genre: "all", ...scores }, { genre: "wiki" }];
  const own = { name: "UD_A-B", version: "2.16", sentences: { train: 2231 }, figures, wordsPerSecond: 4200 };
  const treebanks = [own, { ...own, name: "UD_C-D" }];
  writeFileSync(join(folder, "french/package.json"), '{ "name": "@arcwise/french", "version": "0.1.0" }');
  writeFileSync(join(folder, "french/figures.json"), JSON.stringify({ treebanks }));
  writeTable(join(folder, "table.json"), (name: string) => join(folder, name));
  const { title, rows } = JSON.parse(readFileSync(join(folder, "table.json"), "utf8"));
  const row = [
    "`@arcwise/french`",
    "UD_A-B 2.16",
    "2,231",
    "0.0 MB",
    "99.50",
    "85.00",
    "97.25",
    "85.50",
    "4,200",
  ];
  expect([title, rows]).toEqual(["T", [row, row.with(1, "UD_C-D 2.16"), other]]);
});

test("sentences on whose trees teachers agree are kept, bare", () => {
  const sentence = (last: string, deprel: string, misc = ["_", "_"]) =>
    `1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t${misc[0]}\n2\t${last}\t_\tADV\t_\t_\t1\t${deprel}\t_\t${misc[1]}\n\n`;
  const places = ["TokenRange=0:2", "SpaceAfter=No|TokenRange=2:4"];
  const [one, two] = ["advmod", "compound:prt"].map((deprel) =>
    parseConllu(`# text = Goon\n${sentence("on", "advmod", places)}${sentence("off", deprel, places)}`),
  );
  const kept = sentence("on", "advmod", ["_", "SpaceAfter=No"]);
  expect(writeConllu(agreed([one!, two!]))).toBe(kept.replace("\tgo\t", "\t_\t"));
  expect(agreed([one!, one!])).toHaveLength(2);
});

test("a card names data, licence and use, and says what a treebank lacks", () => {
  const selected = [{ ...treebank, select: "^a" }];
  const read = recipeOf(JSON.stringify({ ...recipe, treebanks: selected, silver }), "");
  const figures = [{ genre: "all", words: 3, LAS: 50 }];
  const sentences = { train: 1230, dev: 4, test: 2 };
  const { name, version } = treebank;
  const card = cardOf("latin", read, {
    processor: "abacus",
    treebanks: [{ name, version, sentences, isHeldOut: true, wordsPerSecond: 1, figures }],
  });
  const data = card.data.join(" ");
  for (const part of [
    "1,236 sentences of letters",
    "Somebody, CC BY 4.0",
    "`^a`",
    "last 4 sentences",
    "Everybody, CC BY 2.0 FR",
  ])
    expect(data).toContain(part);
  expect(card.use).toBe(LICENSES["CC-BY-4.0"].use);
  expect(card.figures.map(({ rows }) => rows[0]!.slice(0, 2))).toEqual([
    ["all", 3],
    ["UD_Latin-Short", 1],
  ]);
});

test("a lexicon of WordNet has base forms, irregular forms, and regular forms of the others", () => {
  const senses = (lemma: string, part: string) => `${lemma} ${part} 1 1 @ 1 1 00000001`;
  const synset = (...words: string[]) => `00000001 00 n 0${words.length} ${words.join(" 0 ")} 0 000 | .`;
  for (const [part, lemmas, exceptions] of [
    ["noun", ["goose", "box", "paris"], ["geese goose"]],
    ["verb", ["quiz", "tie"], ["quizzed quiz", "quizzing quiz"]],
    ["adj", ["big"], ["bigger big"]],
  ] as const) {
    writeFileSync(join(folder, `index.${part}`), lemmas.map((lemma) => senses(lemma, part[0]!)).join("\n"));
    writeFileSync(
      join(folder, `data.${part}`),
      synset(...lemmas.map((lemma) => lemma.replace("paris", "Paris"))),
    );
    writeFileSync(join(folder, `${part}.exc`), exceptions.join("\n"));
  }
  const words = parseConllu(wordnetLexicon(folder).join("")).flatMap(({ rows }) => rows);
  expect(words.map(({ form, lemma, upos }) => [form, lemma, upos].join(" "))).toEqual([
    ...["goose", "geese"].map((form) => `${form} goose NOUN`),
    ...["box", "boxes"].map((form) => `${form} box NOUN`),
    ...["quiz", "quizes", "quizzed", "quizzed", "quizzing"].map((form) => `${form} quiz VERB`),
    ...["tie", "ties", "tied", "tied", "tying"].map((form) => `${form} tie VERB`),
    ...["big", "bigger"].map((form) => `${form} big ADJ`),
  ]);
});
