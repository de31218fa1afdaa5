import fc from "fast-check";
import { expect, test } from "vitest";
import { withServer } from "./support.ts";

const server = withServer({ limits: { body: 5000, kBest: 4 } });

const PATHS = [
  "/v1/parse",
  "/v1/search",
  "/v1/models",
  "/process",
  "/models",
  "/health",
  "/v1/docs",
  "/",
  "/x%zz",
];
const TYPES = [
  ...["application/json", "text/plain", "text/x-conllu", "application/x-www-form-urlencoded"],
  ...[
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "application/x-ndjson",
    ";",
    "text/plain; charset=utf-16",
  ],
];
const FIELDS = [
  ...[
    "text",
    "conllu",
    "sentences",
    "model",
    "lines",
    "tags",
    "kBest",
    "marginals",
    "constraints",
    "deps",
    "graph",
  ],
  ...[
    "report",
    "format",
    "pattern",
    "limit",
    "unique",
    "trees",
    "data",
    "tokenizer",
    "parser",
    "input",
    "output",
    "__proto__",
  ],
];

const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    "Ann sings.",
    "1\tAnn\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
    "{}",
    "{form:/(a+)+b/}",
    "predicted",
    "given",
    [["a"]],
  ),
);
const object = fc.dictionary(fc.constantFrom(...FIELDS), value, { noNullPrototype: true });
const body = fc.oneof(
  object.map((fields) => Buffer.from(JSON.stringify(fields))),
  object.map((fields) =>
    Buffer.from(new URLSearchParams(Object.entries(fields).map(([k, v]) => [k, String(v)])).toString()),
  ),
  fc.uint8Array({ maxLength: 6000 }).map((bytes) => Buffer.from(bytes)),
  fc
    .string()
    .map((text) =>
      Buffer.from(`--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n${text}\r\n--x--\r\n`),
    ),
  object.map((fields) => Buffer.from(JSON.stringify(fields).slice(0, -3))),
);
const request = fc.record({
  path: fc.constantFrom(...PATHS),
  query: fc.option(
    object.map((fields) =>
      new URLSearchParams(Object.entries(fields).map(([k, v]) => [k, String(v)])).toString(),
    ),
  ),
  method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"),
  type: fc.constantFrom(...TYPES),
  accept: fc.constantFrom(
    "*/*",
    "application/json",
    "application/x-ndjson",
    "text/x-conllu",
    "image/png",
    "",
    ",;",
  ),
  body,
});

test("whatever a request has, it is answered or refused, and the next one is done", async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ path, query, method, type, accept, body: bytes }) => {
      const hasBody = !["GET", "HEAD"].includes(method);
      const response = await server.send(query === null ? path : `${path}?${query}`, {
        method,
        headers: { accept, ...(hasBody && { "content-type": type }) },
        ...(hasBody && { body: bytes }),
      });
      const text = await response.text();
      expect({ status: response.status, text }).not.toMatchObject({ status: 500 });
      expect(response.status).toBeLessThan(500);
      if (response.status >= 400 && method !== "HEAD") {
        expect(text).not.toBe("");
        expect(text).not.toMatch(/node_modules|file:\/\/|\.ts:\d|\n {4}at /);
      }
      if (response.headers.get("content-type") === "application/json" && method !== "HEAD") JSON.parse(text);
    }),
    { numRuns: process.env.CI === undefined ? 150 : 1000 },
  );
  const after = await server.post("/v1/parse", { text: "Ann sings now." });
  expect((await after.json()).sentences[0].words).toHaveLength(4);
});
