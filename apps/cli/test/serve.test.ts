import { join } from "node:path";
import { expect, test } from "vitest";
import { arcwise, folderWith, stepless } from "./support.ts";

test.each<[string, readonly string[], number, RegExp]>([
  ["a model that does not exist", ["no-such-model"], 1, /no-such-model: expected a model/],
  ["a file that is not a model", ["FOLDER/text"], 1, /text: .*model/],
  ["an empty name", ["a:=FOLDER/stepless"], 2, /expected a model: MODEL, NAME=MODEL/],
  ["a port that does not exist", ["english", "--port", "70000"], 2, /from 0 to 65535/],
  ["a limit that is not a number", ["english", "--max-seconds", "soon"], 2, /number > 0/],
  [
    "a file of a token that does not exist",
    ["english", "--token-file", "FOLDER/none"],
    1,
    /none: no such file/,
  ],
  ["an empty token", ["english", "--token-file", "FOLDER/blank"], 2, /expected letters, digits/],
])("serve refuses %s", async (_, args, code, message) => {
  const folder = folderWith({ text: "not a model", stepless, blank: " \n" });
  const words = args.map((word) => word.replace("FOLDER", join(folder)));
  const ended = await arcwise(["serve", ...words, ...(words.includes("--port") ? [] : ["--port", "0"])]);
  expect(ended.err).toMatch(message);
  expect(ended.code).toBe(code);
  expect(ended.err).not.toContain("serving");
});
