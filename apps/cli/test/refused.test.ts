import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { arcwise, conllu, folderWith, stepless, treebank } from "./support.ts";

/** A line that lost its tabs. */
const SPACES =
  "# sent_id = p\n1  Give   give  VERB _ _  0  root _ _\n2  it     it    PRON _ _  1  obj  _ _\n";
const SDP = "#s0\n1\tBirds\tbirds\tNNS\t-\t-\t_\tARG0\n2\tsing\tsing\tVBP\t-\t+\tsing.01\t_\n\n";
/** The files that lines name by `@`; `@new` and `@none` do not exist. */
const FILES = {
  bad: "bad\n",
  empty: "",
  blank: " \n",
  gold: treebank,
  stepless,
  spaces: SPACES,
  "a.sdp": SDP,
  short: "# sent_id = s1\n1\tone\n\n",
  raw: "Dogs bark.\n",
  headless: "1\tCats\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n",
  cycle: conllu("c", "Cats/NOUN/2/x sleep/VERB/1/y"),
  outside: treebank + conllu("outside", "a/X/7/dep"),
  other: conllu("1", "Dogs/NOUN/2/nsubj sleep/VERB/0/root"),
  cut: stepless.subarray(0, -5),
  lexicon: "dog\tdogs\tN;PL\ndogs N\n",
  vectors: "a 1 2\nb 1\n",
  "begun.checkpoint": "no checkpoint",
};

/** Command lines that are refused, by exit code, with what the error contains. */
const REFUSED: Readonly<Record<1 | 2, readonly (readonly [line: string, message: string | RegExp])[]>> = {
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
  ],
  2: [
    ["", "Usage: arcwise"],
    ["analyse", "unknown command 'analyse'"],
    ["errors", "unknown command 'errors'\n(arcwise --help"],
    ["prase", "(Did you mean parse?)"],
    ["info m --fast", "unknown option '--fast'"],
    ["info a b", "too many arguments"],
    ["parse --modle m", "unknown option '--modle'\n(Did you mean --model?)"],
    ["parse --kbest 0", "--kbest"],
    ["parse --model m --threads 9999", "an integer from 1 to 1024"],
    ["tag run", "required option '--model <file>' not specified"],
    ["tag run --fast", "unknown option '--fast'"],
    ["evaluate gold.conllu", "missing required argument 'systems'"],
    ["evaluate - -", "expected one standard input"],
    ["validate --level 7 x", "--level"],
    ["search {", "{"],
    ["search {}=v --by w.lemma", "w"],
    ["search {}=v --by v.lemma --count", "--count"],
    ["search {} --count --output-format json", "--count"],
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
    ["train --for graphs --train - --dev - --model m", "standard input"],
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
    ["evaluate --graphs - -", "standard input"],
    ["parse @stepless a.sdp --trees - --words -", "standard input"],
  ],
};

const rows = Object.entries(REFUSED).flatMap(([code, lines]) =>
  lines.map(([line, message]) => [Number(code), line, message] as const),
);

test.each(rows)("%d: arcwise %s", async (expected, line, message) => {
  const folder = folderWith(FILES);
  const words = line === "" ? [] : line.split(" ").map((word) => word.replace(/@(?=[\w.]+$)/, `${folder}/`));
  const { code, out, err } = await arcwise(words, { stdin: treebank });
  expect([code, out]).toEqual([expected, ""]);
  if (typeof message === "string") expect(err).toContain(message);
  else expect(err).toMatch(message);
  expect(readdirSync(join(folder)).sort()).toEqual(Object.keys(FILES).sort());
});
