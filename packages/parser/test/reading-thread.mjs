// Reads sentences by a model, and answers with what `use` of readings.test.ts asks of the readings, in order.
import { parentPort, workerData } from "node:worker_threads";
import { createParser, loadParser } from "@arcwise/parser";

const { model, sentences, changed, uses } = workerData;
const readings = createParser(loadParser(model)).read(sentences);
for (const [s, sentence] of sentences.entries()) sentence.splice(0, sentence.length, ...changed[s]);
parentPort.postMessage(uses.map(([s, what]) => JSON.stringify(answer(readings[s], what))));

function answer(reading, what) {
  if (what === "best") return reading.best();
  if (what === "kBest") return reading.kBest(3);
  if (what === "marginals") return reading.marginals();
  return reading.problem().arcScores.join();
}
