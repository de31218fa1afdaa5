import assert from "node:assert/strict";
import { test } from "node:test";
import { load, readModel } from "@arcwise/english-small";
import { createPipeline } from "arcwise";

test("the model is in the package", async () => {
  assert.ok((await readModel()).length > 0);
});

test("the model parses", async () => {
  const nlp = createPipeline(await load());
  const [{ words }] = nlp.run("1 2 3.");
  assert.equal(words.filter(({ head }) => head === undefined).length, 1);
});
