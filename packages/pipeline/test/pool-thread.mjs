// A thread that answers as `servePipeline` does, and does what each chunk of text, and the first comment of each sentence, says.
import { parentPort, workerData } from "node:worker_threads";

function act(what, reached, index) {
  if (what === "die") process.exit(9);
  if (what === "die here") {
    Atomics.store(reached, 0, index);
    throw new Error("died");
  }
  if (what === "fill memory") for (const rows = []; ; ) rows.push(new Array(1000).fill(rows.length));
  while (what === "stay");
}

// Messages of other libraries, before the first answer.
for (const odd of ["ready", null, { id: 0, result: 5 }, { type: "hmr" }]) parentPort.postMessage(odd);

const answer = (body) => parentPort.postMessage({ arcwise: "pipeline answer", body });

parentPort.on("message", ({ body: { id, question, reached } }) => {
  if (question.kind === "hello") {
    act(workerData);
    answer({ id, result: { columns: undefined } });
    return;
  }
  if (question.kind === "cut") return act(question.chunk);
  const sentences = question.tasks.map(({ sentence }) => sentence);
  for (const [index, { comments }] of sentences.entries()) act(comments[0], reached, index);
  const results = sentences.map((sentence) => ({ sentences: [sentence] }));
  const having = { upos: 0, xpos: 0, feats: 0, lemma: 0 };
  const counts = { words: results.length, having, unknownForms: 0, unknownTags: 0 };
  const slow = sentences.some(({ comments }) => comments[0] === "slow");
  setTimeout(() => answer({ id, result: { results, counts } }), slow ? 300 : 0);
});
