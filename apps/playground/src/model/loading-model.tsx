import { modelState } from "./model.ts";

/** Says that the model is being loaded, why it could not be, or that there is none; nothing once it is there. */
export function LoadingModel() {
  const state = modelState.value;
  if (state.status === "ready") return null;
  if (state.status === "none")
    return (
      <p class="soft" role="status">
        No model is open: a text is parsed once you open one in the menu above.
      </p>
    );
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
        ? `Loading the model: ${import.meta.env.ENGLISH_MEGABYTES} MB, once. What you type is parsed then.`
        : `Loading ${state.name}…`}
    </p>
  );
}
