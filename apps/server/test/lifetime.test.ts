import { rename, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { here } from "@arcwise/jobs";
import { expect, test } from "vitest";
import { startServer } from "../src/index.ts";
import { after, withServer } from "./support.ts";

const door = { wait: Promise.resolve() as Promise<void>, open: () => {} };
const closed: number[] = [];
let places = 0;
const server = withServer({
  place: () => {
    const number = places++;
    const close = async () => void closed.push(number);
    return { ...after(() => door.wait), close };
  },
  grace: 0.3,
});
const silent = { write: () => {} };

test("models are loaded again, and requests that have begun keep the old ones", async () => {
  door.wait = new Promise((resolve) => {
    door.open = resolve;
  });
  const begun = server.post("/v1/parse", { text: "Ann sings now." });
  await wait(100);
  const reloaded = server.server.reload();
  await wait(100);
  expect(closed).toEqual([]);
  door.open();
  await reloaded;
  expect((await begun).status).toBe(200);
  await (await begun).text();
  expect((await server.post("/v1/parse", { text: "Ann sings now." })).status).toBe(200);
  expect(closed).toEqual([0]);
});

test("a model that cannot be loaded again changes nothing", async () => {
  await rename(server.model, `${server.model}.old`);
  await writeFile(server.model, "not a model");
  await expect(server.server.reload()).rejects.toMatchObject({ code: "invalid-model" });
  await rename(`${server.model}.old`, server.model);
  expect((await server.post("/v1/parse", { text: "Ann sings now." })).status).toBe(200);
  const text = await (await server.send("/metrics")).text();
  expect(text).toContain('arcwise_reloads_total{result="failed"} 1');
  expect(text).toContain('arcwise_reloads_total{result="done"} 1');
});

test("a server that stops lets requests end, and takes no others", async () => {
  const options = { models: [server.model], port: 0, log: silent };
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let isLoaded = false;
  const other = await startServer({ ...options, place: () => after(() => isLoaded && gate) });
  isLoaded = true;
  const begun = fetch(`${other.url}/v1/parse?text=Ann+sings.`);
  await wait(100);
  const stopped = other.close();
  expect(other.close()).toBe(stopped);
  await expect(fetch(`${other.url}/health`)).rejects.toThrow();
  open();
  expect((await begun).status).toBe(200);
  await stopped;
});

test("a server that stops ends requests after some time", async () => {
  let isLoaded = false;
  const other = await startServer({
    ...{ models: [server.model], port: 0, log: silent, grace: 0.2 },
    place: () => after(() => isLoaded && new Promise((resolve) => setTimeout(resolve, 3000))),
  });
  isLoaded = true;
  const begun = fetch(`${other.url}/v1/parse?text=Ann+sings.`).then(
    ({ status }) => status,
    () => "ended",
  );
  await wait(100);
  const began = performance.now();
  await other.close();
  expect(performance.now() - began).toBeLessThan(2500);
  expect([503, "ended"]).toContain(await begun);
});

test("a server refuses what it cannot start with", async () => {
  const start = (options: object) =>
    startServer({ models: [server.model], port: 0, place: () => here(), log: silent, ...options });
  await expect(start({ models: [] })).rejects.toMatchObject({ code: "invalid-option" });
  await expect(start({ models: ["a:=b"] })).rejects.toMatchObject({ code: "invalid-argument" });
  await expect(start({ models: ["no-such-model"] })).rejects.toMatchObject({ code: "missing-model" });
  await expect(start({ port: 70_000 })).rejects.toMatchObject({ code: "invalid-option" });
  await expect(start({ limits: { bodies: 1 } })).rejects.toMatchObject({ code: "unknown-option" });
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as { port: number };
  await expect(start({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  taken.close();
});
