// @module-tag slow
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { arcwise, built, start } from "./program.ts";
import { treebank } from "./support.ts";

/** What a server has printed, and its process. */
async function serve(...args: string[]) {
  const { child, ended } = start(["serve", ...args, "--port", "0", "--threads", "1"]);
  let err = "";
  let log = "";
  child.stdout!.on("data", (chunk) => {
    log += chunk;
  });
  child.stderr!.on("data", (chunk) => {
    err += chunk;
  });
  const until = async (text: () => string, pattern: RegExp) => {
    for (;;) {
      const found = pattern.exec(text());
      if (found !== null) return found;
      if (child.exitCode !== null) throw new Error(`expected ${pattern}, found ${text()}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const [, url] = await until(() => err, /at (http:\S+)/);
  return { child, ended, url: url!, err: () => err, logged: (pattern: RegExp) => until(() => log, pattern) };
}

describe.skipIf(!built)("arcwise serve (skipped before npm run build)", () => {
  const folder = mkdtempSync(join(tmpdir(), "arcwise-"));
  const model = join(folder, "my.model");
  beforeAll(async () => {
    const train = join(folder, "train.conllu");
    writeFileSync(train, treebank);
    const linear = ["--preset", "linear", "--settings", '{"jackknife": 0, "parser": {"epochs": 1}}'];
    const trained = await arcwise("train", "--train", train, "--model", model, ...linear);
    expect(trained.err).toContain(`wrote ${model}`);
  });

  test("answers, loads models again at SIGHUP, and ends at SIGTERM", async () => {
    const server = await serve(model, `second=${model}`);
    expect(server.err()).not.toContain("note:");
    const answer = await fetch(`${server.url}/v1/parse?text=Dogs+chase+cats&model=second`);
    expect(await answer.json()).toMatchObject({ model: "second", failures: [] });
    server.child.kill("SIGHUP");
    await server.logged(/loaded again/);
    expect((await fetch(`${server.url}/process?tokenizer&data=Dogs`)).status).toBe(200);
    server.child.kill("SIGTERM");
    const { code, out } = await server.ended;
    expect(code).toBe(0);
    for (const line of out.trimEnd().split("\n"))
      expect(JSON.parse(line)).toMatchObject({ msg: expect.any(String) });
  });

  test("a token of the environment, and a note where other machines may call without one", async () => {
    process.env.ARCWISE_TOKEN = "of-the-environment";
    const server = await serve(model, "--host", "0.0.0.0").finally(() => delete process.env.ARCWISE_TOKEN);
    const url = server.url.replace("0.0.0.0", "127.0.0.1");
    expect((await fetch(`${url}/v1/models`)).status).toBe(401);
    const headers = { authorization: "Bearer of-the-environment" };
    expect((await fetch(`${url}/v1/models`, { headers })).status).toBe(200);
    server.child.kill("SIGINT");
    expect((await server.ended).code).toBe(0);
    const open = await serve(model, "--host", "0.0.0.0");
    expect(open.err()).toContain("--token-file");
    open.child.kill("SIGINT");
    open.child.kill("SIGINT");
    await open.ended;
  });

  test("says that a port is in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as { port: number };
    const { code, err } = await arcwise("serve", model, "--port", `${port}`);
    taken.close();
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("in use") });
  });
});
