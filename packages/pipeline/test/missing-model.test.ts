import { expect, test } from "vitest";
import { howToGet } from "../src/node/index.ts";

test.each([
  [undefined, /npm install @arcwise\/english, or arcwise train /],
  ["english", /npm install @arcwise\/english$/],
  ["@me/klingon", /npm install @me\/klingon$/],
  ["klingon", /^to train one: .* --model klingon\.model$/],
  ["folder/klingon.model", /^to train one: .* --model FILE$/],
])("the way to a model named %s is an installation or a training", (name, way) => {
  expect(howToGet(name)).toMatch(way);
});
