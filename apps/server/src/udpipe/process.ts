import type { ConlluSentence, Row, WordRow } from "@arcwise/conllu";
import type { AnalysisSettings } from "@arcwise/pipeline";
import { ref } from "../api/schemas.ts";
import { analyse, countsOf, isFailure } from "../routes/analyse.ts";
import { type FieldTable, text } from "../routes/fields.ts";
import type { Plan, ReadTask } from "../routes/plan.ts";
import { type PieceContext, type Route, writtenText } from "../routes/route.ts";
import { version } from "../version.ts";
import { INPUT_FORMATS, inputOf, sentencesIn } from "./inputs.ts";
import { OUTPUT_FORMATS, outputWriter } from "./outputs.ts";
import { parametersOf } from "./parameters.ts";
import type { SpaceOptions } from "./spaces.ts";

interface ProcessSettings {
  readonly output: string;
  readonly tag: boolean;
  readonly parse: boolean;
  readonly tags: NonNullable<AnalysisSettings["tags"]>;
  readonly spaces: SpaceOptions | undefined;
}

const VERSION = version();

/** The parameters of `/process`. */
const FIELDS: FieldTable = {
  data: { ...text("the input"), isRequired: true },
  model: text("the name of a model, or what is left of it before a hyphen"),
  input: text(`the format of the input: ${INPUT_FORMATS.join(", ")}; conllu by default`),
  tokenizer: text("data is raw text to be cut; options: ranges, presegmented, normalized_spaces"),
  tagger: text("words get tags and lemmas; the value may be empty"),
  parser: text("words get heads and relations; the value may be empty"),
  output: text(
    `the format of the output: ${OUTPUT_FORMATS.join(", ")}; conllu by default; options: horizontal=paragraphs, ` +
      "vertical=paragraphs, plaintext=normalized_spaces",
  ),
};

/** `/process`: JSON whose `result` is the output. */
export const processRoute: Route<ProcessSettings> = {
  summary: "Process data, as the REST service of UDPipe 2",
  answers: { json: ref("Processed") },
  isForm: true,
  fields: () => FIELDS,
  async read(task: ReadTask): Promise<Plan<ProcessSettings>> {
    const parameters = await parametersOf(task);
    const output = parameters.get("output") ?? "conllu";
    outputWriter(output, "", 0);
    const { source, spaces, isTagged } = inputOf(parameters, task.limits);
    const [tag, parse] = [parameters.has("tagger"), parameters.has("parser")];
    const tags = !tag && isTagged ? "given" : "predicted";
    return {
      ...{ model: parameters.get("model"), source, format: "json" },
      settings: { output, tag, parse, tags, spaces },
    };
  },
  analyses: ({ tag, parse }) => tag || parse,
  sentences: (piece, { spaces }) => sentencesIn(piece, spaces),
  write(context) {
    const { settings, from, piece } = context;
    const writer = outputWriter(settings.output, "", from);
    const sentences = analysed(context);
    let found = "";
    for (const sentence of sentences) found += writer.sentence(sentence);
    const isLast = context.only === undefined || context.only === piece.count - 1;
    if (isLast) found += writer.rest?.(piece.next) ?? "";
    const counts = settings.tag || settings.parse ? countsOf(sentences as never) : {};
    return writtenText(inString(found), context, counts);
  },
  frame({ output }, model) {
    const header = `# generator = Arcwise ${VERSION}\n# udpipe_model = ${model}\n`;
    const { start = "", end = "" } = outputWriter(output, header, 0);
    const begin = JSON.stringify({ model, acknowledgements: [], result: start }, undefined, 1);
    return { start: begin.slice(0, -'"\n}'.length), between: "", end: () => `${inString(end)}"\n}\n` };
  },
};

/** Returns a text as a part of a string of JSON. */
function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Returns sentences with new tags, a new tree, or both. */
function analysed(context: PieceContext<ProcessSettings>): readonly ConlluSentence[] {
  const { sentences, settings } = context;
  const { tag, parse, tags } = settings;
  if (!tag && !parse) return sentences;
  return analyse(context, { tags }).found.map(([result], k) => {
    if (isFailure(result!)) throw result.error;
    return tag && parse ? result! : merged(sentences[k]!, result!, tag);
  });
}

/** Returns a sentence with the tags, or else the tree, of another one with the same words. */
function merged(before: ConlluSentence, after: ConlluSentence, tag: boolean): ConlluSentence {
  const [columns, others] = tag ? [after, before] : [before, after];
  const tags = new Map<number, WordRow>();
  for (const row of columns.rows) if (row.kind === "word") tags.set(row.id, row);
  const rows = others.rows.map((row): Row => {
    if (row.kind !== "word") return row;
    const { lemma, upos, xpos, feats } = tags.get(row.id)!;
    return { ...row, lemma, upos, xpos, feats };
  });
  return { ...others, rows };
}
