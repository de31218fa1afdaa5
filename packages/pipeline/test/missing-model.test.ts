import { expect, test } from "vitest";
import { howToGet } from "../src/node/index.ts";

test.each([
  [undefined, /npm install @arcwise\/english \(before .* npm run pack .*\), or arcwise train /],
  ["english", /npm install @arcwise\/english \(before .*npm run pack/],
  ["french", /UD_French-Sequoia \(LGPLLR\): npm run model -- french --fetch, in a clone of arcwise$/],
  ["@arcwise/french", /: npm run model -- french --fetch/],
  ["French", /: npm run model -- french --fetch/],
  ["fr", /: npm run model -- french --fetch/],
  ["@me/klingon", /npm install @me\/klingon, if npm has it$/],
  ["klingon", /^models with a recipe: .*french.*to train one: .* --model klingon\.model$/],
  ["folder/klingon.model", /^models with a recipe: .*to train one: .* --model FILE$/],
])("the way to a model named %s is an installation or a training", (name, way) => {
  expect(howToGet(name)).toMatch(way);
});
