import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { abortable } from "@arcwise/core/messages";
import { here } from "@arcwise/jobs";
import { afterEach, describe, expect, test } from "vitest";
import { after, eventually, withServer } from "./support.ts";

/** Holds the jobs of requests back until a test opens the door. */
const door = { wait: Promise.resolve() as Promise<void>, open: () => {} };
function closeDoor(): void {
  door.wait = new Promise((resolve) => {
    door.open = resolve;
  });
}
afterEach(() => door.open());

const limits = {
  ...{ body: 20_000, sentence: 12, sentences: 40, words: 200, kBest: 3, pattern: 30, answer: 10_000 },
  ...{ seconds: 20, bodySeconds: 0.4, requests: 3 },
};
const CONLLU = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
const server = withServer({ limits, place: () => after(() => door.wait) });

const hasty = withServer({ limits: { seconds: 0.3 }, place: () => after(() => door.wait) });

/** Answers that were begun at a place whose answers do not end before their thread. */
let writes = 0;
const stuck = withServer({
  limits: { seconds: 1 },
  place: () => {
    const place = here();
    return {
      ...{ width: 1, close: () => place.close() },
      do: (job, input, run) => {
        const { kind } = (input as { readonly task: { readonly kind: string } }).task;
        if (kind !== "write") return place.do(job, input, run);
        writes++;
        return abortable(new Promise(() => {}), run?.signal);
      },
    };
  },
});

/** Sends bytes over a connection, and returns what comes back until its end. */
async function raw(...parts: readonly (string | number)[]): Promise<string> {
  const socket = connect(server.server.port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk.toString();
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (const part of parts) {
    if (typeof part === "number") await wait(part);
    else socket.write(part);
  }
  socket.end();
  await closed;
  return answer;
}

const words = (n: number) => Array.from({ length: n }, (_, i) => `w${i}`);

describe("a request beyond a limit gets a status 4xx that names it", () => {
  test.each<[string, object, number]>([
    ["body", { text: "a ".repeat(limits.body) }, 413],
    ["sentence", { sentences: [["a"], words(limits.sentence + 1)] }, 422],
    ["sentences", { sentences: Array.from({ length: 41 }, () => ["a"]) }, 422],
    ["sentences", { conllu: CONLLU.repeat(41) }, 422],
    ["sentences", { text: "a\n".repeat(41), lines: true }, 422],
    ["words", { sentences: Array.from({ length: 20 }, () => words(11)) }, 422],
    ["kBest", { text: "Ann sings.", kBest: limits.kBest + 1 }, 400],
    ["kBest", { text: "Ann sings.", kBest: 1e30 }, 400],
    ["answer", { text: "Ann sings now. ".repeat(30) }, 422],
  ])("%s", async (name, body, status) => {
    const response = await server.post("/v1/parse", body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { code: "limit-exceeded", limit: { name, value: limits[name as "body"] } },
    });
  });

  test.each<[string, object, number]>([
    ["pattern", { text: "a", pattern: `{form:/${"a".repeat(30)}/}` }, limits.pattern],
    ["limit", { text: "a", pattern: "{}", limit: 100_001 }, 100_000],
  ])("%s of a search", async (name, body, value) => {
    const response = await server.post("/v1/search", body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: "limit-exceeded", limit: { name, value } },
    });
  });

  test("seconds, of the wait for a turn, which is no fault of the request", async () => {
    closeDoor();
    const sent = [1, 2, 3].map(() => hasty.post("/v1/parse", { text: "Ann sings." }));
    const statuses = (await Promise.all(sent)).map(({ status }) => status).sort();
    expect([422, 503]).toEqual(expect.arrayContaining(statuses));
    expect(statuses).toContain(503);
  });

  test("body, without a length that is announced", async () => {
    const chunks = Array.from({ length: 30 }, () => "a ".repeat(500));
    const body = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    const response = await server.send("/v1/parse", { method: "POST", body, duplex: "half" } as RequestInit);
    expect(response.status).toBe(413);
  });

  test("seconds, of the work", async () => {
    for (const format of ["json", "ndjson"]) {
      closeDoor();
      const response = await hasty.post("/v1/parse", { text: "Ann sings.", format });
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ error: { limit: { name: "seconds", value: 0.3 } } });
      door.open();
    }
  });

  test("seconds, and other requests do not wait in its place", async () => {
    const text = "Ann sings now. ".repeat(400);
    const response = await stuck.post("/v1/parse", { text });
    expect(response.status).toBe(422);
    expect(writes).toBe(1);
    expect((await stuck.post("/v1/parse", { text })).status).toBe(503);
    await wait(200);
    expect(writes).toBe(1);
  });

  test("bodySeconds, of a body that arrives slowly", async () => {
    const head = "POST /v1/parse HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 9\r\n\r\n";
    const answer = await raw(head, "Ann", 600, " si", 100);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"name":"bodySeconds"');
  });

  test("and does not keep its place", async () => {
    await eventually(async () => expect(await underWay()).toEqual({ requests: 0, bytes: 0 }));
  });

  test("just within the limits it is done", async () => {
    const body = { sentences: [words(limits.sentence)], kBest: limits.kBest };
    expect((await server.post("/v1/parse", body)).status).toBe(200);
  });
});

test("requests that do not fit are told when to come again, and the others are done", async () => {
  closeDoor();
  const sent = Array.from({ length: 8 }, () => server.post("/v1/parse", { text: "Ann sings now." }));
  await eventually(async () => expect((await underWay()).requests).toBe(limits.requests));
  let refused = 0;
  for (const one of sent) void one.then(({ status }) => status === 503 && refused++);
  await eventually(async () => expect(refused).toBe(sent.length - limits.requests));
  door.open();
  const answers = await Promise.all(sent);
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 200, 200, 503, 503, 503, 503, 503]);
  for (const answer of answers.filter(({ status }) => status === 503)) {
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ error: { code: "overloaded" } });
  }
  await eventually(async () => expect(await underWay()).toEqual({ requests: 0, bytes: 0 }));
});

test("a client that has gone does not keep its place", async () => {
  closeDoor();
  for (let k = 0; k < 2 * limits.requests; k++) {
    const stop = new AbortController();
    const body = { method: "POST", body: "Ann sings now.", signal: stop.signal };
    const sent = server.send("/v1/parse", body);
    await wait(50);
    stop.abort();
    await expect(sent).rejects.toThrow();
  }
  door.open();
  await eventually(async () => expect(await underWay()).toEqual({ requests: 0, bytes: 0 }));
  expect((await server.post("/v1/parse", { text: "Ann sings now." })).status).toBe(200);
});

/** The requests that are worked on, and the bytes of their bodies, by the figures of the server. */
async function underWay(): Promise<{ requests: number; bytes: number }> {
  const text = await (await server.send("/metrics")).text();
  const value = (name: string) => Number(new RegExp(`^arcwise_${name} (\\d+)$`, "m").exec(text)?.[1]);
  return { requests: value("requests_under_way"), bytes: value("body_bytes") };
}

test.each([
  "nonsense\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  "\u0000\u0001\u0002\r\n\r\n",
  "POST /v1/parse HTTP/1.1\r\nContent-Length: x\r\n\r\n",
])("bytes that are not HTTP are refused: %j", async (bytes) => {
  expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 400 /);
  expect((await server.send("/health")).status).toBe(200);
});

test("a request of HTTP/1.0 needs no Host, and an odd address is named", async () => {
  expect(await raw("GET /health HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
  for (const [target, host] of [
    ["/health", '"><script>'],
    ["/health", "[::::"],
    ["*", "a"],
  ]) {
    const method = target === "*" ? "OPTIONS" : "GET";
    const answer = await raw(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*application\/json[\s\S]*"code":"invalid-request","message":"expected a path/,
    );
  }
});

test("an address or headers beyond the limit of Node are told to be the body of a POST", async () => {
  const long = "a".repeat(40_000);
  const address = await raw(`GET /v1/parse?text=${long} HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(address).toMatch(/^HTTP\/1\.1 414 [\s\S]*"name":"address"/);
  const headers = await raw(`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${long}\r\n\r\n`);
  expect(headers).toMatch(/^HTTP\/1\.1 431 [\s\S]*"name":"headers"/);
});
