import { type CommandFactory, type Examples, exampleLines } from "../command/options.ts";

/** Loads a command with what it alone needs. */
type Loader = () => Promise<CommandFactory>;

interface CommandGroup {
  readonly commands: Readonly<Record<string, Loader>>;
  readonly examples: Examples;
}

/** The commands by what they are for, in the order of help. */
export const GROUPS: Readonly<Record<string, CommandGroup>> = {
  Everyday: {
    commands: {
      parse: async () => (await import("./parse.ts")).parseCommand,
      run: async () => (await import("./parse.ts")).runCommand,
      search: async () => (await import("./search.ts")).searchCommand,
      convert: async () => (await import("./convert.ts")).convertCommand,
      info: async () => (await import("./info.ts")).infoCommand,
      serve: async () => (await import("./serve.ts")).serveCommand,
    },
    examples: [
      ['arcwise parse english "Dogs bark at the mail."', "draw a tree"],
      ["arcwise parse english text.txt -o trees.html", "or .conllu, .json, .svg"],
      ["arcwise search '{upos:VERB} >obj {}' trees.conllu", "find relations"],
      ["arcwise serve english", "a page, and REST"],
    ],
  },
  Treebanks: {
    commands: {
      evaluate: async () => (await import("./evaluate.ts")).evaluateCommand,
      validate: async () => (await import("./validate.ts")).validateCommand,
      annotate: async () => (await import("./annotate.ts")).annotateCommand,
      text: async () => (await import("./text.ts")).textCommand,
    },
    examples: [
      ["arcwise evaluate gold.conllu parsed.conllu --errors", "score, and errors"],
      ["arcwise validate treebank.conllu", "everything that is wrong"],
      ["arcwise annotate trees.conllu --model english", "correct trees in a page"],
      ["arcwise convert --deps enhance trees.conllu", "enhanced dependencies"],
    ],
  },
  Training: {
    commands: {
      train: async () => (await import("./train.ts")).trainCommand,
      tag: async () => (await import("./tag.ts")).tagCommand,
      cascade: async () => (await import("./cascade.ts")).cascadeCommand,
      vectors: async () => (await import("./vectors.ts")).vectorsCommand,
      templates: async () => (await import("./templates.ts")).templatesCommand,
      package: async () => (await import("./package.ts")).packageCommand,
    },
    examples: [
      ["arcwise train --train a.conllu --model my.model", "text to trees"],
      ["arcwise vectors --lexicon fra.tsv --out words.vec", "vectors for train"],
      ["arcwise package my.model --name @me/french", "a package of npm"],
    ],
  },
  Machines: {
    commands: {
      worker: async () => (await import("../cluster/worker.ts")).workerCommand,
      status: async () => (await import("../cluster/status.ts")).statusCommand,
      step: async () => (await import("../cluster/step.ts")).stepCommand,
      plan: async () => (await import("../cluster/plan.ts")).planCommand,
    },
    examples: [
      ["arcwise worker --queue redis://one --store /srv/a", "do jobs of others"],
      ["arcwise status --queue redis://one", "what is done and waits"],
      ["arcwise plan --for slurm --processes 4 -- train ...", "for a scheduler"],
    ],
  },
};

/** All commands by their names. */
export const COMMANDS: Readonly<Record<string, Loader>> = Object.assign(
  {},
  ...Object.values(GROUPS).map(({ commands }) => commands),
);

/** Returns the heading of a command in the help of all commands. */
export function groupOf(name: string): string {
  return Object.keys(GROUPS).find((group) => Object.hasOwn(GROUPS[group]!.commands, name))!;
}

/** Returns the help of the program: the names of all commands, and examples. It fits on a screen. */
export function programHelp(): string {
  const groups = Object.entries(GROUPS).map(
    ([group, { commands, examples }]) =>
      `${group}: ${Object.keys(commands).join(", ")}\n${exampleLines(examples)}\n`,
  );
  return `Usage: arcwise COMMAND [arguments] [options]\n\n${groups.join("\n")}\n${PROGRAM_END}`;
}

const PROGRAM_END = `arcwise COMMAND --help explains a command; --help --all prints everything.
Files are CoNLL-U or text; - is the standard input or output; .gz is (un)packed.
Exit codes: 0 done, 1 data, 2 usage, 3 fault, 4 incomplete, 130 stopped.
`;
