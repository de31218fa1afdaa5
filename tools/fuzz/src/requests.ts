import { join } from "node:path";
import { parseConllu } from "@arcwise/conllu";
import { here } from "@arcwise/jobs";
import { trainPipeline } from "@arcwise/pipeline";
import { writePipelineFile } from "@arcwise/pipeline/node";
import { startServer } from "@arcwise/server";
import fc from "fast-check";
import { type Area, Fault } from "./area.ts";
import { sampleText } from "./samples.ts";

const PATHS = "/v1/parse /v1/search /v1/models /process /models /health /v1/docs / /x%zz".split(" ");
const TYPES = [
  ...["application/json", "text/plain", "text/x-conllu", "application/x-www-form-urlencoded"],
  ...["multipart/form-data", "multipart/form-data; boundary=x", "application/x-ndjson", ";"],
  ...["text/plain; charset=utf-16", "constructor", "__proto__"],
];
const FIELDS = (
  "text conllu sentences model lines tags kBest marginals constraints deps graph report format pattern limit unique " +
  "trees data tokenizer parser input output vertical horizontal __proto__"
).split(" ");

const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    ...["Ann sings.", "1\tAnn\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "{}", "{form:/(a+)+b/}", "predicted", "given"],
    ...[101, [["a"]]],
  ),
);
const object = fc.dictionary(fc.constantFrom(...FIELDS), value, { noNullPrototype: true });
const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const form = object.map((fields) =>
  String(new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, textOf(value)]))),
);
const body = fc.oneof(
  object.map((fields) => JSON.stringify(fields)),
  object.map((fields) => JSON.stringify(fields).slice(0, -3)),
  form,
  fc.uint8Array({ maxLength: 6000 }).map((bytes) => new Uint8Array(bytes)),
  fc.string().map((text) => `--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n${text}\r\n--x--\r\n`),
);
const request = fc.record({
  path: fc.constantFrom(...PATHS),
  query: fc.option(form),
  method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"),
  type: fc.constantFrom(...TYPES),
  accept: fc.constantFrom(
    ...["*/*", "application/json", "application/x-ndjson", "text/x-conllu", "image/png", "", ",;"],
  ),
  body,
});

type RequestInput = typeof request extends fc.Arbitrary<infer Input> ? Input : never;

/** Sends odd requests to a server, which answers or refuses each, and then a sound one. */
export const requests: Area<RequestInput> = {
  name: "requests",
  description: "odd requests to a server: a status below 500, no path of a file, and it serves on",
  share: 1,
  prepare: async ({ folder }) => {
    const model = join(folder, "tiny.model");
    const settings = { jackknife: 0, tokenizer: { epochs: 1 }, tagger: { epochs: 1 } };
    const parser = { order: 1, epochs: 1, prune: false } as const;
    const options = { preset: "linear", settings: { ...settings, parser } } as const;
    await writePipelineFile(model, await trainPipeline(parseConllu(sampleText(20)), options));
    const limits = { body: 5000, kBest: 4 };
    const log = { write: () => {} };
    const server = await startServer({ models: [model], port: 0, place: () => here(), log, limits });
    return {
      inputs: request,
      async try({ path, query, method, type, accept, body }) {
        const hasBody = !["GET", "HEAD"].includes(method);
        const response = await fetch(`${server.url}${path}${query === null ? "" : `?${query}`}`, {
          method,
          headers: { accept, ...(hasBody && { "content-type": type }) },
          ...(hasBody && { body }),
        });
        const text = await response.text();
        const answer = `${method} ${path}: ${response.status} ${text.slice(0, 500)}`;
        if (response.status >= 500) throw new Fault(answer);
        const isRefused = response.status >= 400;
        const isRead = method !== "HEAD";
        const isWrong = text === "" || /node_modules|file:\/\/|\.ts:\d|\n {4}at /.test(text);
        if (isRefused && isRead && isWrong) throw new Fault(answer);
        if (isRead && response.headers.get("content-type") === "application/json") JSON.parse(text);
        const next = await fetch(`${server.url}/v1/parse?text=Ann+sings.`);
        if (next.status !== 200) throw new Fault(`after ${answer}: ${await next.text()}`);
        return isRefused ? "refused" : "survived";
      },
      close: () => server.close(),
    };
  },
};
