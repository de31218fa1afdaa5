import { requireSameEncoder } from "@arcwise/core/encoders";
import { ArcwiseError, errorKind } from "@arcwise/core/errors";
import { checkArgument, checkOptions, defineOptions, number, type OptionsOf } from "@arcwise/core/options";
import type {
  AnalysisResults,
  GraphResults,
  GraphTask,
  PipelineFacts,
  SentenceResult,
  SentenceTask,
} from "./analysis.ts";
import type { Pipeline } from "./assemble.ts";
import { AsyncPipeline, analysisOf, aPipeline, type RemotePipeline } from "./elsewhere.ts";
import type { AnalysisSettings } from "./run-options.ts";
import type { Analyser, SessionOptions } from "./runner.ts";

/** The options of `openCascade`. */
export const CASCADE_OPTIONS = defineOptions({
  minConfidence: {
    check: number(0, 1),
    default: 0.9,
    help: "sentences whose confidence is lower are read by the second pipeline; learnCascade learns it",
  },
});

/**
 * Options of `openCascade`.
 *
 * @example
 * const options: CascadeOptions = { minConfidence: 0.85 };
 * const cascade = async (slow: EncodedPipeline) => await openCascade(nlp, slow, options);
 */
export interface CascadeOptions extends OptionsOf<typeof CASCADE_OPTIONS> {}

/**
 * Makes a pipeline of two: a quick one reads each sentence, and a slow one, such as a pipeline with an encoder, reads again
 * the sentences of which the quick one is not confident. The second pipeline cuts texts, and finds graphs of given words.
 * The confidence of a sentence is the mean probability of head and label of a word by the first pipeline: the LAS to expect.
 * Either pipeline may be in this thread, in threads (`openPipeline`), or at the end of a channel.
 *
 * Sentences that the first pipeline cannot read are read by the second one, unless the call itself is wrong. `kBest`,
 * `marginals` and the other options hold for both. Cost: the first pipeline's, a fifth more for probabilities, and the
 * second's for a share of the sentences.
 *
 * @throws ArcwiseError `invalid-argument` if the pipelines fill in other columns or graphs; `missing-encoder` if one of them
 *   lacks its encoder; `unknown-option`, `invalid-option`
 *
 * @example
 * const open = (encoder: Encoder) => openCascade(nlp, createPipeline(model, { encoder }), { minConfidence: 0.85 });
 * const parsed = async (encoder: Encoder) => (await open(encoder)).run("Dogs bark.");
 */
export async function openCascade(
  first: Pipeline | RemotePipeline,
  second: Pipeline | RemotePipeline,
  options?: CascadeOptions,
): Promise<RemotePipeline> {
  const { minConfidence } = checkOptions(CASCADE_OPTIONS, options, "openCascade");
  const facts = await cascadeFacts(first, second, "openCascade");
  const [quick, slow] = [first, second].map((pipeline) => analysisOf(pipeline as RemotePipeline));
  return new Cascade(quick!, slow!, facts, minConfidence);
}

/** Returns the facts of a cascade. */
export async function cascadeFacts(
  first: Pipeline | RemotePipeline,
  second: Pipeline | RemotePipeline,
  where: string,
): Promise<PipelineFacts> {
  checkArgument(aPipeline, first, `${where}: first`);
  checkArgument(aPipeline, second, `${where}: second`);
  const [quick, slow] = await Promise.all([factsOf(first), factsOf(second)]);
  for (const [what, of] of COMPARED) requireEqual(where, what, of(quick), of(slow));
  // The first pipeline is given all words; both have their encoders.
  return { ...slow, columns: quick.columns, encoder: undefined };
}

/** Columns that two pipelines must both fill in, as text. */
const COMPARED: readonly (readonly [what: string, of: (facts: PipelineFacts) => string])[] = [
  ["columns", ({ tagged }) => [...tagged].sort().join(", ")],
  ["graphs", ({ graphs }) => graphs?.kind ?? ""],
];

function requireEqual(where: string, what: string, first: string, second: string): void {
  if (first === second) return;
  const [expected, found] = [second, first].map((list) =>
    list === "" ? `no ${what}` : `the ${what} ${list}`,
  );
  const message = `${where}: expected a first pipeline that fills in ${expected}, as the second does, found ${found}`;
  throw new ArcwiseError("invalid-argument", message, { at: where, expected, found });
}

/** Returns the facts of a pipeline that has its encoder. */
async function factsOf(pipeline: Pipeline | RemotePipeline): Promise<PipelineFacts> {
  if (!("facts" in pipeline)) return pipeline.ready();
  requireSameEncoder(pipeline.facts.encoder, undefined);
  return pipeline.facts;
}

/** Whether the first pipeline is not confident of a sentence, or cannot read it; wrong calls are wrong for both. */
export function isForSecond({ error }: SentenceResult): boolean {
  return error !== undefined && errorKind(error) !== "usage";
}

class Cascade extends AsyncPipeline {
  readonly width: number;
  readonly #first: Analyser;
  readonly #second: Analyser;
  readonly #facts: PipelineFacts;
  readonly #minConfidence: number;

  constructor(first: Analyser, second: Analyser, facts: PipelineFacts, minConfidence: number) {
    super();
    this.width = first.width + second.width;
    this.#first = first;
    this.#second = second;
    this.#facts = facts;
    this.#minConfidence = minConfidence;
  }

  async ready(): Promise<PipelineFacts> {
    return this.#facts;
  }

  session(options?: SessionOptions) {
    return this.#second.session(options);
  }

  async analyse(
    tasks: readonly SentenceTask[],
    settings: AnalysisSettings = {},
    signal?: AbortSignal,
  ): Promise<AnalysisResults> {
    const minConfidence = Math.max(this.#minConfidence, settings.minConfidence ?? 0);
    const { results, counts } = await this.#first.analyse(tasks, { ...settings, minConfidence }, signal);
    const asked = [...tasks.keys()].filter((k) => isForSecond(results[k]!));
    if (asked.length === 0) return { results, counts };
    signal?.throwIfAborted();
    const again = await this.#second.analyse(
      asked.map((k) => tasks[k]!),
      settings,
      signal,
    );
    const all = [...results];
    for (const [i, k] of asked.entries()) all[k] = again.results[i]!;
    // The first pipeline was given all words.
    return { results: all, counts };
  }

  async findGraphs(tasks: readonly GraphTask[], signal?: AbortSignal): Promise<GraphResults> {
    return this.#second.findGraphs(tasks, signal);
  }
}
