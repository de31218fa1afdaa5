import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConllu } from "@arcwise/conllu";
import { abortable } from "@arcwise/core/messages";
import { here, type Place } from "@arcwise/jobs";
import { savePipeline, trainPipeline } from "@arcwise/pipeline";
import { afterAll, beforeAll } from "vitest";
import { kept } from "../../../tools/kept-models.ts";
import { type RunningServer, type ServerOptions, startServer } from "../src/index.ts";

/** Sixty sentences such as "Ann sings now." */
export const TREEBANK = parseConllu(
  ["Ann", "Bob", "Cats", "Dogs", "She"]
    .flatMap((subject) =>
      ["sings", "sleeps", "runs"].flatMap((verb) =>
        ["now", "well", "here", "often"].map(
          (adverb) => `1 ${subject} ${subject.toLowerCase()} NOUN _ _ 2 nsubj _ _
2 ${verb} ${verb.slice(0, -1)} VERB _ _ 0 root _ _
3 ${adverb} ${adverb} ADV _ _ 2 advmod _ SpaceAfter=No
4 . . PUNCT _ _ 2 punct _ _

`,
        ),
      ),
    )
    .join("")
    .replaceAll(" ", "\t"),
);

/** A server of a test, and what it wrote to its log. */
export interface TestServer {
  server: RunningServer;
  readonly log: Readonly<Record<string, unknown>>[];
  /** The model file. */
  model: string;
  /** Sends a request to a path. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Sends JSON to a path. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Returns a new folder, which is removed after the last test. */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), "arcwise-"));

/** Writes a small model, and starts a server of it that works in this thread. */
export function withServer(options: Partial<ServerOptions> = {}): TestServer {
  const log: Readonly<Record<string, unknown>>[] = [];
  const test: TestServer = {
    server: undefined as never,
    log,
    model: join(temporaryFolder(), "tiny-test.model"),
    send: (path, init) => fetch(`${test.server.url}${path}`, init),
    post: (path, body, headers = {}) =>
      test.send(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
  };
  beforeAll(async () => {
    await writeTestModel(test.model);
    test.server = await startServer({
      models: [test.model, `other:second=${test.model}`],
      port: 0,
      place: () => here(),
      log: { write: (line) => void log.push(JSON.parse(line)) },
      ...options,
    });
  });
  afterAll(() => test.server?.close());
  return test;
}

/** Writes a small model, which is trained once for all tests. */
export async function writeTestModel(path: string): Promise<void> {
  const settings = {
    ...{ jackknife: 0, tokenizer: { epochs: 6 }, tagger: { epochs: 2 } },
    parser: { order: 1, epochs: 2, prune: false },
  } as const;
  const make = async () => savePipeline(await trainPipeline(TREEBANK, { preset: "linear", settings }));
  writeFileSync(path, await kept(["server", TREEBANK, settings], make));
}

/** Repeats what a test expects until it is so, for ten seconds. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  for (let k = 0; k < 200; k++) {
    try {
      return await check();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  await check();
}

/** Returns a place that does jobs as another one, after what a function does for each. */
export function after(before: (input: object) => unknown, place: Place = here()): Place {
  return {
    ...place,
    width: place.width,
    do: async (job, input, run) => {
      await abortable(Promise.resolve(before(input)), run?.signal);
      return place.do(job, input, run);
    },
  };
}
