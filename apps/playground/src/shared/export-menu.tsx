import { useSignal } from "@preact/signals";
import { report, reportError } from "../app/store.ts";
import { Choice } from "./controls.tsx";
import type { Exported } from "./export.ts";
import { EXPORTS, type ExportName } from "./export-formats.ts";

interface ExportProperties {
  /** Index of the current sentence. */
  readonly index: number;
  readonly count: number;
  /** Returns what is shown of a sentence, or of all if the index is undefined. */
  readonly exported: (index: number | undefined) => Exported;
  /** Prints the current sentence or all, if the view can. */
  readonly onPrint?: (name: string, isAll: boolean) => void;
}

/** Exports of the current sentence, or of all, as the page shows them. The link is the address of the page. */
export function ExportMenu({ index, count, exported, onPrint }: ExportProperties) {
  const isAll = useSignal(false);
  const isEmpty = count === 0;
  const chosen = () => exported(isAll.value ? undefined : index);
  const run = async (format: ExportName) => {
    const { exportTrees } = await import("./export.ts");
    await exportTrees(format, chosen());
  };
  const copyLink = () =>
    navigator.clipboard.writeText(location.href).then(() => report("The link is copied."), reportError);
  return (
    <details class="menu export">
      <summary class="button">Export</summary>
      <div class="menu-panel">
        <Choice
          label="What is exported"
          value={isAll.value ? "all" : "this"}
          options={{
            this: `Sentence ${index + 1}`,
            all: `All sentences (${count})`,
          }}
          onChange={(value) => {
            isAll.value = value === "all";
          }}
        />
        <div class="row">
          {(Object.keys(EXPORTS) as ExportName[]).map((name) => (
            <button key={name} type="button" disabled={isEmpty} onClick={() => run(name).catch(reportError)}>
              {EXPORTS[name].title}
            </button>
          ))}
          {onPrint !== undefined && (
            <button type="button" disabled={isEmpty} onClick={() => onPrint(chosen().name, isAll.value)}>
              PDF…
            </button>
          )}
        </div>
        <p class="soft">
          Drawings are saved as they are shown: with probabilities, further trees and differences.
          {onPrint !== undefined && " PDF is made by the print dialogue."}
        </p>
        {onPrint !== undefined && (
          <button type="button" onClick={copyLink}>
            Copy a link to this page
          </button>
        )}
      </div>
    </details>
  );
}
