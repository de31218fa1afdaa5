/**
 * Loads the built command `arcwise serve` with requests whose answers are known, and with faults at the same time:
 *
 *     node apps/server/test/load.mjs --minutes 10 --threads 2 --connections 16
 *
 * First the library and the server work in turns without faults (`--rounds`, `--seconds` each): words per second of
 * processor time of both. Then, for `--minutes`, clients hang up, bodies arrive slowly, 1,000 requests are malformed, and
 * every `--end` seconds a thread of the server ends. Ends with 1 if an answer is lost or wrong, or memory grows.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { onThreads } from "@arcwise/jobs/node";
import { modelFile, openPipeline } from "@arcwise/pipeline/node";
import autocannon from "autocannon";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const shared = process.env.ARCWISE_DATA ?? here("../../../../shared");
const { values: given } = parseArgs({
  options: {
    model: { type: "string", default: here("../../../packages/english/english.model") },
    text: { type: "string", default: join(shared, "text/english-cc0.txt") },
    minutes: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "20" },
    threads: { type: "string", default: "2" },
    connections: { type: "string", default: "16" },
    end: { type: "string", default: "10" },
    library: { type: "boolean", default: false },
  },
});
const [minutes, rounds, seconds, threads, connections] = [
  given.minutes,
  given.rounds,
  given.seconds,
  given.threads,
  given.connections,
].map(Number);
const MALFORMED = 1000;
/** The parts of the memory of the server that are sampled, and their metrics. The first is the memory of the process. */
const MEMORY = {
  memory: "process_resident_memory_bytes",
  "JavaScript heap of the main thread": "nodejs_heap_size_used_bytes",
  "memory outside of that heap": "nodejs_external_memory_bytes",
};
/** Paragraphs of text, one per request. */
const texts = readFileSync(given.text, "utf8").split("\n").slice(0, 300);
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Lets the library parse the texts on threads, and prints its words and processor time. Warms up first. */
async function measureLibrary() {
  const place = onThreads(threads);
  const nlp = await openPipeline({ model: await modelFile(given.model) }, { place });
  const work = async (until) => {
    let words = 0;
    let next = 0;
    const client = async () => {
      while (performance.now() < until) {
        const sentences = await nlp.run(texts[next++ % texts.length]);
        for (const sentence of sentences) words += sentence.words.length;
      }
    };
    await Promise.all(Array.from({ length: connections }, client));
    return words;
  };
  await work(performance.now() + 500 * seconds);
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const words = await work(performance.now() + 1000 * seconds);
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    JSON.stringify({ words, cpu: (user + system) / 1e6, seconds: (performance.now() - began) / 1000 }),
  );
  await place.close();
}

async function main() {
  const expected = await expectedAnswers();
  const server = await startServer();
  const failures = [];
  try {
    const quiet = await takeTurns(server, expected);
    const { shares, worst } = quiet;
    console.log(
      `without faults: p99 ${Math.max(...worst)} ms; share of the library's speed ${shares.join(", ")}`,
    );
  } finally {
    await server.stop();
  }
  const faulty = await startServer(given.end);
  try {
    failures.push(...(await withFaults(faulty, expected)));
  } finally {
    await faulty.stop();
  }
  for (const failure of failures) console.log(`FAILED: ${failure}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

/** Returns the answer to each text, as the library makes it. */
async function expectedAnswers() {
  const nlp = await openPipeline({ model: await modelFile(given.model) });
  return texts.map((text) => {
    const sentences = nlp.run(text);
    const words = sentences.reduce((sum, sentence) => sum + sentence.words.length, 0);
    return { words, json: JSON.stringify(sentences) };
  });
}

async function startServer(end = "0") {
  const program = here("../../cli/bin/arcwise.js");
  const args = ["serve", `load=${given.model}`, "--port", "0", "--threads", `${threads}`];
  const env = { ...process.env, END_THREADS_SECONDS: end };
  const child = spawn(process.execPath, ["--import", here("end-threads.mjs"), program, ...args], { env });
  child.stdout.resume();
  let printed = "";
  child.stderr.on("data", (chunk) => {
    printed += chunk;
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  for (;;) {
    const url = /at (http:\S+)/.exec(printed)?.[1];
    if (url !== undefined) {
      if (end !== "0") child.kill("SIGUSR2");
      return { url, port: Number(new URL(url).port), figures: () => figures(url), stop };
    }
    if (child.exitCode !== null) throw new Error(printed);
    await wait(100);
  }
  async function stop() {
    child.kill("SIGTERM");
    const code = await exited;
    if (code !== 0) throw new Error(`expected the server to end with 0, found ${code}: ${printed}`);
  }
}

/** Returns figures of the server: of several with one name their sum. */
async function figures(url) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = {};
  for (const [, name, value] of text.matchAll(/^(\w+)(?:\{[^}]*\})? (\S+)$/gm))
    found[name] = (found[name] ?? 0) + Number(value);
  return found;
}

/** Sends texts for some seconds, and compares all answers. */
async function load(url, expected, duration) {
  const wrong = [];
  let words = 0;
  let answers = 0;
  const requests = texts.map((body, k) => ({
    ...{ method: "POST", path: "/v1/parse", headers: { "content-type": "text/plain" }, body },
    onResponse(status, answer) {
      answers++;
      if (
        status === 200 &&
        answer === `{"model":"load","sentences":${lines(expected[k].json)},"failures":[]}\n`
      )
        words += expected[k].words;
      else wrong.push(`text ${k}: ${status} ${answer.slice(0, 200)}`);
    },
  }));
  const result = await autocannon({ url, connections, duration, requests, timeout: 60 });
  const lost = result.errors + result.timeouts;
  return {
    words,
    answers,
    wrong,
    lost,
    p99: result.latency.p99,
    p50: result.latency.p50,
    seconds: result.duration,
  };
}

/** The list of sentences as the server writes it: a sentence per line. */
function lines(json) {
  return `[${JSON.parse(json)
    .map((sentence) => JSON.stringify(sentence))
    .join(",\n")}]`;
}

/** Measures the library and the server in turns; returns the shares of the library's words per second of processor time. */
async function takeTurns({ url, figures: read }, expected) {
  await load(url, expected, Math.ceil(seconds / 2));
  const shares = [];
  const worst = [];
  for (let round = 0; round < rounds; round++) {
    const library = await inLibrary();
    const before = await read();
    const { words, wrong, lost, p99, seconds: took } = await load(url, expected, seconds);
    const after = await read();
    if (wrong.length + lost > 0)
      throw new Error(`without faults, lost ${lost}: ${wrong.slice(0, 3).join("\n")}`);
    const cpu = after.process_cpu_seconds_total - before.process_cpu_seconds_total;
    const share = words / cpu / (library.words / library.cpu);
    shares.push(share.toFixed(3));
    worst.push(p99);
    const rate = (one) =>
      `${Math.round(one.words / one.cpu)} words/s of processor time, ${Math.round(one.words / one.seconds)} by the clock`;
    console.log(`library: ${rate(library)}; server: ${rate({ words, cpu, seconds: took })}; p99 ${p99} ms`);
  }
  return { shares, worst };
}

async function inLibrary() {
  const args = process.argv.slice(2).concat("--library");
  const child = spawn(process.execPath, [here("load.mjs"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  await new Promise((resolve) => child.once("close", resolve));
  return JSON.parse(printed);
}

/** Loads the server with faults at the same time. Returns what went wrong. */
async function withFaults({ url, port, figures: read }, expected) {
  const end = performance.now() + minutes * 60_000;
  const faults = { hungUp: 0, slow: 0, malformed: 0, refused: 0 };
  const memory = [];
  const sample = async () => {
    while (performance.now() < end) {
      await wait(5000);
      const now = await read();
      memory.push(Object.values(MEMORY).map((name) => now[name] / 2 ** 20));
    }
  };
  const [result] = await Promise.all([
    load(url, expected, Math.round(minutes * 60)),
    hangUp(port, end, faults),
    ...Array.from({ length: 4 }, () => slowBody(port, end, faults)),
    sendMalformed(port, end, faults),
    sample(),
  ]);
  const after = await read();
  const { answers, wrong, lost, p99, p50, words } = result;
  console.log(
    `${answers} answers, ${wrong.length} wrong, ${lost} lost; ${words} words in ${result.seconds} s; p50 ${p50} ms, p99 ${p99} ms`,
  );
  console.log(
    `${faults.hungUp} clients hung up, ${faults.slow} bodies were slow, ${faults.malformed} requests malformed ` +
      `(${faults.refused} refused), ${after.arcwise_threads_lost_total} threads ended`,
  );
  const partThirds = Object.keys(MEMORY).map((part, p) => {
    const found = thirdsOf(memory.map((sample) => sample[p]));
    console.log(`${part}, mean of each third: ${found.map((one) => one.toFixed(0)).join(", ")} MB`);
    return found;
  });
  const thirds = partThirds[0];
  return [
    ...wrong.slice(0, 5),
    ...(lost > 0 ? [`${lost} requests without an answer`] : []),
    ...(faults.malformed < MALFORMED ? [`only ${faults.malformed} malformed requests`] : []),
    ...(faults.refused < faults.malformed
      ? [`${faults.malformed - faults.refused} malformed requests not refused`]
      : []),
    ...(thirds[2] > 1.1 * thirds[1]
      ? ["the memory of the last third is more than 1.1 times the memory of the second"]
      : []),
    ...(after.arcwise_requests_under_way > 0
      ? [`${after.arcwise_requests_under_way} requests are under way`]
      : []),
  ];
}

/** Returns the mean of each third of the values. */
function thirdsOf(values) {
  return [0, 1, 2].map((third) =>
    mean(values.slice((third * values.length) / 3, ((third + 1) * values.length) / 3)),
  );
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Sends requests, and closes their connections after up to 200 ms. */
async function hangUp(port, end, faults) {
  while (performance.now() < end) {
    const text = texts[faults.hungUp % texts.length].repeat(20);
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    const head = "POST /v1/parse HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n";
    socket.write(`${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    await wait(50 + ((faults.hungUp * 37) % 150));
    socket.destroy();
    faults.hungUp++;
    await wait(300);
  }
}

/** Sends a body of a byte per second, which does not come to its end. */
async function slowBody(port, end, faults) {
  while (performance.now() < end) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    let isOpen = true;
    socket.on("close", () => {
      isOpen = false;
    });
    socket.resume();
    socket.write(
      "POST /v1/parse HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: 9999\r\n\r\n",
    );
    while (isOpen && performance.now() < end) {
      socket.write("a");
      await wait(1000);
    }
    socket.destroy();
    faults.slow++;
  }
}

const BODY = (type, body) =>
  `POST /v1/parse HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const WRONG = [
  "nonsense\r\n\r\n",
  "POST /v1/parse HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
  BODY("application/json", "{"),
  BODY("application/json", '{"text": 5}'),
  BODY("application/json", '{"sentences": [[""]]}'),
  BODY("image/png", "a"),
  BODY("text/x-conllu", "1\ta\n"),
  BODY("text/plain", "a").replace("/v1/parse", "/v1/parse?kBest=1000000"),
  BODY("multipart/form-data; boundary=x", "--y").replace("/v1/parse", "/process"),
  BODY("text/plain", "a").replace("/v1/parse", "/v2"),
];

/** Sends requests that are malformed, spread over the time; counts those that a status 4xx answers. */
async function sendMalformed(port, end, faults) {
  const pause = (end - performance.now()) / (1.1 * MALFORMED);
  let due = performance.now();
  while (faults.malformed < MALFORMED && performance.now() < end) {
    const bytes = WRONG[faults.malformed % WRONG.length];
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.write(bytes);
    faults.malformed++;
    socket.once("close", () => {
      if (/^HTTP\/1\.1 4\d\d /.test(answer)) faults.refused++;
    });
    due += pause;
    await wait(Math.max(0, due - performance.now()));
  }
  await wait(2000);
}

if (given.library) await measureLibrary();
else await main();
