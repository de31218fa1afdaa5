import { fixed } from "../shared/fixed.ts";
import type { Frame } from "./frames.ts";

const shown = (score: number) => (score === -Infinity ? "–" : fixed(score, 1));

/** The chart of a dynamic programme: a cell per span, filled in the order of the steps. */
export function SpanChart({ frame, forms }: { readonly frame: Frame; readonly forms: readonly string[] }) {
  const filled = new Map(frame.spans.map((span) => [`${span.from} ${span.to}`, span]));
  const { step } = frame;
  const last = step?.kind === "span" ? `${step.from} ${step.to}` : "";
  const first = frame.spans.some(({ from }) => from === 0) ? 0 : 1;
  const positions = Array.from({ length: forms.length - first }, (_, i) => i + first);
  return (
    <>
      <p class="soft spans-note">
        Best scores of the half-trees of the first word (to its right) and of the last word (to its left) of
        each span; – where the candidates contain none
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by arrow keys */}
      <section class="spans" tabIndex={0} aria-label="Chart of spans">
        <table>
          <thead>
            <tr>
              <td />
              {positions.slice(1).map((to) => (
                <th key={to} scope="col">
                  {forms[to]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {positions.slice(0, -1).map((from) => (
              <tr key={from}>
                <th scope="row">{forms[from]}</th>
                {positions.slice(1).map((to) => {
                  const span = filled.get(`${from} ${to}`);
                  if (to <= from) return <td key={to} class="none" />;
                  return (
                    <td
                      key={to}
                      data-filled={span !== undefined || undefined}
                      data-last={last === `${from} ${to}` || undefined}
                    >
                      {span !== undefined && `${shown(span.right)} / ${shown(span.left)}`}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
