import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { writeTinyEncoder } from "../../packages/encoder-onnx/test/tiny-encoder.ts";
import { ROOT, runSound } from "./project.ts";

/** The sentence of the pages. */
const SENTENCE = `# sent_id = s1
# text = Old dogs chase cats
1	Old	old	ADJ	JJ	Degree=Pos	2	amod	_	_
2	dogs	dog	NOUN	NNS	Number=Plur	3	nsubj	_	_
3	chase	chase	VERB	VBP	Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin	0	root	_	_
4	cats	cat	NOUN	NNS	Number=Plur	3	obj	_	_
`;

/** A lexicon in the format of UniMorph. */
const LEXICON = ["dog", "cat", "boat", "mail", "house", "tree"]
  .map((noun) => `${noun}\t${noun}s\tN;PL\n${noun}\t${noun}\tN;SG\n`)
  .join("");

/** Writes a file or folder that a document takes for granted, unless it is there. */
export type Supply = (path: string, page: string) => void;

/**
 * Makes the files that documents take for granted: treebanks of the sample, a model of them, an encoder without sense.
 *
 * @param folder an empty folder for them
 * @param installed a folder in which the command is installed
 */
export function readersFiles(folder: string, installed: string): Supply {
  const at = (name: string) => join(folder, name);
  const sample = (name: string) => readFileSync(join(ROOT, "apps/bench/sample", name), "utf8").split("\n\n");
  const program = join(installed, "node_modules/arcwise/bin/arcwise.js");
  const arcwise = (...args: string[]) => runSound(process.execPath, [program, ...args], folder);
  const write = (name: string, sentences: readonly string[]) => {
    writeFileSync(at("trees.conllu"), [...sentences, ""].join("\n\n"));
    arcwise("convert", "--deps", "enhance", "trees.conllu", "-o", `${name}.conllu`);
    for (const format of ["conllx", "sdp", "text"])
      arcwise("convert", `${name}.conllu`, "--to", format, "-o", `${name}.${format}`);
  };
  mkdirSync(folder);
  write("train", sample("train.conllu").slice(0, 20));
  write("few", [SENTENCE.trimEnd(), ...sample("test.conllu").slice(0, 15)]);
  const few = ["--settings", "jackknife=2", "--settings", "parser.epochs=2"];
  arcwise("train", "--preset", "linear", ...few, "--train", "train.conllu", "--model", "text.model");

  /** By the end of the name, which the first fitting pattern decides. */
  const kinds: readonly (readonly [RegExp, (path: string, page: string) => void])[] = [
    [/templates\.json$/, (path, page) => writeFileSync(path, /^```json\n(.*?)^```/ms.exec(page)![1]!)],
    [/my-features\.mjs$/, (path) => cpSync(join(ROOT, "docs/examples/hungarian-features.mjs"), path)],
    [/\.conllu\.gz$/, (path) => writeFileSync(path, gzipSync(readFileSync(at("few.conllu"))))],
    [/^(?:.*train|T|old|web|news)\.(?:conllu|conllx|sdp)$/, (path) => copyKind("train", path)],
    [/^(?:gold|a|b)\.conllu$/, writeGold],
    [/\.(?:conllu|conllx|sdp)$/, (path) => copyKind("few", path)],
    [/\.conll$/, (path) => cpSync(at("few.conllx"), path)],
    [/\.txt$/, (path) => cpSync(at("few.text"), path)],
    [/\.tsv$/, (path) => writeFileSync(path, LEXICON)],
    [/\.vec$/, (path) => writeFileSync(path, "2 3\ndogs 1 0 0.5\nbark 0 1 0.5\n")],
    [/\.model$/, (path) => cpSync(at("text.model"), path)],
    [/minilm-en$|e5-small/, (path) => writeTinyEncoder(path, { width: 384 })],
    [/UD_[\w-]+$|\bDIR$/, writeTreebank],
  ];

  function copyKind(name: string, path: string): void {
    cpSync(at(`${name}${/\.\w+$/.exec(path)![0]}`), path);
  }

  /** A page that shows figures says of which sentences. */
  function writeGold(path: string, page: string): void {
    const isEwt = page.includes("for 200 sentences of the test split of UD_English-EWT");
    cpSync(isEwt ? join(ROOT, "apps/bench/ewt/en_ewt-sample-test.conllu") : at("few.conllu"), path);
  }

  function writeTreebank(path: string): void {
    mkdirSync(path, { recursive: true });
    for (const [split, name] of [
      ["train", "train"],
      ["dev", "few"],
      ["test", "few"],
    ] as const)
      cpSync(at(`${name}.conllu`), join(path, `en_sample-ud-${split}.conllu`));
  }

  return (path, page) => {
    const kind = kinds.find(([pattern]) => pattern.test(basename(path)));
    if (kind === undefined || existsSync(path)) return;
    mkdirSync(dirname(path), { recursive: true });
    kind[1](path, page);
  };
}
