import "./search.css";
import { useEffect, useMemo } from "preact/hooks";
import { keepInAddress, route } from "../app/router.ts";
import { sentences } from "../app/store.ts";
import { contentOf } from "../correct/document.ts";
import { treebank } from "../correct/state.ts";
import { OpenButton } from "../correct/view/toolbar.tsx";
import { useFirstSentences } from "../model/sentence-picker.tsx";
import { count } from "../shared/controls.tsx";
import { useSearch } from "../shared/use-search.ts";
import { CheatSheet, FromExample } from "./aids.tsx";
import { type Findings, find } from "./find.ts";
import { Results } from "./results.tsx";
import { EXAMPLES, fields, only, pattern, SHAPES, type Shape, shape } from "./state.ts";

/** The view Search: words and relations that a pattern matches, as trees, as lines in context, or counted. */
export function SearchView() {
  useFirstSentences();
  useAddress();
  const document = treebank.value;
  const parsed = sentences.value;
  const searched = useMemo(
    () => (document === undefined ? parsed : document.sentences.map((one) => contentOf(one).sentence)),
    [document, parsed],
  );
  const { found, error } = useSearch(searched, pattern.value, () => find(searched, pattern.value));
  const set = (source: string) => {
    pattern.value = source;
    only.value = {};
  };
  return (
    <div class="search stack">
      <div class="card search-form">
        <label class="field">
          <span>Pattern, in the language of Semgrex</span>
          <input
            type="search"
            class="pattern"
            value={pattern.value}
            spellcheck={false}
            autocomplete="off"
            aria-invalid={error !== undefined || undefined}
            onInput={(event) => set(event.currentTarget.value)}
          />
        </label>
        <div class="row">
          {EXAMPLES.map((example) => (
            <button key={example} type="button" class="small" onClick={() => set(example)}>
              <code>{example}</code>
            </button>
          ))}
        </div>
        <FromExample sentences={searched} onPattern={set} />
        <CheatSheet onPattern={set} />
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
      {found !== undefined && found.matches > 0 && <Results found={found} parsed={parsed} />}
    </div>
  );
}

function summary(found: Findings | undefined): string {
  if (found === undefined) return "Searching…";
  const { matches, hits, searched, isDone } = found;
  const where = `${matches.toLocaleString("en")} ${matches === 1 ? "match" : "matches"} in ${count(hits.length, "sentence")} of ${searched.toLocaleString("en")}`;
  return isDone ? `${where}.` : `${where} so far…`;
}

/** Takes the search of a link, and keeps the search in the address. */
function useAddress(): void {
  useEffect(() => {
    const { pattern: source, show, by } = route.peek().parameters;
    if (source !== undefined) pattern.value = source;
    if (show !== undefined && Object.hasOwn(SHAPES, show)) shape.value = show as Shape;
    if (by !== undefined) fields.value = by.split(" ").slice(0, 2);
  }, []);
  const [source, show, by] = [pattern.value, shape.value, fields.value.join(" ")];
  useEffect(() => {
    keepInAddress({ pattern: source, ...(show !== "trees" && { show }), ...(show === "counts" && { by }) });
  }, [source, show, by]);
}
