import "./search.css";
import { writeConllu } from "@arcwise/conllu";
import { useEffect, useMemo, useState } from "preact/hooks";
import { keepInAddress, navigate, route } from "../app/router.ts";
import { current, sentences } from "../app/store.ts";
import { contentOf } from "../correct/document.ts";
import { openFileText } from "../correct/files.ts";
import { treebank } from "../correct/state.ts";
import { OpenButton } from "../correct/view/toolbar.tsx";
import { Tree } from "../shared/tree.tsx";
import { type Findings, find, type Hit } from "./find.ts";

const EXAMPLES = [
  "{upos:VERB} >obj {}=object",
  "{upos:NOUN} !>det {}",
  "{} >nsubj {} >/obl.*/ {}",
  "{deprel:/acl.*/}",
];
/** Sentences that are drawn at a time. */
const SHOWN = 20;

/** The view Search: sentences that a pattern matches, with the matched words marked. */
export function SearchView() {
  const [pattern, setPattern] = useState(route.peek().parameters.pattern ?? EXAMPLES[0]!);
  const document = treebank.value;
  const parsed = sentences.value;
  const searched = useMemo(
    () => (document === undefined ? parsed : document.sentences.map((one) => contentOf(one).sentence)),
    [document, parsed],
  );
  const { found, error } = useSearch(searched, pattern);
  const [limit, setLimit] = useState(SHOWN);
  useEffect(() => {
    keepInAddress({ pattern });
    setLimit(SHOWN);
  }, [pattern]);
  const show = ({ index, words }: Hit) => {
    if (document === undefined) {
      openFileText("parsed.conllu", writeConllu(parsed));
      current.value = index;
    }
    navigate("correct", { sentence: `${index + 1}`, word: `${words[0] ?? 1}` });
  };
  return (
    <div class="search">
      <div class="card search-form">
        <label class="field">
          <span>Pattern, in the language of Semgrex</span>
          <input
            type="search"
            class="pattern"
            value={pattern}
            spellcheck={false}
            autocomplete="off"
            aria-invalid={error !== undefined || undefined}
            onInput={(event) => setPattern(event.currentTarget.value)}
          />
        </label>
        <div class="row">
          {EXAMPLES.map((example) => (
            <button key={example} type="button" class="small" onClick={() => setPattern(example)}>
              <code>{example}</code>
            </button>
          ))}
        </div>
        <p role="status" class={error === undefined ? "soft" : "error"}>
          {error ?? summary(found)}{" "}
          {error === undefined && `In ${document?.name ?? "the sentences of the view Parse"}.`}
        </p>
        {found?.notes.map((note) => (
          <p key={note}>{note}.</p>
        ))}
        {document === undefined && (
          <div class="row">
            <OpenButton />
            <span class="soft">or drop a CoNLL-U file on the page.</span>
          </div>
        )}
      </div>
      <ol class="hits" aria-label="Sentences that match">
        {found?.hits.slice(0, limit).map((hit) => (
          <li key={hit.index} class="card">
            <header class="row">
              <span class="soft">Sentence {(hit.index + 1).toLocaleString("en")}</span>
              {hit.matches > 1 && <span class="badge">{hit.matches} matches</span>}
              <button type="button" class="small" onClick={() => show(hit)}>
                Open in Correct
              </button>
            </header>
            <HitTree hit={hit} onPick={() => show(hit)} />
          </li>
        ))}
      </ol>
      {found !== undefined && found.hits.length > limit && (
        <button type="button" class="more-hits" onClick={() => setLimit(limit + 2 * SHOWN)}>
          Show more of {found.hits.length.toLocaleString("en")} sentences
        </button>
      )}
    </div>
  );
}

function HitTree({ hit: { sentence, words }, onPick }: { readonly hit: Hit; readonly onPick: () => void }) {
  const options = useMemo(() => ({ marked: [...words] }), [words]);
  return <Tree sentence={sentence} options={options} onPick={onPick} />;
}

function summary(found: Findings | undefined): string {
  if (found === undefined) return "Searching…";
  const { matches, hits, searched, isDone } = found;
  const number = (count: number, noun: string, plural = `${noun}s`) =>
    `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
  const where = `${number(matches, "match", "matches")} in ${number(hits.length, "sentence")} of ${searched.toLocaleString("en")}`;
  return isDone ? `${where}.` : `${where} so far…`;
}

/** Searches again whenever the pattern or the sentences change. */
function useSearch(searched: Parameters<typeof find>[0], pattern: string) {
  const [state, setState] = useState<{
    readonly found?: Findings | undefined;
    readonly error?: string | undefined;
  }>({});
  useEffect(() => {
    let isCurrent = true;
    const run = async () => {
      try {
        for (const found of find(searched, pattern)) {
          if (!isCurrent) return;
          setState({ found });
          await new Promise((resolve) => setTimeout(resolve));
        }
      } catch (error) {
        if (isCurrent) setState({ error: (error as Error).message });
      }
    };
    // A pattern is not searched for while it is typed.
    const timer = setTimeout(() => void run(), 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [searched, pattern]);
  return state;
}
