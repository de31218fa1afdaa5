import type { Row } from "@arcwise/conllu";
import { COMMANDS } from "../commands.ts";
import { otherSentence } from "../compare-actions.ts";
import { idOf } from "../linked.ts";
import * as state from "../state.ts";

/** Commands of the selected word that have a button. */
const WORD_COMMANDS = [
  ["Fix or free the word", "Fix"],
  ["Split the word", "Split"],
  ["Join the word with the next", "Join"],
  ["Make a multiword token", "Token"],
  ["Dissolve the multiword token", "Dissolve"],
  ["Insert a word behind", "Insert"],
  ["Delete the word", "Delete"],
  ["Split the sentence before the word", "Split sentence"],
  ["Join the sentence with the next", "Join sentences"],
  ["Note on the word, arc or sentence", "Note"],
] as const;

/** The selected word with its columns, and the commands that concern it. */
export function WordBar({ row }: { readonly row: Row }) {
  const { upos, feats, deprel } = row;
  const fixed = row.kind === "word" && state.current.value!.fixed.heads.includes(row.id);
  const head = row.kind !== "word" ? undefined : row.head === 0 ? "root" : formOf(row.head);
  const note = state.current.value!.notes.find(({ word }) => `${word}` === idOf(row));
  return (
    <div class="word-bar">
      <p class="word-facts" role="status">
        <span class="soft">{idOf(row)}</span> <strong>{row.form}</strong> <span class="soft">{upos}</span>
        {head !== undefined && (
          <span>
            {" "}
            <span class="relation">{deprel}</span> <span class="soft">of</span> {head}
          </span>
        )}
        {feats !== "_" && <span class="soft feats"> {feats}</span>}
        {note !== undefined && <span class="badge note">{note.text}</span>}
      </p>
      <div class="word-commands" role="toolbar" aria-label="Commands of the word">
        {row.kind === "word" &&
          WORD_COMMANDS.map(([title, name]) => {
            const command = COMMANDS.find((one) => one.title === title)!;
            const isShown = name !== "Dissolve" || isInToken(row.id);
            if (!isShown) return null;
            return (
              <button
                key={name}
                type="button"
                class="small"
                title={`${title} (${keyTitle(command.keys[0]!)})`}
                aria-pressed={name === "Fix" ? fixed : undefined}
                onClick={command.run}
              >
                {name === "Fix" && fixed ? "Fixed" : name}
              </button>
            );
          })}
        {otherSentence() !== undefined && (
          <button type="button" class="small" onClick={COMMANDS.find(({ keys }) => keys.includes("<"))!.run}>
            Take other
          </button>
        )}
      </div>
    </div>
  );
}

function formOf(id: number): string {
  return state.content.value?.rows.find((row) => row.kind === "word" && row.id === id)?.form ?? `${id}`;
}

function isInToken(id: number): boolean {
  return (
    state.content.value?.rows.some((row) => row.kind === "range" && row.first <= id && id <= row.last) ??
    false
  );
}

const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "Space",
  PageUp: "Page up",
  PageDown: "Page down",
  Delete: "Del",
};

/** Returns the name of a key as users read it. */
export function keyTitle(key: string): string {
  const parts = key === "+" ? ["+"] : key.split("+");
  return parts.map((part) => SIGNS[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join(" + ");
}
