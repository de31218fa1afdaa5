import { trainAndParse } from "./model.js";

/** Returns the result of a training, or the name and code of its error. */
async function outcome(training: Promise<string>): Promise<string> {
  try {
    return await training;
  } catch (error) {
    return error instanceof Error ? `${error.name} ${"code" in error ? error.code : ""}` : String(error);
  }
}

const sparse = await outcome(trainAndParse({}));
const network = await outcome(trainAndParse({ network: { units: 8, epochs: 3 } }));
document.body.dataset.result = JSON.stringify({ sparse, network });
