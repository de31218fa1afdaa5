import { ArcwiseError } from "@arcwise/core/errors";
import { pathSuggestion } from "@arcwise/core/node";
import { suggestion } from "@arcwise/core/options";
import { installedModels, PACKAGE_NAME } from "./installed-models.ts";

/** Models that this project publishes as `@arcwise/NAME`. */
const PUBLISHED: readonly string[] = ["english"];

/**
 * Returns the error for a name of a model that is neither a file nor an installed package. All names without a model
 * end here. The message suggests a near name; if there is none, it lists the installed models and says how to get the
 * named one.
 */
export async function missingModel(name: string): Promise<ArcwiseError> {
  const isName = PACKAGE_NAME.test(name);
  const found = isName ? "neither a file nor an installed package of this name" : "no such file";
  const advice = (await nearName(name)) || `; ${await installedText()}; ${howToGet(name)}`;
  return new ArcwiseError("missing-model", `${name}: expected a model, found ${found}${advice}`, {
    expected: "a model",
    found,
  });
}

async function nearName(name: string): Promise<string> {
  const names = (await installedModels()).map((model) => model.name);
  if (PUBLISHED.includes(name)) return "";
  return suggestion(name, [...names, ...PUBLISHED]) || (PACKAGE_NAME.test(name) ? "" : pathSuggestion(name));
}

/** Says which models are installed, in one line. */
export async function installedText(): Promise<string> {
  const names = (await installedModels()).map(({ name }) => name);
  return names.length === 0 ? "no model is installed" : `installed models: ${names.join(", ")}`;
}

/** Says how to get the model that a name asks for; without a name, any model. */
export function howToGet(name?: string): string {
  const file = name !== undefined && /^[\w-]+$/.test(name) ? `${name}.model` : "FILE";
  const training = `arcwise train --train TREEBANK --model ${file}`;
  if (name === undefined) return `to get one: npm install @arcwise/${PUBLISHED[0]}, or ${training}`;
  if (PUBLISHED.includes(name)) return `to get it: npm install @arcwise/${name}`;
  return name.startsWith("@") && PACKAGE_NAME.test(name)
    ? `to get it: npm install ${name}`
    : `to train one: ${training}`;
}
