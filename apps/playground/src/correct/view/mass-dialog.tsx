import { useState } from "preact/hooks";
import { report } from "../../app/store.ts";
import { count } from "../../shared/controls.tsx";
import { pauses } from "../../shared/pauses.ts";
import { wordsOf } from "../../shared/sentences.ts";
import { useSearch } from "../../shared/use-search.ts";
import { editAll } from "../actions.ts";
import { contentOf, type EditDocument } from "../document.ts";
import { compileMassChange, type PlannedSentence, planMassChange } from "../mass-changes.ts";
import { showSentence } from "../navigation.ts";
import * as state from "../state.ts";
import { closeDialog, Dialog, TextField } from "./dialog.tsx";

/** Changes of a preview that are rendered at a time. */
const SHOWN = 200;

/** Changes words that a pattern finds, after a preview in which each change can be left out. */
export function MassDialog() {
  const [pattern, setPattern] = useState("{upos:NOUN}=n");
  const [changes, setChanges] = useState("n.upos = PROPN");
  const document = state.treebank.value!;
  const { found, error } = useSearch(document, `${pattern}\n${changes}`, () =>
    planIn(document, pattern, changes),
  );
  const planned = found?.planned ?? [];
  const isDone = found?.isDone ?? false;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [limit, setLimit] = useState(SHOWN);
  const rows = planned.flatMap(({ sentence, changes }) => changes.map((change) => ({ sentence, ...change })));
  const keyOf = (row: (typeof rows)[number]) => `${row.sentence} ${row.word} ${row.column} ${row.after}`;
  const kept = rows.filter((row) => !left.has(keyOf(row)));
  const apply = () => {
    const edits = kept.map(({ edit }) => edit);
    if (!editAll(`Change by pattern: ${changes}`, edits)) return;
    report(`${count(kept.length, "value")} changed. Undo takes them back together.`);
    closeDialog();
  };
  const flip = (key: string) => {
    const next = new Set(left);
    if (!next.delete(key)) next.add(key);
    setLeft(next);
  };
  return (
    <Dialog
      title="Change by pattern"
      isWide
      action={`Change ${count(kept.length, "value")}`}
      onAccept={apply}
      isDisabled={!isDone || kept.length === 0}
    >
      <div class="dialog-fields">
        <TextField data-first label="Words that match, with names" value={pattern} onInput={setPattern} />
        <TextField label="Changes, with ; between them" value={changes} onInput={setChanges} />
      </div>
      <p class="soft">
        As in <code>{"{lemma:like}=v >obj {}=o"}</code> and{" "}
        <code>v.upos = VERB; o.feats.Case = Acc; o.head = v</code>. An empty value removes it.
      </p>
      <p role="status" class={error === undefined ? "mass-count" : "error"}>
        {error ??
          `${count(kept.length, "value")} in ${count(planned.length, "sentence")}${isDone ? "" : " so far…"}`}
      </p>
      <div class="mass-preview">
        <table>
          <tbody>
            {rows.slice(0, limit).map((row) => (
              <tr key={keyOf(row)}>
                <td>
                  <input
                    type="checkbox"
                    aria-label="Change it"
                    checked={!left.has(keyOf(row))}
                    onChange={() => flip(keyOf(row))}
                  />
                </td>
                <td class="mass-text">
                  <Excerpt sentence={row.sentence} word={row.word} />
                </td>
                <td class="soft">{row.column}</td>
                <td>
                  <del>{row.before}</del> → <ins>{row.after}</ins>
                </td>
                <td>
                  <button
                    type="button"
                    class="small"
                    onClick={() => {
                      showSentence(row.sentence, `${row.word}`);
                      closeDialog();
                    }}
                  >
                    Show
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > limit && (
          <button type="button" onClick={() => setLimit(limit + 10 * SHOWN)}>
            {(rows.length - limit).toLocaleString("en")} more
          </button>
        )}
      </div>
    </Dialog>
  );
}

interface Plan {
  readonly planned: readonly PlannedSentence[];
  readonly isDone: boolean;
}

/** Yields what changes would change so far, after each pause for input. */
async function* planIn(document: EditDocument, pattern: string, changes: string): AsyncGenerator<Plan> {
  const planned: PlannedSentence[] = [];
  const pause = pauses();
  for (const sentence of planMassChange(document, compileMassChange(pattern, changes))) {
    planned.push(sentence);
    if (await pause()) yield { planned: [...planned], isDone: false };
  }
  yield { planned, isDone: true };
}

/** Words before and behind a word that are shown. */
const AROUND = 4;

function Excerpt({ sentence, word }: { readonly sentence: number; readonly word: number }) {
  const own = state.sentenceOf(sentence)?.sentence;
  const content = own && contentOf(own).sentence;
  const words = content === undefined ? [] : wordsOf(content).map(({ form }) => form);
  const before = words.slice(Math.max(0, word - 1 - AROUND), word - 1).join(" ");
  return (
    <>
      {before} <mark>{words[word - 1]}</mark> {words.slice(word, word + AROUND).join(" ")}
    </>
  );
}
