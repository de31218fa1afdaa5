import { expect, test } from "vitest";
import { conllu, inFolder, stepless, treebank } from "./support.ts";

/** A line that lost its tabs. */
const SPACES =
  "# sent_id = p\n1  Give   give  VERB _ _  0  root _ _\n2  it     it    PRON _ _  1  obj  _ _\n";
const DOGS = conllu("s1", "Old/ADJ/2/amod dogs/NOUN/3/nsubj chase/VERB/0/root cats/NOUN/3/obj");
const CROSSING = conllu("x", "a/X/3/dep b/X/4/dep c/X/0/root d/X/3/dep");
const DEPS = `1\tCats\tcat\tNOUN\t_\t_\t2\tnsubj\t2:nsubj|4:nsubj:xsubj\t_
2\twant\twant\tVERB\t_\t_\t0\troot\t0:root\t_
3\tto\tto\tPART\t_\t_\t4\tmark\t4:mark\t_
4\tsleep\tsleep\tVERB\t_\t_\t2\txcomp\t2:xcomp\t_

`;
/** A relative clause whose elided verb makes a path from `Tea` back to itself; and another sentence. */
const PATH_BACK = `# sent_id = a
1\tTea\ttea\tNOUN\t_\t_\t0\troot\t0:root|2:obj|2.1:obj\t_
2\tdrinks\tdrink\tVERB\t_\t_\t1\tacl:relcl\t1:acl:relcl\t_
2.1\tdrinks\tdrink\tVERB\t_\t_\t_\t_\t1:acl:relcl|2:conj:and\t_

# sent_id = b
1\tCats\tcat\tNOUN\t_\t_\t2\tnsubj\t2:nsubj\t_
2\tsleep\tsleep\tVERB\t_\t_\t0\troot\t0:root\t_

`;
/** The columns of two sentences of SDP, whose trees and words are in other files. */
const BIRDS = "#s0\n1\tBirds\tbirds\tNNS\t-\t-\t_\tARG0\n2\tsing\tsing\tVBP\t-\t+\tsing.01\t_\n\n";
const PAIR = BIRDS + BIRDS.replace("#s0", "#s1").replace("Birds", "Dogs");
const ROW = (id: number, form: string, head: number) => `${id}\t${form}\t_\t_\tX\t_\t${head}\tdep\t_\t_\n`;
const TREES = ["Birds", "Dogs"]
  .map((form, s) => `# sent_id = s${s}\n${ROW(1, form, 2)}${ROW(2, "sing", 0)}\n`)
  .join("");
const TWO_ROOTS = conllu("1", "Cats/NOUN/0/root sleep/VERB/0/root");
const OTHER_WORDS = conllu("1", "Catssleep/NOUN/0/root");
const UNTAGGED = treebank.replaceAll(/^(\d+\t[^\t]*)\t[^\t]*\t[^\t]*/gm, "$1\t_\t_");

/** The files that lines name by `@`, with those of a row; `@new` and `@none` do not exist. */
const FILES = {
  bad: "bad\n",
  empty: "",
  blank: " \n",
  gold: treebank,
  stepless,
  spaces: SPACES,
  "a.sdp": BIRDS,
  "pair.sdp": PAIR,
  "d.conllu": DEPS,
  "back.conllu": PATH_BACK,
  dogs: DOGS,
  short: "# sent_id = s1\n1\tone\n\n",
  raw: "Dogs bark.\n",
  headless: "1\tCats\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n",
  cycle: conllu("c", "Cats/NOUN/2/x sleep/VERB/1/y"),
  outside: treebank + conllu("outside", "a/X/7/dep"),
  other: conllu("1", "Dogs/NOUN/2/nsubj sleep/VERB/0/root"),
  cut: stepless.subarray(0, -5),
  lexicon: "dog\tdogs\tN;PL\ndogs N\n",
  roots: TWO_ROOTS,
  words: OTHER_WORDS,
  cats: conllu("1", "Cats/NOUN/2/nsubj sleep/VERB/0/root"),
  untagged: UNTAGGED,
  vectors: "a 1 2\nb 1\n",
  "begun.checkpoint": "no checkpoint",
};

/** A command line, what its error contains, and files in addition to `FILES`. */
type Row = readonly [line: string, message: string | RegExp, files?: Readonly<Record<string, string>>];

/** A file of settings that is refused by its name. */
const settingsRow = (command: string, text: string, message: RegExp): Row => [
  `${command} --print-settings --settings @s.json`,
  new RegExp(`s\\.json: .*${message.source}`),
  { "s.json": text },
];

/** Command lines that are refused, by exit code, with what the error contains. */
const REFUSED: Readonly<Record<1 | 2, readonly Row[]>> = {
  1: [
    ["info @none", "no such file"],
    ["parse --model @bad", "expected an Arcwise model"],
    ["parse --model @empty", /^arcwise: \S*empty: /],
    ["parse --model @cut", /^arcwise: \S*cut: /],
    ["tag run --model @bad", "expected an Arcwise model"],
    ["package @gold --name x", /^arcwise: \S*gold: /],
    ["train --train @bad --model @new", /bad:1: /],
    ["train --for tagged --train @empty --model @new", /empty: expected sentences to learn from, found none/],
    ["train --for tagged --train @headless --model @new", /headless:1: /],
    ["train --for tagged --train @cycle --model @new", /cycle:2: sentence c: /],
    ["train --for tagged --train @gold --model @begun --resume", /begun\.checkpoint: /],
    ["train --train @gold --model @new --encoder @none", /none: expected the folder of an encoder/],
    [
      "train --for tagged --train @gold --model @new --settings parser.network.units=8 --vectors @vectors",
      /vectors:2: expected a word and 2 numbers, found 1 number\n$/,
    ],
    ["vectors --lexicon @lexicon --out @new", "lexicon:2: expected lemma, form and attributes"],
    ["vectors --lexicon @none --out @new", "none: "],
    ["tag train --train @bad --model @new", /bad:1: /],
    ["tag train --train @empty --model @new", "found none"],
    ["tag train --train @gold --columns xpos --model @new", "expected xpos to learn from, found only _"],
    ["tag train --train @gold --dev @empty --model @new", /empty: expected sentences/],
    ["evaluate @bad @bad", /bad:1: /],
    ["evaluate @none @none", /^arcwise: \S*none: no such file or directory\n$/],
    [
      "evaluate @raw @raw",
      /raw:1: .*expected CoNLL-U, with 10 columns separated by tabs, found 1 in "Dogs bark\."/,
    ],
    ["evaluate @short @short", /^.*short:2: sentence s1: .*expected .*10.*, found .*2.*\n$/],
    [
      "evaluate @gold @longer",
      /^arcwise: \S*gold and \S*longer:\d+: the texts differ/,
      { longer: treebank + treebank },
    ],
    ["evaluate @gold @other", /gold:2 and \S*other:2: the texts differ/],
    ["evaluate @empty @empty", /empty: expected sentences/],
    ["evaluate @gold @empty", /empty: expected sentences/],
    ["evaluate --graphs @empty @empty", /empty: expected sentences/],
    ["search {} @none", "no such file"],
    ["search {} @outside -o @new", "outside:"],
    ["search {} @spaces", /spaces:2: .*tab.*10 separated by spaces/],
    ["text @spaces", /spaces:2: .*tab.*10 separated by spaces/],
    ["convert --deps enhance @spaces", /spaces:2: .*tab.*10 separated by spaces/],
    ["train --print-settings --settings @none.json", /none\.json: no such file/],
    ["serve no-such-model --port 0", "no-such-model: expected a model"],
    ["serve @bad --port 0", /bad: .*model/],
    ["serve english --token-file @none --port 0", /none: no such file/],
    ...["version https://git-lfs.github.com/spec/v1\n", "PK\u0003\u0004x"].flatMap((text): Row[] => [
      ["convert @in --to json -o @new", /in: expected text in UTF-8, found a (?:zip|pointer)/, { in: text }],
    ]),
    ["convert @in --to brackets -o @new", "in:9: ", { in: DOGS + CROSSING }],
    ["convert @in --to json -o @new", "in:2: ", { in: "# a\n1  Give give VERB _ _ 0 root _ _\n" }],
    ["convert @in --to json -o @new", "in:7: ", { in: `${DOGS}1\ta\n\n` }],
    ["convert @in --to conllu --from json -o @new", "in:1: ", { in: '{"a":1}\n' }],
    ["convert @in --to conllu --from json -o @new", "in:2: ", { in: "\n{\n" }],
    ...[
      ["(root (x y))\n", "in:1: "],
      ["(root x y)\n", "in:1: "],
      ["\n(root x\n", "in:2: "],
      ["(root x))\n", "in:1: "],
    ].map(([text, place]) => ["convert @in --to conllu -o @new", place!, { in: text! }] as const),
    ["convert @in --to conllu --from brackets -o @new", "in:1: ", { in: "# a\n" }],
    ["convert @in --to svg -o @new", "in:8: ", { in: DOGS + conllu("y", "a/X/9/dep") }],
    ["convert @in --to html --layout tree -o @new", "in:7: ", { in: `${DOGS}1\ta${"\t_".repeat(8)}\n\n` }],
    ["convert --deps enhance @none", "none: "],
    ["evaluate @cats @roots", /^arcwise: \S*roots:/],
    ["evaluate @cats @words --errors", /cats --tags predicted/],
    ["evaluate @gold @gold @none", "none: "],
    [
      "evaluate --graphs @a.sdp @b.sdp",
      /a\.sdp and .*expected "Birds"/,
      { "b.sdp": BIRDS.replace("Birds", "Dogs") },
    ],
    [
      "evaluate --graphs @a.sdp @b.sdp",
      /b\.sdp:3: .*sdp-flag/,
      { "b.sdp": BIRDS.replace("VBP\t-\t+", "VBP\t-\t?") },
    ],
    [
      "evaluate --graphs @a.sdp @b.sdp",
      /b\.sdp:3: .*argument-columns.*expected 8 \(2015\) columns for 1 predicates?, found 7/,
      { "a.sdp": `#SDP 2015\n${BIRDS}`, "b.sdp": `#SDP 2015\n${BIRDS.replace(/\t\S+$/gm, "")}` },
    ],
    [
      "evaluate --graphs @d.conllu @e.conllu",
      /e\.conllu:1: .*unknown-ehead/,
      { "e.conllu": DEPS.replace("4:n", "9:n") },
    ],
    [
      "evaluate --graphs @d.conllu @e.conllu",
      /e\.conllu:1: the texts/,
      { "e.conllu": DEPS.replace("Cats", "Dogs") },
    ],
    [
      "evaluate --graphs @back.conllu @e.conllu",
      /e\.conllu:7: .*expected a head from 0 to 2/,
      { "e.conllu": PATH_BACK.replace("2\tnsubj\t2:nsubj", "9\tnsubj\t2:nsubj") },
    ],
    [
      "evaluate --graphs @back.conllu @e.conllu",
      /e\.conllu:7: .*unknown-ehead/,
      { "e.conllu": PATH_BACK.replace("2:nsubj\t_", "9:nsubj\t_") },
    ],
    ["train --train @untagged --model @new", "for a tagger to learn, found none; for a parser without"],
    ["train --train @empty --model @new", "expected sentences to learn from"],
    ["train --train @gold --silver @empty --model @new", /empty.*expected sentences to learn from/],
    ["train --for tagged --train @gold --model @new --settings jackknife=31", "at least 31 sentences"],
    ["tag train --train @gold --gazetteer @blank --model @new", "expected a name on each line, found none"],
    ["train --print-settings --settings @s.json", /s\.json: .*expected settings in JSON/, { "s.json": "{" }],
    ...[
      [TREES.split("# sent_id = s1")[0]!, /pair\.sdp:\d+: expected a tree of this/],
      [TREES.replace("\tDogs\t", "\tRats\t"), /sentence s1: word 1: expected "Dogs"/],
      [TREES.replace("\t2\tdep", "\t1\tdep"), /trees\.conllu:\d+: .*head/],
    ].map(
      ([trees, message]) =>
        [
          "train --for graphs --train @pair.sdp --model @new --settings trees=@trees.conllu",
          message as RegExp,
          { "trees.conllu": trees as string },
        ] as const,
    ),
  ],
  2: [
    ["", "Usage: arcwise"],
    ["analyse", "unknown command 'analyse'"],
    ["errors", "unknown command 'errors'\n(arcwise --help"],
    ["prase", "(Did you mean parse?)"],
    ["version", "unknown command 'version': arcwise --version"],
    ["-v", "(Did you mean -V?)"],
    ["eval", "(Did you mean evaluate?)"],
    ["info m --fast", "unknown option '--fast'"],
    ["info a b", "too many arguments"],
    ["parse --modle m", "unknown option '--modle'\n(Did you mean --model?)"],
    ["parse --format conllu", "unknown option '--format'\n(Did you mean --output-format?)"],
    ["parse --kbest 0", "--kbest"],
    ["parse --model m --threads 9999", "an integer from 1 to 1024"],
    ["tag run", "required option '--model <file>' not specified"],
    ["tag run --fast", "unknown option '--fast'"],
    ["evaluate gold.conllu", "missing required argument 'systems'"],
    // The standard input can be one input.
    ...[
      ...["convert - - --to text", "search {} - -", "validate - -", "evaluate - -", "evaluate --graphs - -"],
      ...[
        "parse @stepless - -",
        "parse @stepless - --constraints -",
        "parse --model @stepless --constraints -",
      ],
      ...["parse @stepless - --trees -", "parse @stepless a.sdp --trees - --words -"],
      ...["--dev -", "--silver -", "--vectors -"].map((files) => `train --train - ${files} --model @new`),
      ...["--dev -", "--gazetteer -"].map((files) => `tag train --train - ${files} --model @new`),
      "train --for graphs --train - --dev - --model @new",
    ].map((line): Row => [line, "standard input"]),
    ["validate --level 7 x", "--level"],
    ["search {", "{"],
    ["search {}=v --by w.lemma", "w"],
    ["search {}=v --by v.lemma --count", "--count"],
    ["search {} --count --output-format json", "--count"],
    ["serve", /as in arcwise serve \S+; found nothing; .*arcwise info/],
    ["serve a:=@stepless --port 0", "expected a model: MODEL, NAME=MODEL"],
    ["serve english --port 70000", "from 0 to 65535"],
    ["serve english --max-seconds soon --port 0", "number > 0"],
    ["serve english --token-file @blank --port 0", "expected letters, digits"],
    ["tag train", "required option"],
    ["tag train --train @gold --columns upos,head --model @new", 'Expected "upos" or "xpos"'],
    ["tag train --train @gold --epochs 0 --model @new", "Expected an integer of at least 1"],
    ["train", "required option"],
    ["train --train a", "required option '--model <file>' not specified"],
    ["train --train a --model -", "--model must be a file"],
    ["train --train a --model m --order 7", "Expected 1 or 2 or 3"],
    ["train --train a --model m --epochs many", "an integer of at least 1"],
    ["train --train a --model m --epochs 0x10", "an integer of at least 1"],
    ["train --train a --model m --epochs 0", "an integer of at least 1"],
    [`train --train a --model m --seed ${"9".repeat(20)}`, "an integer of at least 0"],
    ["train --train a --model m --decoder magic", "magic: no file in"],
    ["train --train a --model m --decoder mts", /--decoder mts: no file in .*\(built in: mst, eisner,/],
    [
      "train --train a --model m --order 2 --decoder eisner --settings parser.parts=headBigram",
      "projective cannot score parts",
    ],
    ["train --train a --model m --settings parser.parts=cousin", "Expected "],
    ["vectors --out @new", "--lexicon"],
    ["vectors --out @new --text @gold", /fastText .* train --vectors/],
    ["train --train a --model m --learner magic", "--learner magic: no file in"],
    ["train --train a --model m --decoder mst --order 2", 'mst cannot score parts of kind "grandparent"'],
    ["train --train a --model m --learner crf --decoder eisner --order 2", "crf"],
    ["train --train a --model m --vectors file --preset linear", "word vectors require a network"],
    ["train --train t --model m --global x.mjs", /give --settings parser\.global=VALUE$/m],
    ["train --train t --model m --jackknife=2", /give --settings jackknife=VALUE$/m],
    ["train --train t --model m --split-arcs", /^(?!.*--settings)/],
    ...[
      ["parser.prune=2", "parser.prune=2: Expected true or false"],
      ["vectors.limit=3", "require vectors.file"],
      ['{"vectors":{"file":"f","minPrefix":0}}', "vectors.minPrefix: expected an integer from 1"],
      ["parser.network.dropout=1", "network.dropout=1: Expected a number"],
      ["parser.network.weight=0", "network.weight=0: Expected a number above 0"],
      ["parser.network.units=2", /parser\.network\.units=.*Expected a multiple of 4 from 4 to/],
      ["parser.network.units=many", /parser\.network\.units=.*Expected a multiple of 4 from 4 to/],
      ["parser.network.unit=64", "units"],
      ["parser=64", "--settings parser=64"],
      ["nothing.there=1", "nothing"],
      ["preset.fast=1", "preset"],
    ].map(([setting, message]) => [`train --print-settings --settings ${setting}`, message!] as const),
    ["train --print-settings --for tagged --settings tokenizer.epochs=1", "require --for text"],
    [
      "train --train a --model m --settings parser.network.units=8 --learner perceptron",
      "a network next to features requires a learner of margins",
    ],
    ["train --for graphs --train a.sdp", "'--model <file>' not specified"],
    ["train --for graphs --train a.sdp --model -", "--model must be a file"],
    [
      "train --for graphs --train a --model m --order 2",
      "--order is for parsers of trees, found --for graphs",
    ],
    ["train --for graphs --train a --model m --dev b --settings trees=t", "trees: expected 2, one for each"],
    ["train --for graphs --train a --model m --settings words=w,v", "of --train, got 2"],
    ["train --for graphs --train a.sdp --model m --settings parts=spans", 'Expected "grandparent" or'],
    ["train --for graphs --train a.sdp --model m --settings costs=1", "costs"],
    ["train --for graphs --train a.sdp --model m --settings network.units=6", "multiple of 4"],
    [
      'train --for graphs --train a --model m --settings {"parts":"full","learner":"frank-wolfe","basicEpochs":1}',
      "basicEpochs requires an online learner",
    ],
    [
      "train --for graphs --train a --model m --parts full",
      "--parts is a setting: give --settings parts=VALUE",
    ],
    ["graph train --train a --model m", "graph train is arcwise train --for graphs"],
    ["evaluate --graphs a b --html page.html", "--html is for trees, found graphs"],
    ["evaluate --graphs a b c --errors", "--errors takes one system, found 2"],
    ["convert @raw --to conllu -o @new", "arcwise: "],
    ["convert @dogs --to tree --layout arcs -o @new", "arcwise: "],
    ["convert @dogs --from text --to conllu -o @new", "arcwise: "],
    ["convert @dogs -o @new", "arcwise: "],
    ["convert --deps enhance --deps drop", "arcwise: "],
    ["convert --deps enhance --fast", "'--fast'"],
    ["evaluate @gold @gold --worst 3", "--worst"],
    ["evaluate @gold @gold --html -", "--html"],
    ["evaluate @gold @gold @gold --errors", "--errors"],
    ["evaluate @gold @gold @gold --html @new", "--html"],
    ["evaluate @gold @gold --metrics LAS", "--metrics"],
    ["evaluate @gold @gold @gold --metrics LASS", "LASS"],
    ["evaluate @gold @gold @gold --json --format csv", "--format"],
    ["evaluate --graphs @a.sdp @d.conllu", "expected files of one format"],
    ["train --for tagged --train @gold --lexicon @gold --model @new", "lexicon"],
    ["parse none text --layout tree", "--layout"],
    ["parse none text --layout tree --output-format tree", "--layout"],
    ["parse none text --layout tree --output-format json", "--layout"],
    ...([
      ["train --train t --model y --queue 0/2", "--store"],
      ["train --train t --model y --store z --queue 2/2", "K/N"],
      ["train --train t --model y --queue redis://h", "--store"],
      ["plan --for make --processes 2 -- train", "--store"],
      ["worker --queue redis://127.0.0.1:1", "--store"],
      ["worker --store z", "--queue"],
      ["status --queue http://user:hidden@host", /^(?!.*hidden).*redis:\/\//s],
      ["parse m a --store z -o d --kbest 2", "--kbest"],
      ["parse m a --store z", "--output"],
      ["parse ./m a/x b/x --store z -o d", "x"],
    ] satisfies Row[]),
    ...[
      ['{"parser": {"netwrok": {}}}', /unknown option "parser\.netwrok" \(did you mean "network"\?\)/],
      ['{"parser": {"seed": 1}}', /unknown option "parser\.seed"/],
      ['{"parser": {"network": {"vectors": {}}}}', /unknown option "parser\.network\.vectors"/],
      ['{"parser": {"order": 4}}', /parser\.order: expected 1 or 2 or 3/],
      ['{"parser": {"decoder": {}}}', /parser\.decoder: expected/],
      ['{"jackknife": 1}', /jackknife: expected 0, or an integer of at least 2/],
      ["[]", /expected options/],
    ].map(([text, message]) => settingsRow("train", text as string, message as RegExp)),
    settingsRow(
      "train --for graphs",
      '{"network": {"epoch": 1}}',
      /unknown option "network\.epoch" \(did you mean "epochs"\?\)/,
    ),
    settingsRow("train --for graphs", '{"graphs": "semantic"}', /unknown option "graphs"/),
    [
      "train --for graphs --train @a.sdp --dev @d.conllu --model @new",
      /expected files of one format, got .*a\.sdp, .*d\.conllu/,
    ],
    [
      "train --for graphs --train @a.sdp --model @new --settings trees=columns",
      "trees=columns requires CoNLL-U files",
    ],
    ["train --for graphs --train @a.sdp --model @new --settings rules=true", "rules requires CoNLL-U files"],
    ...["sibling", "unique"].map(
      (kind): Row => [
        `train --for graphs --preset linear --train @a.sdp --model @new --decoder basic --settings ${kind === "unique" ? "unique=true" : "parts=sibling"}`,
        `arcwise: basic-graph cannot score parts of kind "${kind}"; it handles arcs only\n`,
      ],
    ),
    ...[
      [undefined, "no such module: there is no "],
      ['throw new Error("out of order");', "the module cannot be loaded: out of order"],
      [
        "export const make = () => ({});",
        "expected a default export that is a function which makes a decoder, found none",
      ],
      [
        "export default 7;",
        "expected a default export that is a function which makes a decoder, found one of type number",
      ],
      [
        'export default () => ({ name: "mine" });',
        'expected a decoder, but "trees" is missing ("any" or "projective")',
      ],
      [
        'export default () => ({ name: "mine", trees: "any", singleRoot: true, handles: new Set(["cousin"]) });',
        'expected a decoder, but "handles" is not a Set of kinds of parts',
      ],
      [
        'export default () => ({ name: "mine", trees: "any", singleRoot: true, handles: new Set() });',
        'expected a decoder, but "decode" is missing (a function)',
      ],
    ].map(
      ([text, message]): Row => [
        "train --for tagged --preset linear --order 1 --train @gold --model @new --decoder @mine.mjs",
        `mine.mjs: ${message}`,
        text === undefined ? {} : { "mine.mjs": text },
      ],
    ),
  ],
};

const rows = Object.entries(REFUSED).flatMap(([code, lines]) =>
  lines.map(([line, message, files]) => ({ code: Number(code), line, message, files })),
);

test.each(rows)("$code: arcwise $line: $message", async ({ code, line, message, files }) => {
  const contents = { ...FILES, ...files };
  const { run, names } = inFolder(contents);
  const { err, ...ended } = await run(line, { stdin: treebank });
  expect(ended).toMatchObject({ code, out: "" });
  if (typeof message === "string") expect(err).toContain(message);
  else expect(err).toMatch(message);
  expect(names()).toEqual(Object.keys(contents).sort());
});
