import type { ConlluSentence } from "@arcwise/conllu";
import { useMemo, useState } from "preact/hooks";
import { current } from "../app/store.ts";
import { treebank } from "../correct/state.ts";
import { type Picked, Tree } from "../shared/tree.tsx";
import { type Picks, patternOf, toggled } from "./example.ts";

interface AidProperties {
  /** Called with a pattern to search for. */
  readonly onPattern: (pattern: string) => void;
}

const NONE: Picks = { words: new Set(), arcs: new Set() };

/** A sentence of which words and relations are picked: a pattern is made of them. */
export function FromExample({
  sentences,
  onPattern,
}: AidProperties & { readonly sentences: readonly (ConlluSentence | undefined)[] }) {
  const [isOpen, setOpen] = useState(false);
  const shown = sentences[treebank.value === undefined ? current.value : exampleIndex(sentences)];
  return (
    <details class="aid" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>From an example</summary>
      {isOpen && shown !== undefined && <Example key={shown} sentence={shown} onPattern={onPattern} />}
    </details>
  );
}

/** Returns the first sentence of a treebank that has several words and can be seen as a whole. */
function exampleIndex(sentences: readonly (ConlluSentence | undefined)[]): number {
  const isFit = (one: ConlluSentence | undefined) =>
    one !== undefined && one.rows.length > 4 && one.rows.length < 16;
  return Math.max(0, sentences.findIndex(isFit));
}

function Example({ sentence, onPattern }: AidProperties & { readonly sentence: ConlluSentence }) {
  const [picks, setPicks] = useState(NONE);
  const picked = useMemo(
    (): readonly Picked[] => [
      ...[...picks.words].map((word) => ({ kind: "word", word }) as const),
      ...[...picks.arcs].map((modifier) => {
        const row = sentence.rows.find((one) => one.kind === "word" && one.id === modifier);
        const head = row?.kind === "word" ? row.head : 0;
        return { kind: "arc", head, modifier, label: "" } as const;
      }),
    ],
    [picks, sentence],
  );
  const pick = (one: Picked) => {
    const next =
      one.kind === "word" ? toggled(picks, "words", one.word) : toggled(picks, "arcs", one.modifier);
    setPicks(next);
    const pattern = patternOf(sentence, next);
    if (pattern !== "") onPattern(pattern);
  };
  return (
    <>
      <p class="soft">Click the words and relations that a match has; a second click leaves them out.</p>
      <Tree sentence={sentence} onPick={pick} picked={picked} />
    </>
  );
}

/** Elements of patterns, each with what it finds. */
const SHEET: readonly (readonly [pattern: string, finds: string])[] = [
  ["{}", "any word"],
  ["{lemma:be}", "a word by a column: form, lemma, upos, xpos, deprel"],
  ["{upos:VERB;form:/[A-Z].*/}", "two conditions; a /regular expression/ matches whole values"],
  ["{form:/(?i)is/}", "upper or lower case"],
  ["{feats:{Tense:Past;Person!:3}}", "features by name; !: excludes a value"],
  ["{upos:VERB}=v >obj {}=o", "a head and its object, with names"],
  ["{} >/nsubj.*/ {}", "a relation with its subtypes"],
  ["{} <obj {}", "a modifier and its head"],
  ["{upos:NOUN} !>det {}", "without such a modifier"],
  ["{} >nsubj {} >obj {}", "two relations of the first word"],
  ["{} >obj ({} >amod {})", "a relation of the second word"],
  ["{lemma:not} << {upos:VERB}", "anywhere below; >> is above"],
  ["{upos:ADJ} . {upos:NOUN}", "directly before; .. is anywhere before, - directly after"],
  ["{upos:NOUN} [<nsubj {} | <obj {}]", "either of two"],
  ["{upos:VERB} ?>obj {}=o", "with its object, if it has one"],
  ["{} >obj {}=a : {}=b . {}=a", "two parts that share a word by its name"],
];

/** The language of patterns in a table; a click searches for an example. */
export function CheatSheet({ onPattern }: AidProperties) {
  return (
    <details class="aid">
      <summary>How patterns are written</summary>
      <table class="sheet">
        <tbody>
          {SHEET.map(([pattern, finds]) => (
            <tr key={pattern}>
              <th scope="row">
                <button type="button" class="small" onClick={() => onPattern(pattern)}>
                  <code>{pattern}</code>
                </button>
              </th>
              <td>{finds}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
