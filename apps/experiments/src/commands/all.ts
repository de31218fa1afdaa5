import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type CommandFactory, type Io, status } from "@arcwise/bench/command";
import { dataFolder, planFile, REPOSITORY, readSplit, SAMPLE } from "@arcwise/bench/data";
import { processorTime } from "@arcwise/bench/measures";
import { replaceOutput } from "@arcwise/cli/command";
import { saveParser, trainParser } from "@arcwise/parser";
import { Command } from "commander";
import { ad3Command } from "./ad3.ts";
import { averagingCommand } from "./averaging.ts";
import { calibrationCommand } from "./calibration.ts";
import { climbCommand } from "./climb.ts";
import { collinsCommand } from "./collins.ts";
import { conditionCommand } from "./condition.ts";
import { generalisationCommand } from "./generalisation.ts";
import { maxentCommand } from "./maxent.ts";
import { mixingCommand } from "./mixing.ts";
import { optimalityCommand } from "./optimality.ts";
import { pathsCommand } from "./paths.ts";
import { sequencesCommand } from "./sequences.ts";
import { sweepsCommand } from "./sweeps.ts";

interface AllArguments {
  readonly folder: string;
  readonly treebank?: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly quick?: boolean | undefined;
}

/** An experiment with its arguments. */
export interface Experiment {
  readonly name: string;
  readonly command: CommandFactory;
  readonly argv: readonly string[];
  /** Files and folders without which it is left out. */
  readonly needs: readonly string[];
  /** The third-order model that it reads, which is trained when it does not exist. */
  readonly model?: string | undefined;
}

/** `arcwise-experiments all`: all experiments, each with a file of results. */
export const allCommand: CommandFactory = (io) =>
  new Command("all")
    .description("run all experiments; each writes its results to NAME.json and NAME.html in a folder")
    .option("--folder <dir>", "folder of the results", join(REPOSITORY, "reports", "experiments"))
    .option("--treebank <dir>", "the treebank of parsers (UD_Hungarian-Szeged of the data, or the sample)")
    .option("--only <name...>", "only these experiments")
    .option("--quick", "few sentences and short times: to try it out")
    .addHelpText("after", "\nExperiments whose results exist are not run again; an interrupted one resumes.")
    .action((options: AllArguments) => all(io, options));

/** Number of training sentences of the third-order model with `--quick`. */
const QUICK_SENTENCES = 60;

async function all(io: Io, options: AllArguments): Promise<void> {
  const { folder, quick = false } = options;
  const treebank = options.treebank ?? treebankOf(io);
  const list = experimentsOf({ folder, treebank, data: dataFolder(io.env), quick });
  const chosen = list.filter(({ name }) => options.only === undefined || options.only.includes(name));
  for (const [i, experiment] of chosen.entries()) {
    const { name, needs } = experiment;
    const missing = needs.find((path) => !existsSync(path));
    const outcome = existsSync(join(folder, `${name}.json`))
      ? "measured before"
      : missing !== undefined && `left out, since ${missing} does not exist`;
    status(io, `${i + 1}/${chosen.length} ${name}${outcome === false ? "" : `: ${outcome}`}`);
    if (outcome !== false) continue;
    const begin = processorTime();
    await measure(io, experiment, treebank, quick);
    status(io, `${name}: ${((processorTime() - begin) / 1000).toFixed(1)} s of processor time`);
  }
}

async function measure(io: Io, experiment: Experiment, treebank: string, quick: boolean): Promise<void> {
  const { name, command, argv, model } = experiment;
  if (model !== undefined && !existsSync(model)) {
    status(io, `${name}: training a third-order parser`);
    const options = { preset: "linear", order: 3, decoder: "ad3", epochs: quick ? 1 : 5 } as const;
    const train = readSplit(treebank, "train").slice(0, quick ? QUICK_SENTENCES : undefined);
    const planned = await planFile(dirname(model), basename(model));
    await replaceOutput(planned, saveParser(await trainParser(train, options)));
  }
  await command({ ...io, argv: [command(io).name(), ...argv] })
    .exitOverride()
    .parseAsync([...argv], { from: "user" });
}

/** Returns a treebank of the data, or else the sample. */
function treebankOf({ env }: Io): string {
  const hungarian = join(dataFolder(env), "treebanks", "UD_Hungarian-Szeged");
  return existsSync(hungarian) ? hungarian : SAMPLE;
}

/** Where experiments read and write. */
export interface ExperimentFolders {
  readonly folder: string;
  readonly treebank: string;
  readonly data: string;
  readonly quick: boolean;
}

/** Without `--quick`: the arguments of the notes on experiments. */
const CONDITION = ["--seeds", "1", "--losses", "(1)", "(1) and (2), search"];
const ONCE_PER_EPOCH = ["--mixing", "uniform", "--mixes", "0", "--threads", "0", "--average-after", "0"];
const MIXING = [
  "--learner",
  "perceptron",
  "--shards",
  "2",
  "5",
  "10",
  "20",
  "--epochs",
  "30",
  ...ONCE_PER_EPOCH,
];
const MIXING_LARGE = [
  ...[
    "--no-names",
    "--learner",
    "perceptron",
    "--shards",
    "10",
    "--epochs",
    "10",
    ...ONCE_PER_EPOCH,
    "--test",
  ],
];
const MIXING_SEPARATE = [
  ...[
    "--sentences",
    "500",
    "--shards",
    "20",
    "--epochs",
    "600",
    "--mixing",
    "uniform",
    "error",
    "--mixes",
    "0",
    "--threads",
    "0",
  ],
  ...["--average-after", "0", "--no-average", "--no-once", "--separate"],
];
const MAXENT_BROWN = [
  ...["--corpus", "brown", "--method", "cd", "lbfgs", "--reference", "4000", "--seconds", "900"],
  ...["--iterations", "100000", "--test", "1500"],
];
const MAXENT_CONLL = [
  ...["--corpus", "conll2000", "--method", "cd", "scgis", "gis", "iis", "lbfgs", "--reference", "900"],
  ...["--seconds", "300", "--iterations", "100000"],
];
/** More sentences than either corpus has. */
const SWEEPS = ["--sentences", "50000"];

/** Returns all experiments with their arguments. */
export function experimentsOf(folders: ExperimentFolders): Experiment[] {
  const { folder, quick } = folders;
  const list = quick ? shared(folders) : [...shared(folders), ...whole(folders)];
  return list.map((experiment) => ({
    ...experiment,
    argv: [
      ...experiment.argv,
      ...["--json", join(folder, `${experiment.name}.json`)],
      ...["--html", join(folder, `${experiment.name}.html`)],
      ...(quick ? ["--quick"] : []),
    ],
  }));
}

/** Returns the experiments that `--quick` has as well. */
function shared({ folder, treebank, data, quick }: ExperimentFolders): Experiment[] {
  const files = dataFiles(data);
  const unlessQuick = (argv: readonly string[]): readonly string[] => (quick ? [] : argv);
  const onTreebank = (name: string, command: CommandFactory, argv: readonly string[] = []): Experiment => ({
    name,
    command,
    argv: ["--treebank", treebank, ...argv],
    needs: [],
  });
  const model = join(folder, "third-order.model");
  const onModel = (name: string, command: CommandFactory): Experiment => ({
    ...onTreebank(name, command, ["--model", model]),
    model,
  });
  return [
    { name: "generalisation", command: generalisationCommand, argv: [], needs: [] },
    onTreebank("paths", pathsCommand),
    onTreebank("optimality", optimalityCommand),
    onTreebank("condition", conditionCommand, unlessQuick(CONDITION)),
    onTreebank("averaging", averagingCommand),
    onTreebank("calibration", calibrationCommand),
    onModel("climb", climbCommand),
    onModel("ad3", ad3Command),
    {
      name: "mixing",
      command: mixingCommand,
      argv: ["--test", "--treebank", treebank, ...unlessQuick(MIXING)],
      needs: [files.conll2002],
    },
    {
      name: "maxent",
      command: maxentCommand,
      argv: unlessQuick(MAXENT_CONLL),
      needs: [...(quick ? [files.brown] : []), files.conll2000],
    },
    {
      name: "sweeps",
      command: sweepsCommand,
      argv: unlessQuick(SWEEPS),
      needs: [files.brown, files.conll2000],
    },
    { name: "collins", command: collinsCommand, argv: [], needs: [files.conll2000, files.english] },
    {
      name: "sequences",
      command: sequencesCommand,
      argv: ["--data", data],
      needs: [files.conll2000, files.conll2002, files.brown],
    },
  ];
}

/** Returns the experiments on further data. */
function whole({ data }: ExperimentFolders): Experiment[] {
  const { brown, conll2002, english, gothic, french } = dataFiles(data);
  const onTreebank = (name: string, command: CommandFactory, path: string, argv: readonly string[] = []) => ({
    name,
    command,
    argv: ["--treebank", path, ...argv],
    needs: [path],
  });
  return [
    onTreebank("optimality-gothic", optimalityCommand, gothic),
    onTreebank("optimality-french", optimalityCommand, french),
    onTreebank("condition-gothic", conditionCommand, gothic, CONDITION),
    onTreebank("mixing-english", mixingCommand, english, MIXING_LARGE),
    { name: "mixing-separate", command: mixingCommand, argv: MIXING_SEPARATE, needs: [conll2002] },
    { name: "maxent-brown", command: maxentCommand, argv: MAXENT_BROWN, needs: [brown] },
  ];
}

/** Returns the corpora and treebanks of the folder of data. */
function dataFiles(
  data: string,
): Readonly<Record<"brown" | "conll2000" | "conll2002" | "english" | "gothic" | "french", string>> {
  const [sequence, treebanks] = [join(data, "sequence"), join(data, "treebanks")];
  return {
    brown: join(sequence, "brown.tagged.txt"),
    conll2000: join(sequence, "conll2000"),
    conll2002: join(sequence, "conll2002"),
    english: join(treebanks, "UD_English-EWT"),
    gothic: join(treebanks, "UD_Gothic-PROIEL"),
    french: join(treebanks, "UD_French-Sequoia"),
  };
}
