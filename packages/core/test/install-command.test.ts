import { expect, test } from "vitest";
import { BEFORE_RELEASE, installCommand } from "../src/node/index.ts";

test.each([
  ["file:///home/a/project/node_modules/@arcwise/cli/x.js", "/home/a/project", "npm install b c"],
  ["file:///home/a/project/node_modules/@arcwise/cli/x.js", "/home/a/project/deep/er", "npm install b c"],
  ["file:///home/a/p/node_modules/.pnpm/cli@1/node_modules/cli/x.js", "/home/a/p", "npm install b c"],
  ["file:///home/a/.npm/_npx/1f/node_modules/arcwise/x.js", "/home/a/project", "npm install b c"],
  ["file:///home/a/clone/apps/cli/program/x.js", "/home/a/project", "npm install b c"],
  ["file:///usr/lib/node_modules/@arcwise/cli/x.js", "/home/a/project", "npm install --global b c"],
  ["file:///usr/lib/node_modules/@arcwise/cli/x.js", "/usr/lib64", "npm install --global b c"],
  ["file:///home/a/pro/node_modules/cli/x.js", "/home/a/project", "npm install --global b c"],
])("the command for %s in %s", (module, folder, command) => {
  expect(installCommand(module, ["b", "c"], folder)).toBe(command);
});

test("packages of this project are said to come from a clone before the first release", () => {
  const command = installCommand("file:///home/a/p/x.js", ["@arcwise/cluster"], "/home/a/p");
  expect(command).toBe(`npm install @arcwise/cluster (${BEFORE_RELEASE})`);
});
