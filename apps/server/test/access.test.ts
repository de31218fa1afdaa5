import { describe, expect, test } from "vitest";
import { withServer } from "./support.ts";

const open = withServer();
const closed = withServer({ token: "secret-1", cors: ["https://one.example", "https://two.example"] });
const ORIGIN = "access-control-allow-origin";

describe("a token", () => {
  const paths = [
    "/v1/parse?text=Ann",
    "/v1/search",
    "/v1/models",
    "/process?data=a",
    "/models",
    "/metrics",
    "/v1/%70arse?text=a",
  ];
  test.each(paths)("is required by %s", async (path) => {
    for (const authorization of [undefined, "Bearer secret-2", "Bearer ", "Basic secret-1", "secret-1"]) {
      const response = await closed.send(
        path,
        authorization === undefined ? {} : { headers: { authorization } },
      );
      expect([400, 401]).toContain(response.status);
      expect((await response.json()).error.code).toBe("unauthorized");
    }
    const allowed = await closed.send(path, { headers: { authorization: "Bearer secret-1" } });
    expect(allowed.status).not.toBe(401);
  });

  test.each(["/health", "/ready", "/v1/docs", "/v1/openapi.json", "/"])(
    "is not required by %s",
    async (path) => {
      expect((await closed.send(path)).status).toBe(200);
    },
  );
});

describe("pages of other origins", () => {
  test("may call the server only if it is told so", async () => {
    const headers = { origin: "https://one.example" };
    expect((await open.send("/health", { headers })).headers.get(ORIGIN)).toBeNull();
    expect((await closed.send("/health", { headers })).headers.get(ORIGIN)).toBe("https://one.example");
    const other = await closed.send("/health", { headers: { origin: "https://three.example" } });
    expect(other.headers.get(ORIGIN)).toBeNull();
  });

  test("ask before they send JSON, without a token", async () => {
    const headers = {
      ...{ origin: "https://two.example", "access-control-request-method": "POST" },
      "access-control-request-headers": "content-type,authorization",
    };
    const response = await closed.send("/v1/parse", { method: "OPTIONS", headers });
    expect(response.status).toBe(204);
    expect(response.headers.get(ORIGIN)).toBe("https://two.example");
    expect(response.headers.get("access-control-allow-headers")).toContain("content-type");
  });
});

describe("each answer has an id, which the log has as well", () => {
  test("of the client if it sends one", async () => {
    const headers = { "x-request-id": "mine-7" };
    const response = await open.send("/v1/parse?text=Ann+sings.", { headers });
    expect(response.headers.get("x-request-id")).toBe("mine-7");
    await response.text();
    const entry = await logged("mine-7");
    expect(entry).toMatchObject({
      method: "GET",
      path: "/v1/parse",
      status: 200,
      seconds: expect.any(Number),
    });
    expect(JSON.stringify(entry)).not.toContain("sings");
  });

  test("or a new one, in place of what cannot be one", async () => {
    const ids = await Promise.all(
      ["a b\tc", "x".repeat(300), "<script>"].map(async (id) => {
        const response = await open.send("/health", { headers: { "x-request-id": id } });
        return response.headers.get("x-request-id");
      }),
    );
    for (const id of ids) expect(id).toMatch(/^[\w-]{10,64}$/);
    expect(new Set(ids).size).toBe(3);
  });

  async function logged(id: string) {
    for (let k = 0; k < 100; k++) {
      const entry = open.log.find(({ requestId }) => requestId === id);
      if (entry !== undefined) return entry;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`expected ${id} in the log, found ${JSON.stringify(open.log)}`);
  }
});

test("figures count requests, sentences and words", async () => {
  await (await open.post("/v1/parse", { text: "Ann sings now. Bob sleeps.", model: "other" })).text();
  await (await open.send("/no/such/path")).text();
  const text = await (await open.send("/metrics")).text();
  const value = (name: string) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1),
    );
  expect(value('arcwise_sentences_total{model="other"}')).toBe(2);
  expect(value('arcwise_words_total{model="other"}')).toBe(7);
  expect(
    value('arcwise_http_request_duration_seconds_count{method="POST",route="/v1/parse",status="200"}'),
  ).toBe(1);
  expect(text).toContain('route="other",status="404"');
  expect(text).not.toContain("/no/such");
});
