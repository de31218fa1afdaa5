import { METRICS } from "./evaluate.mjs";
import { addressOf, LICENSES } from "./recipe.mjs";

/** Returns the notes of the card of a model, for `arcwise package --card`, from its recipe and its figures. */
export function cardOf(name, recipe, { treebanks, processor, grid = undefined }) {
  const names = listOf(treebanks.map((treebank) => treebank.name));
  return {
    summary: `${languageOf(recipe)}text to sentences, words, tags, lemmas and dependency trees: a model for arcwise, trained on ${names}.`,
    data: dataOf(recipe, treebanks),
    use: LICENSES[recipe.license]?.use,
    limits: recipe.limits,
    command: commandOf(name, recipe),
    figures: [
      ...treebanks.map(figuresTable),
      ...(grid === undefined ? [] : [gridFigures(grid)]),
      speedTable(treebanks, processor),
    ],
  };
}

/** Returns the names of treebanks with their releases, as package.json and the card show them. */
export function treebankNames(treebanks) {
  return listOf(treebanks.map(({ name, version }) => [name, version].filter(Boolean).join(" ")));
}

/** Returns the command that installs the packages of npm that a recipe takes data of. npm cannot install into the root. */
export function installCommand(name, packages) {
  return `npm install --prefix reports/models/${name} ${packages.join(" ")}`;
}

function languageOf({ language }) {
  return language === undefined ? "From " : `${language} `;
}

function dataOf({ treebanks: described, silver, vectors, lexicon }, treebanks) {
  const sources = described.map((one, i) => sourceOf(one, treebanks[i]));
  const use =
    "The model learned from the training split; on the development split, the epochs of the tokeniser and the cost of " +
    "ends of sentences were chosen, and confidences were calibrated.";
  const vectorsOf =
    "Word vectors of [GloVe](https://nlp.stanford.edu/projects/glove/) (public domain) come from the npm package " +
    `\`${vectors?.package}\`.`;
  const taught = silver === undefined ? [] : [silverOf(silver)];
  const words = lexicon === undefined ? [] : [`Lemmas of more words come from ${lexicon.text}.`];
  return [...sources, ...taught, ...words, vectors === undefined ? use : `${use} ${vectorsOf}`];
}

function sourceOf({ select, text, credit, license }, { name, version, sentences, isHeldOut }) {
  const count = Object.values(sentences).reduce((sum, one) => sum + one, 0);
  const of = text === undefined ? "" : ` of ${text}`;
  const rights = [credit, license].filter((one) => one !== undefined);
  // A treebank that only has the form of Universal Dependencies has no page there.
  const isPublished = /^UD_\w+-\w+$/.test(name);
  const title = isPublished ? `[${name}](${addressOf(name)})` : name;
  const release = version === undefined ? "" : ` ${version}`;
  const annotators = isPublished ? ", annotated by the Universal Dependencies project" : "";
  return [
    `${title}${release}: ${count.toLocaleString("en")} sentences${of}${annotators}; ${rights.join(", ")}.`,
    ...(select === undefined ? [] : [`Only documents whose sent_id matches \`${select}\` are used.`]),
    ...(isHeldOut
      ? [
          `It has no development split: the last ${sentences.dev} sentences of the training split are held out as one.`,
        ]
      : []),
  ].join(" ");
}

function silverOf({ file, text, credit, license, teacher }) {
  const count = teacher.seeds.length;
  return (
    `${text}; ${credit}, ${license}. No people annotated it: the model learned the trees on which ${count} ` +
    `larger models with a pretrained encoder agree, \`tools/models/silver/${file}\` of the repository.`
  );
}

function commandOf(
  name,
  { package: packageName, vectors, lexicon, treebanks, settings, license, isGeneral },
) {
  const folders = treebanks.map((treebank) => treebank.name).join(" ");
  if (isGeneral)
    return `npm run model -- ${packageName} --treebank ${folders} --license ${license} --settings '${JSON.stringify(settings)}'`;
  const packages = [vectors?.package, lexicon?.package].filter((one) => one !== undefined);
  return [
    `# in a clone of arcwise; tools/models/recipes/${name}.json has the options`,
    ...(packages.length === 0 ? [] : [installCommand(name, packages)]),
    `npm run model -- ${name} --fetch`,
  ].join("\n");
}

function figuresTable({ name, version, figures }) {
  const genres = figures.length > 1 ? ", by genre" : "";
  return {
    title: `From raw text, on the test split of ${treebankNames([{ name, version }])}${genres}, F1 in per cent:`,
    columns: ["genre", "words", ...METRICS],
    rows: figures.map((row) => [row.genre, row.words, ...METRICS.map((metric) => row[metric])]),
  };
}

/** The table of the grid of everyday English, by kind of construction. */
function gridFigures(rows) {
  return {
    title:
      "Sentences of everyday constructions, `packages/english/test/grammar` of the repository, whose root and named " +
      "relations are right, in per cent: all, those with words that frames may have, and those with words that no frame has:",
    columns: ["kind", "sentences", "all", "words of frames", "words of no frame"],
    rows,
  };
}

function speedTable(treebanks, processor) {
  return {
    title: "Speed from raw text on one thread, without loading, when the figures above were measured:",
    columns: ["test split", "words per second of processor time", "processor"],
    rows: treebanks.map(({ name, wordsPerSecond }) => [name, wordsPerSecond, processor]),
  };
}

function listOf(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
