import { type ConlluSentence, writeConllu } from "@arcwise/conllu";
import { useMemo, useState } from "preact/hooks";
import { navigate } from "../app/router.ts";
import { current, reportError } from "../app/store.ts";
import { openFileText } from "../correct/files.ts";
import { treebank } from "../correct/state.ts";
import { Choice } from "../shared/controls.tsx";
import { Guarded } from "../shared/guarded.tsx";
import { NODE_COLOURS, Tree } from "../shared/tree.tsx";
import type { Findings, Hit } from "./find.ts";
import {
  allMatches,
  bySentence,
  COLUMNS,
  countBy,
  countsTable,
  type FoundMatch,
  fieldValue,
  type Line,
  linesOf,
  linesTable,
  type MatchedNode,
  matchedNodes,
  SORTS,
} from "./lines.ts";
import { fields, only, SHAPES, type Shape, shape, sort } from "./state.ts";

/** Sentences that are drawn at a time; ten times as many lines or counts are listed. */
const SHOWN = 20;
/** Words before and behind the match that a line shows. */
const CONTEXT = 14;

/** The matches of a pattern, in one of three shapes. */
export function Results({
  found,
  parsed,
}: {
  readonly found: Findings;
  readonly parsed: readonly ConlluSentence[];
}) {
  const every = useMemo(() => allMatches(found), [found]);
  const nodes = useMemo(() => matchedNodes(every), [every]);
  const chosen = Object.entries(only.value);
  const matches = useMemo(
    () => every.filter((one) => chosen.every(([field, value]) => fieldValue(one, field) === value)),
    [every, only.value],
  );
  const open = ({ index }: Hit, word = 1) => {
    if (treebank.value === undefined) {
      openFileText("parsed.conllu", writeConllu(parsed));
      current.value = index;
    }
    navigate("correct", { sentence: `${index + 1}`, word: `${word}` });
  };
  const Shown = VIEWS[shape.value];
  return (
    <>
      <div class="row shapes">
        <div class="row" role="toolbar" aria-label="How matches are shown">
          {(Object.keys(SHAPES) as Shape[]).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === shape.value}
              onClick={() => {
                shape.value = one;
              }}
            >
              {SHAPES[one]}
            </button>
          ))}
        </div>
        {nodes.map(({ number, name }) => (
          <span key={number} class="node" data-node={number % NODE_COLOURS}>
            {name}
          </span>
        ))}
        {chosen.map(([field, value]) => (
          <button
            key={field}
            type="button"
            class="small"
            aria-label={`Leave out: ${titleOf(field, nodes)} ${value}`}
            onClick={() => {
              only.value = Object.fromEntries(chosen.filter(([other]) => other !== field));
            }}
          >
            {titleOf(field, nodes)}: {value} ×
          </button>
        ))}
      </div>
      <Shown key={shape.value} matches={matches} nodes={nodes} onOpen={open} />
    </>
  );
}

interface ShapeProperties {
  readonly matches: readonly FoundMatch[];
  readonly nodes: readonly MatchedNode[];
  /** Opens a sentence in the view Correct. */
  readonly onOpen: (hit: Hit, word?: number) => void;
}

/** Shows more of a list at a time. */
function useMore(total: number, step: number, noun: string) {
  const [limit, setLimit] = useState(step);
  const more = total > limit && (
    <button type="button" class="more-hits" onClick={() => setLimit(limit + 2 * step)}>
      Show more of {total.toLocaleString("en")} {noun}
    </button>
  );
  return [limit, more] as const;
}

/** The sentences with their trees, in which the words of each node have a colour. */
function Trees({ matches, onOpen }: ShapeProperties) {
  const sentences = useMemo(() => bySentence(matches), [matches]);
  const [limit, more] = useMore(sentences.size, SHOWN, "sentences");
  return (
    <>
      <ol class="hits list" aria-label="Sentences that match">
        {[...sentences].slice(0, limit).map(([hit, found]) => (
          <li key={hit.index} class="card">
            <header class="row">
              <span class="soft">Sentence {(hit.index + 1).toLocaleString("en")}</span>
              {found.length > 1 && <span class="badge">{found.length} matches</span>}
              <button type="button" class="small" onClick={() => onOpen(hit, firstWord(found[0]!))}>
                Open in Correct
              </button>
            </header>
            <Guarded>
              <HitTree hit={hit} found={found} onPick={() => onOpen(hit, firstWord(found[0]!))} />
            </Guarded>
          </li>
        ))}
      </ol>
      {more}
    </>
  );
}

function HitTree(properties: {
  readonly hit: Hit;
  readonly found: readonly FoundMatch[];
  readonly onPick: () => void;
}) {
  const { hit, found, onPick } = properties;
  const nodes = useMemo(() => nodesOf(found), [found]);
  return <Tree sentence={hit.sentence} onPick={onPick} nodes={nodes} />;
}

/** Returns the number of the node of each matched word; of several, the first. */
function nodesOf(found: readonly FoundMatch[]): Map<number, number> {
  const pairs = found.flatMap(({ match }) => match.nodes.map((position, i) => [position, i + 1] as const));
  return new Map(pairs.filter(([position]) => position > 0).reverse());
}

const firstWord = ({ match }: FoundMatch) => match.nodes.find((position) => position > 0) ?? 1;

/** A line per match, with the word of the first node in the middle. */
function Lines({ matches, nodes, onOpen }: ShapeProperties) {
  const lines = useMemo(() => linesOf(matches, sort.value), [matches, sort.value]);
  const [limit, more] = useMore(lines.length, 10 * SHOWN, "matches");
  return (
    <section class="card stack" aria-label="Lines in context">
      <div class="row">
        <Choice
          label="Order"
          value={sort.value}
          options={SORTS}
          onChange={(chosen) => {
            sort.value = chosen;
          }}
        />
        <SaveTable name="matches" text={() => linesTable(lines, nodes)} />
      </div>
      <table class="lines">
        <tbody>
          {lines.slice(0, limit).map((line, i) => (
            <tr key={i} dir="auto">
              <th scope="row">
                <button
                  type="button"
                  class="small"
                  aria-label={`Open sentence ${line.hit.index + 1} in Correct`}
                  onClick={() => onOpen(line.hit, line.key)}
                >
                  {line.hit.index + 1}
                </button>
              </th>
              <td>
                <Words line={line} from={Math.max(1, line.key - CONTEXT)} to={line.key - 1} />
              </td>
              <td>
                <Words line={line} from={line.key} to={line.key} />
              </td>
              <td>
                <Words line={line} from={line.key + 1} to={Math.min(line.forms.length, line.key + CONTEXT)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </section>
  );
}

/** Words of a line; those of the match have the colours of their nodes. */
function Words({ line, from, to }: { readonly line: Line; readonly from: number; readonly to: number }) {
  const nodes = nodesOf([line]);
  const words = line.forms.slice(from - 1, to).flatMap((form, i) => {
    const node = nodes.get(from + i);
    const shown = node === undefined ? form : <mark data-node={node % NODE_COLOURS}>{form}</mark>;
    return [" ", shown];
  });
  // One box for all words: between boxes, spaces would not be shown.
  return (
    <div>
      <span>{words.slice(1)}</span>
    </div>
  );
}

/** How often the values of one or two fields occur. */
function Counts({ matches, nodes }: ShapeProperties) {
  const known = new Set(nodes.flatMap((node) => fieldsOf(node).map(([field]) => field)));
  const chosen = fields.value.filter((field) => known.has(field));
  const counts = useMemo(() => countBy(matches, chosen), [matches, chosen.join(" ")]);
  const [limit, more] = useMore(counts.length, 10 * SHOWN, "values");
  const choose = (at: number) => (field: string) => {
    fields.value = [...chosen.slice(0, at), field, ...chosen.slice(at + 1)].filter((one) => one !== "");
  };
  const show = (values: readonly string[]) => {
    only.value = { ...only.value, ...Object.fromEntries(chosen.map((field, i) => [field, values[i]!])) };
    shape.value = "lines";
  };
  return (
    <section class="card stack" aria-label="Counts">
      <div class="row">
        <FieldChoice label="Count by" nodes={nodes} value={chosen[0]} onChange={choose(0)} />
        {chosen.length > 0 && (
          <FieldChoice label="and by" nodes={nodes} value={chosen[1]} onChange={choose(1)} />
        )}
        <SaveTable name="counts" text={() => countsTable(counts, chosen)} />
      </div>
      <table class="counts">
        <thead>
          <tr>
            <th scope="col">Matches</th>
            <th scope="col">%</th>
            {chosen.map((field) => (
              <th key={field} scope="col">
                {titleOf(field, nodes)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {counts.slice(0, limit).map(({ values, count }) => (
            <tr key={values.join("\t")}>
              <td>
                <button type="button" class="small" title="Show these matches" onClick={() => show(values)}>
                  {count.toLocaleString("en")}
                </button>
              </td>
              <td>{((100 * count) / matches.length).toFixed(1)}</td>
              {values.map((value, i) => (
                <td key={i}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </section>
  );
}

const VIEWS = { trees: Trees, lines: Lines, counts: Counts } as const;

/** The fields of a node with their titles. */
function fieldsOf({ number, features }: MatchedNode): (readonly [field: string, title: string])[] {
  return [
    ...Object.entries(COLUMNS).map(([column, title]) => [`${number}.${column}`, title] as const),
    ...features.map((name) => [`${number}.feats.${name}`, name] as const),
  ];
}

function titleOf(field: string, nodes: readonly MatchedNode[]): string {
  for (const node of nodes)
    for (const [one, title] of fieldsOf(node)) if (one === field) return `${title} of ${node.name}`;
  return field;
}

function FieldChoice(properties: {
  readonly label: string;
  readonly nodes: readonly MatchedNode[];
  readonly value: string | undefined;
  readonly onChange: (field: string) => void;
}) {
  const { label, nodes, value = "", onChange } = properties;
  return (
    <label class="inline">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">nothing</option>
        {nodes.map((node) => (
          <optgroup key={node.number} label={`Node ${node.name}`}>
            {fieldsOf(node).map(([field, title]) => (
              <option key={field} value={field}>
                {title} of {node.name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

function SaveTable({ name, text }: { readonly name: string; readonly text: () => string }) {
  const run = async () => {
    const { save } = await import("../shared/export.ts");
    save(`${name}.tsv`, new Blob([text()], { type: "text/tab-separated-values" }));
  };
  return (
    <button type="button" class="small" onClick={() => run().catch(reportError)}>
      Save as TSV
    </button>
  );
}
