import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type CommandFactory, type Io, status } from "@arcwise/bench/command";
import { dataFolder, planFile, REPOSITORY, readSplit, SAMPLE } from "@arcwise/bench/data";
import { processorTime } from "@arcwise/bench/measures";
import { replaceOutput } from "@arcwise/cli/command";
import { saveParser, trainParser } from "@arcwise/parser";
import { Command } from "commander";
import { ad3 } from "./experiments/ad3.ts";
import { averaging } from "./experiments/averaging.ts";
import { climb } from "./experiments/climb.ts";
import { collins } from "./experiments/collins.ts";
import { condition } from "./experiments/condition.ts";
import { generalisation } from "./experiments/generalisation.ts";
import { maxent } from "./experiments/maxent.ts";
import { mixing } from "./experiments/mixing.ts";
import { optimality } from "./experiments/optimality.ts";
import { paths } from "./experiments/paths.ts";
import { sequences } from "./experiments/sequences.ts";
import { sweeps } from "./experiments/sweeps.ts";

/** The experiments, in the order of their runs by `all`. */
export const EXPERIMENTS = {
  ...{ generalisation, paths, optimality, condition, averaging, climb, ad3 },
  ...{ mixing, maxent, sweeps, collins, sequences },
} as const satisfies Readonly<Record<string, CommandFactory>>;

/** The corpora and treebanks of the folder of data. */
const DATA = {
  brown: "sequence/brown.tagged.txt",
  conll2000: "sequence/conll2000",
  conll2002: "sequence/conll2002",
  english: "treebanks/UD_English-EWT",
  gothic: "treebanks/UD_Gothic-PROIEL",
  french: "treebanks/UD_French-Sequoia",
} as const;

interface PlannedRun {
  readonly experiment: keyof typeof EXPERIMENTS;
  /** The end of its name, of experiments that run more than once. */
  readonly on?: string;
  /** `own`: the treebank of `all`. */
  readonly treebank?: "own" | keyof typeof DATA;
  /** Whether it reads the scores of the third-order model. */
  readonly scored?: true;
  readonly needs?: readonly (keyof typeof DATA)[];
  /** Arguments, without quick ones: those of the notes on experiments. */
  readonly argv?: readonly string[];
  /** Whether `--quick` leaves it out. */
  readonly long?: true;
}

const words = (text: string): string[] => text.split(" ");
const CONDITION = [...words("--seeds 1 --losses"), "(1)", "(1) and (2), search"];
const ONCE_PER_EPOCH = words("--mixing uniform --mixes 0 --average-after 0");

const RUNS: readonly PlannedRun[] = [
  { experiment: "generalisation" },
  { experiment: "paths", treebank: "own" },
  { experiment: "optimality", treebank: "own" },
  { experiment: "condition", treebank: "own", argv: CONDITION },
  { experiment: "averaging", treebank: "own" },
  { experiment: "climb", treebank: "own", scored: true },
  { experiment: "ad3", treebank: "own", scored: true },
  {
    experiment: "mixing",
    treebank: "own",
    needs: ["conll2002"],
    argv: [...words("--test --learner perceptron --shards 2 5 10 20 --epochs 30"), ...ONCE_PER_EPOCH],
  },
  {
    experiment: "maxent",
    needs: ["brown", "conll2000"],
    argv: words(
      "--corpus conll2000 --method cd scgis gis iis lbfgs --reference 900 --seconds 300 --iterations 100000",
    ),
  },
  // More sentences than either corpus has.
  { experiment: "sweeps", needs: ["brown", "conll2000"], argv: words("--sentences 50000") },
  { experiment: "collins", needs: ["conll2000", "english"] },
  { experiment: "sequences", needs: ["conll2000", "conll2002", "english"] },
  { experiment: "optimality", on: "gothic", treebank: "gothic", long: true },
  { experiment: "optimality", on: "french", treebank: "french", long: true },
  { experiment: "condition", on: "gothic", treebank: "gothic", argv: CONDITION, long: true },
  {
    experiment: "mixing",
    on: "english",
    treebank: "english",
    argv: [...words("--no-names --learner perceptron --shards 10 --epochs 10 --test"), ...ONCE_PER_EPOCH],
    long: true,
  },
  {
    experiment: "mixing",
    on: "separate",
    needs: ["conll2002"],
    argv: words(
      "--sentences 500 --shards 20 --epochs 600 --mixing uniform error --mixes 0 --average-after 0 " +
        "--no-average --no-once --separate",
    ),
    long: true,
  },
  {
    experiment: "maxent",
    on: "brown",
    needs: ["brown"],
    argv: words(
      "--corpus brown --method cd lbfgs --reference 4000 --seconds 900 --iterations 100000 --test 1500",
    ),
    long: true,
  },
];

type ExperimentFolders = Readonly<Record<"folder" | "treebank" | "data", string>> & {
  readonly quick: boolean;
};

const MODEL = "third-order.model";

/** Returns all runs of experiments with their arguments, and the files and folders without which each is left out. */
export function experimentRuns({ folder, treebank: own, data, quick }: ExperimentFolders) {
  const path = (name: keyof typeof DATA): string => join(data, DATA[name]);
  return RUNS.filter(({ long }) => !(quick && long)).map(
    ({ experiment, on, treebank, scored, needs = [], argv = [] }) => {
      const name = on === undefined ? experiment : `${experiment}-${on}`;
      const given = treebank === undefined || treebank === "own" ? [] : [treebank];
      return {
        name,
        command: EXPERIMENTS[experiment],
        argv: [
          ...(treebank === undefined ? [] : ["--treebank", treebank === "own" ? own : path(treebank)]),
          ...(scored ? ["--model", join(folder, MODEL)] : []),
          ...(quick ? ["--quick"] : argv),
          ...["--json", join(folder, `${name}.json`), "--html", join(folder, `${name}.html`)],
        ],
        needs: [...given, ...needs].map(path),
      };
    },
  );
}

interface AllArguments {
  readonly folder: string;
  readonly treebank?: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly quick?: boolean | undefined;
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

async function all(io: Io, { folder, quick = false, only, treebank: given }: AllArguments): Promise<void> {
  const data = dataFolder(io.env);
  const hungarian = join(data, "treebanks", "UD_Hungarian-Szeged");
  const treebank = given ?? (existsSync(hungarian) ? hungarian : SAMPLE);
  const list = experimentRuns({ folder, treebank, data, quick });
  const chosen = list.filter(({ name }) => only?.includes(name) ?? true);
  for (const [i, { name, command, argv, needs }] of chosen.entries()) {
    const missing = needs.find((path) => !existsSync(path));
    const outcome = existsSync(join(folder, `${name}.json`))
      ? "measured before"
      : missing !== undefined && `left out, since ${missing} does not exist`;
    status(io, `${i + 1}/${chosen.length} ${name}${outcome === false ? "" : `: ${outcome}`}`);
    if (outcome !== false) continue;
    const begin = processorTime();
    if (argv.includes("--model")) await trainModel(io, join(folder, MODEL), treebank, quick);
    const experiment = command({ ...io, argv: [command(io).name(), ...argv] });
    await experiment.exitOverride().parseAsync([...argv], { from: "user" });
    status(io, `${name}: ${((processorTime() - begin) / 1000).toFixed(1)} s of processor time`);
  }
}

/** Number of training sentences of the third-order model with `--quick`. */
const QUICK_SENTENCES = 60;

/** Trains the third-order model, if it does not exist. */
async function trainModel(io: Io, model: string, treebank: string, quick: boolean): Promise<void> {
  if (existsSync(model)) return;
  status(io, "training a third-order parser");
  const train = readSplit(treebank, "train").slice(0, quick ? QUICK_SENTENCES : undefined);
  const options = { preset: "linear", order: 3, decoder: "ad3", epochs: quick ? 1 : 5 } as const;
  const planned = await planFile(dirname(model), basename(model));
  await replaceOutput(planned, saveParser(await trainParser(train, options)));
}
