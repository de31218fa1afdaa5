import { expect, test } from "vitest";
import { howToGet } from "../src/node/index.ts";

test.each([
  [undefined, /npm install @arcwise\/english, or arcwise train /],
  ["english", /npm install @arcwise\/english;/],
  ["french", /UD_French-Sequoia.*npm install @arcwise\/french;.*npm run model -- french --fetch$/],
  ["@arcwise/french", /npm install @arcwise\/french;/],
  ["French", /npm install @arcwise\/french;/],
  ["fr", /npm install @arcwise\/french;/],
  ["@me/klingon", /npm install @me\/klingon$/],
  ["klingon", /^published models: .*french.*to train one: .* --model klingon\.model$/],
  ["folder/klingon.model", /^published models: .*to train one: .* --model FILE$/],
])("the way to a model named %s is an installation or a training", (name, way) => {
  expect(howToGet(name)).toMatch(way);
});
