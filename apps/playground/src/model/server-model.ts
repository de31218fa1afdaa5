import { type ConlluSentence, sentenceFromJson, viewSentence, writeConllu } from "@arcwise/conllu";
import { noInput, type RemotePipeline, type RunOptions } from "@arcwise/pipeline";
import type { HostModel } from "../app/host.ts";

type ParseConstraints = NonNullable<ReturnType<NonNullable<RunOptions["constraints"]>>>;

/** The answer of `/v1/parse`. */
interface Parsed {
  readonly sentences: readonly unknown[];
  readonly failures: readonly { readonly error: { readonly message: string } }[];
  readonly mostlyUnknown: boolean;
}

/** Returns constraints of a sentence as `/v1/parse` takes them: what is known of each word. */
function listed({ heads = new Int32Array(), labels = [] }: ParseConstraints = {}): object[] {
  return Array.from(heads, (head, word) => ({
    word,
    ...(head >= 0 && { head }),
    ...(labels[word] && { deprel: labels[word] }),
  })).filter((one, word) => word > 0 && Object.keys(one).length > 1);
}

/** What `/v1/parse` does not answer. */
const BY_PAGE = "probabilities, further trees, other decoders, their steps and explanations";

/** Returns a model that parses at the server of the page. Methods reject with the message of the server. */
export function serverModel({ name, language, parse }: HostModel) {
  const ask = async (fields: object, options: RunOptions = {}) => {
    const { lines, signal, onMostlyUnknown } = options;
    const body = JSON.stringify({ model: name, lines, ...fields });
    const headers = { "content-type": "application/json" };
    const response = await fetch(parse!, { method: "POST", headers, body, signal: signal ?? null });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error?.message ?? `${parse}: status ${response.status}`);
    const { sentences, failures, mostlyUnknown }: Parsed = answer;
    const [failure] = failures;
    if (failure !== undefined) throw new Error(failure.error.message);
    // The counts stay at the server.
    if (mostlyUnknown) onMostlyUnknown?.(noInput());
    return sentences.map(sentenceFromJson);
  };
  const nlp: Omit<RemotePipeline, "stream"> = {
    run: (text, options) => ask({ text }, options),
    annotate: async (given, { tags, deps, constraints, ...options } = {}) => {
      const sentences = [...given];
      const isConllu = sentences.every((one): one is ConlluSentence => "rows" in one);
      if (!isConllu) return ask({ sentences }, options);
      const fixed = constraints && sentences.map((one, i) => listed(constraints(viewSentence(one), i)));
      return ask({ conllu: writeConllu(sentences), tags, deps, constraints: fixed }, options);
    },
    ready: async () => ({ language, columns: undefined, tagged: [], graphs: undefined }),
  };
  const call = (_: string): Promise<never> =>
    Promise.reject(new Error(`${name} parses at the server: ${BY_PAGE} need a model in the page.`));
  return { name, source: { kind: "server" }, nlp, call } as const;
}
