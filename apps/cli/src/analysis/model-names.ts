import { howToGet, installedModels, installedText, modelFile } from "@arcwise/pipeline/node";

// The command loads this module when it needs it; of the modules behind it, only what is named here.
export { installedModels, modelFile };

/** Returns the message for a command line that lacks a model, or has a text in its place. */
export async function modelAdvice(command: string, text: string | undefined): Promise<string> {
  const [model] = await installedModels();
  const example = `arcwise ${command} ${model?.name ?? "english"} ${JSON.stringify(text ?? "Dogs bark.")}`;
  const found = text === undefined ? "nothing" : `the text ${JSON.stringify(text)}`;
  const advice = model === undefined ? howToGet() : "arcwise info describes them";
  return `expected a model first, as in ${example}; found ${found}; ${await installedText()}; ${advice}`;
}
