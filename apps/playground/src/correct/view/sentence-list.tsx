import { counted } from "@arcwise/core/errors";
import "./sentence-list.css";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Check, count } from "../../shared/controls.tsx";
import { textOf } from "../../shared/sentences.ts";
import { contentOf, type EditSentence, idOfSentence } from "../document.ts";
import { scoreDocument, stopDoubts } from "../doubts.ts";
import { errorsOf } from "../findings.ts";
import { differenceCount, listSentences, showSentence } from "../navigation.ts";
import { doubtOf, ORDERS, type OrderName } from "../order.ts";
import * as state from "../state.ts";

/** Height of a row of the list in pixels, and rows that are rendered beyond its edges. */
const ROW = 54;
const BEYOND = 6;
/** Width of the page in pixels up to which one part is shown at a time; also in the style sheet. */
const NARROW = 720;
/** Characters of an ID that are shown. */
const ID_LENGTH = 30;

/** The sentences of the document: only rows that are seen are rendered, however many there are. */
export function SentenceList() {
  const list = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const keys = state.listed.value;
  const key = state.currentKey.value;
  const measure = () => {
    const { scrollTop, clientHeight } = list.current!;
    setView({ top: scrollTop, height: clientHeight });
  };
  useLayoutEffect(() => {
    const box = list.current!;
    const at = keys.indexOf(key) * ROW;
    if (at >= 0 && (at < box.scrollTop || at + ROW > box.scrollTop + box.clientHeight))
      box.scrollTop = at - Math.max(0, box.clientHeight / 2 - ROW);
    measure();
  }, [key, keys]);
  const from = Math.max(0, Math.floor(view.top / ROW) - BEYOND);
  const to = Math.min(keys.length, Math.ceil((view.top + view.height) / ROW) + BEYOND);
  return (
    <section class="sentence-list card" aria-label="Sentences">
      <ListHead />
      <div ref={list} class="list-rows" onScroll={measure}>
        <ol style={{ height: `${keys.length * ROW}px` }}>
          {keys.slice(from, to).map((one, i) => (
            <ListRow
              key={one}
              own={one}
              top={(from + i) * ROW}
              isCurrent={one === key}
              onPick={() => {
                showSentence(one);
                // The list is above the tree there.
                if (innerWidth <= NARROW) state.showsList.value = false;
              }}
            />
          ))}
        </ol>
        {keys.length === 0 && <p class="soft empty">No sentence is listed.</p>}
      </div>
    </section>
  );
}

function ListHead() {
  const total = state.treebank.value?.sentences.length ?? 0;
  const { value: scored } = state.scored;
  const { length } = state.listed.value;
  const choose = (order: OrderName) => {
    state.order.value = order;
    listSentences();
    if (order === "doubt") void scoreDocument();
    else stopDoubts();
    const first = state.listed.value[0];
    if (first !== undefined) showSentence(first);
  };
  return (
    <div class="list-head">
      <label class="field">
        <span>Order</span>
        <select
          value={state.order.value}
          onChange={(event) => choose(event.currentTarget.value as OrderName)}
        >
          {Object.entries(ORDERS).map(([name, title]) => (
            <option
              key={name}
              value={name}
              disabled={name === "disagreement" && state.second.value === undefined}
            >
              {title}
            </option>
          ))}
        </select>
      </label>
      <input
        type="search"
        data-filter
        placeholder="Filter by a text"
        aria-label="Filter sentences by a text"
        value={state.filter.value}
        onInput={(event) => {
          state.filter.value = event.currentTarget.value;
          listSentences();
        }}
      />
      {state.second.value !== undefined && (
        <Check
          isOn={state.onlyDiffering.value}
          onChange={(isOn) => {
            state.onlyDiffering.value = isOn;
            listSentences();
          }}
        >
          Only sentences that differ
        </Check>
      )}
      <p class="soft" role="status">
        {scored !== undefined
          ? `${scored.toLocaleString("en")} of ${total.toLocaleString("en")} scored`
          : `${length === total ? "" : `${length.toLocaleString("en")} of `}${count(total, "sentence")}`}
      </p>
    </div>
  );
}

interface ListRowProperties {
  readonly own: number;
  readonly top: number;
  readonly isCurrent: boolean;
  readonly onPick: () => void;
}

function ListRow({ own, top, isCurrent, onPick }: ListRowProperties) {
  const found = state.sentenceOf(own);
  if (found === undefined) return null;
  const { sentence, index } = found;
  const { text, id } = lineOf(sentence, index);
  const findings = errorsOf(sentence).length;
  const known = state.probabilities.get(sentence);
  const differing = differenceCount(own);
  return (
    <li style={{ transform: `translateY(${top}px)` }}>
      <button
        type="button"
        class="list-row"
        aria-current={isCurrent || undefined}
        onClick={onPick}
        tabIndex={isCurrent ? 0 : -1}
      >
        <span class="list-text">{text}</span>
        <span class="list-facts soft">
          <span class="list-id" title={id}>
            {shortened(id)}
          </span>
          {sentence.notes.length > 0 && (
            <span class="badge note">{counted(sentence.notes.length, "note")}</span>
          )}
          {findings > 0 && <span class="badge bad">{counted(findings, "finding")}</span>}
          {differing > 0 && <span class="badge">differs</span>}
          {known !== undefined && <span class="badge">{Math.round(100 * doubtOf(known))}% doubt</span>}
        </span>
      </button>
    </li>
  );
}

/** Returns an ID without its middle: IDs of a corpus differ at their ends. */
export function shortened(id: string): string {
  if (id.length <= ID_LENGTH) return id;
  const half = Math.floor(ID_LENGTH / 2) - 1;
  return `${id.slice(0, half)}…${id.slice(-half)}`;
}

/** Returns the text of a sentence in one line, and its ID or number. */
export function lineOf(own: EditSentence, index: number): { readonly text: string; readonly id: string } {
  const { sentence } = contentOf(own);
  if (sentence === undefined) return { text: own.text.slice(0, 100), id: `line of sentence ${index + 1}` };
  return { text: textOf(sentence), id: idOfSentence(own) ?? `${index + 1}` };
}
