import type { ShareRow, WordInfluence } from "../model/explain.ts";

const NAMES: Readonly<Record<string, string>> = {
  network: "Network",
  feature: "Features",
  global: "Whole tree",
};
/** Rows that are listed; the others are summed. */
const MAX_ROWS = 14;

/** The shares of a difference of scores as bars, which sum to it. */
export function Shares(properties: {
  readonly rows: readonly ShareRow[];
  readonly difference: number;
  readonly isLinear: boolean;
}) {
  const { rows, difference, isLinear } = properties;
  const rest = rows.slice(MAX_ROWS).reduce((sum, row) => sum + row.difference, 0);
  const bars = rows.slice(0, MAX_ROWS).map((row) => ({
    name: row.template ?? NAMES[row.term] ?? row.term,
    value: row.difference,
  }));
  if (rows.length > MAX_ROWS) bars.push({ name: `${rows.length - MAX_ROWS} more`, value: rest });
  return (
    <section>
      <h3>Terms of the difference</h3>
      <Bars bars={bars} total={difference} />
      <p class="soft">
        {isLinear
          ? "The score is linear in these features: the shares sum to the difference."
          : "The terms sum to the difference. The network is one term: inside of it, scores are not linear, and words do not have shares that sum."}
      </p>
    </section>
  );
}

/** By how much each word moves the network, as bars. */
export function Influences(properties: {
  readonly influences: readonly WordInfluence[];
  readonly formOf: (position: number) => string;
}) {
  const { influences, formOf } = properties;
  const bars = [...influences]
    .sort((a, b) => Math.abs(b.influence) - Math.abs(a.influence))
    .map(({ word, influence }) => ({ name: formOf(word), value: influence }));
  return (
    <section>
      <h3>Words that moved it</h3>
      <Bars bars={bars} />
      <p class="soft">
        The difference of the two arcs, less their difference in the sentence without the word. These numbers
        do not sum to the difference.
      </p>
    </section>
  );
}

interface Bar {
  readonly name: string;
  readonly value: number;
}

function Bars({ bars, total }: { readonly bars: readonly Bar[]; readonly total?: number }) {
  const largest = Math.max(1e-9, ...bars.map(({ value }) => Math.abs(value)));
  return (
    <table class="bars">
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Share</th>
          <th scope="col">Bar</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ name, value }, i) => (
          <tr key={`${name} ${i}`}>
            <th scope="row">{name}</th>
            <td>{number(value)}</td>
            <td>
              <div class="bar-place" data-sign={value < 0 ? "minus" : "plus"}>
                <i style={{ width: `${(100 * Math.abs(value)) / largest}%` }} />
              </div>
            </td>
          </tr>
        ))}
      </tbody>
      {total !== undefined && (
        <tfoot>
          <tr>
            <th scope="row">Sum</th>
            <td>{number(total)}</td>
            <td />
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function number(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}
