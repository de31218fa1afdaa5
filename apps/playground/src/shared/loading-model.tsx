import { modelState } from "../model/model.ts";

/** Says that the model is being loaded, or why it could not be; nothing once it is there, and without one. */
export function LoadingModel() {
  const state = modelState.value;
  if (state.status === "ready" || state.status === "none") return null;
  if (state.status === "failed")
    return (
      <p class="error" role="alert">
        The model {state.name} could not be loaded: {state.message} Open another model in the menu above, or
        reload the page.
      </p>
    );
  return (
    <p class="loading-model soft" role="status">
      <progress aria-label="Loading the model" />
      {state.name === "English"
        ? "Loading the model: 3.2 MB, once. What you type is parsed then."
        : `Loading ${state.name}…`}
    </p>
  );
}
