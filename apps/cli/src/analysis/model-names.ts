import { howToGet, installedModels, installedText, modelFile } from "@arcwise/pipeline/node";

// The command loads this module when it needs it; of the modules behind it, only what is named here.
export { installedModels, modelFile };

/**
 * Returns the message for a command line that lacks a model, or has a text in its place.
 *
 * @param input of the example that the message shows
 */
export async function modelAdvice(
  command: string,
  text?: string,
  input = text ?? "Dogs bark.",
): Promise<string> {
  const [model] = await installedModels();
  const words = input === "" ? "" : ` ${JSON.stringify(input)}`;
  const example = `arcwise ${command} ${model?.name ?? "english"}${words}`;
  const found = text === undefined ? "nothing" : `the text ${JSON.stringify(text)}`;
  const advice = model === undefined ? howToGet() : "arcwise info describes them";
  return `expected a model first, as in ${example}; found ${found}; ${await installedText()}; ${advice}`;
}
