import { host } from "./app/host.ts";
import { reportError } from "./app/store.ts";
import { openFile } from "./drop.ts";
import { describeModel, modelState, running, startHostModel, startModel } from "./model/model.ts";
import { FileButton } from "./shared/controls.tsx";

const STATES = {
  none: "is open: parsing needs one",
  loading: "is loading",
  ready: "is ready",
  failed: "could not be loaded",
} as const;

/** The model in use and its state; opens another model. */
export function ModelButton() {
  const state = modelState.value;
  return (
    <details class="menu">
      <summary data-state={state.status} aria-label={`The model ${state.name} ${STATES[state.status]}`}>
        <span class="dot" aria-hidden="true" />
        <span class="model-name">{state.name}</span>
      </summary>
      <div class="menu-panel">
        <p>
          <strong>{describeModel()}</strong> {STATES[state.status]}.{" "}
          {running.value?.source.kind === "server"
            ? "The server of this page parses by it."
            : "It runs in this page: nothing leaves your machine."}
        </p>
        {state.status === "failed" && <p class="error">{state.message}</p>}
        <FileButton
          name="Open a model…"
          label="Model file"
          onFile={(file) => openFile(file).catch(reportError)}
        />
        {host === undefined && (
          <button type="button" onClick={() => startModel({ kind: "english" })}>
            English
          </button>
        )}
        {host?.models.map((model) => (
          <button
            key={model.name}
            type="button"
            disabled={model.href === undefined && model.parse === undefined}
            title={model.href === undefined ? "This model parses at the server" : undefined}
            onClick={() => void startHostModel(model)}
          >
            {model.name}
            {model.language !== undefined && ` (${model.language})`}
          </button>
        ))}
        <p class="soft">A model file or its npm package (.tgz) may also be dropped on the page.</p>
      </div>
    </details>
  );
}
