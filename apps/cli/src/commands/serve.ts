import { isatty } from "node:tty";
import type { EncoderIdentity } from "@arcwise/core/encoders";
import type { RunningServer, ServerOptions } from "@arcwise/server";
import { Command, Option } from "commander";
import { type CommandFactory, integer, positive, type ShortHelp, withShortHelp } from "../command/options.ts";
import { UsageError } from "../errors.ts";
import { fileBytes } from "../files/input.ts";
import { type Io, printLine, untilStopped } from "../files/io.ts";
import { loadServer } from "../modules/packages.ts";

interface ServeArguments {
  readonly port: number;
  readonly host: string;
  readonly threads?: number | undefined;
  readonly tokenFile?: string | undefined;
  readonly cors?: readonly string[] | undefined;
  readonly grace: number;
}

const SHORT_HELP: ShortHelp = {
  options: {
    "--port": "the port to listen at; 0: any free one",
    "--host": "the address to listen at; by default this machine alone",
    "--threads": "threads that parse",
    "--token-file": "a file with a secret that requests must have",
    "--cors": "an origin whose pages may call the server",
  },
  examples: [
    ["arcwise serve english", "http://localhost:8080"],
    ["arcwise serve english de=german.model --port 9000", ""],
    ['curl "http://localhost:8080/v1/parse?text=Dogs+bark."', "a tree as JSON"],
    ["udpipe2_client.py --service http://localhost:8080 ...", "as UDPipe 2"],
  ],
  after: `
The encoder of a model is a folder of its name next to the model, or in the folder of the environment variable
ARCWISE_ENCODERS. A token may also be in the environment variable ARCWISE_TOKEN. SIGHUP loads the models again; SIGTERM and Ctrl-C let
requests end, and a second one stops at once. The log goes to the standard output, a line of JSON per event.`,
};

/** `arcwise serve MODEL... [--port N]` */
export const serveCommand: CommandFactory = (io) =>
  withShortHelp(serveOptions(), SHORT_HELP).action((models: string[], options: ServeArguments) =>
    serve(io, models, options),
  );

const limit = (flags: string, help: string, parser = integer(1)) => new Option(flags, help).argParser(parser);

/** The flags of the limits of requests, by the names of the limits. */
const LIMITS: Readonly<Record<keyof NonNullable<ServerOptions["limits"]>, Option>> = {
  body: limit("--max-body <bytes>", "maximum length of the body of a request (4194304)"),
  sentence: limit("--max-sentence <words>", "maximum number of words of a sentence (1000)"),
  sentences: limit("--max-sentences <n>", "maximum number of sentences of a request (250000)"),
  words: limit("--max-words <n>", "maximum number of words of a request (1000000)"),
  kBest: limit("--max-kbest <k>", "maximum number of trees of a sentence (100)"),
  pattern: limit("--max-pattern <n>", "maximum number of characters of a pattern (4096)"),
  answer: limit("--max-answer <bytes>", "maximum length of an answer (1073741824)"),
  seconds: limit(
    "--max-seconds <s>",
    "maximum time of 64 sentences, and of the wait of a request for its turn; a long text may take longer (60)",
    positive,
  ),
  bodySeconds: limit("--max-body-seconds <s>", "maximum time in which a body arrives (30)", positive),
  requests: limit(
    "--max-requests <n>",
    "maximum number of requests that are worked on or wait; further ones get 503 (32 per thread)",
  ),
};

function serveOptions(): Command {
  const command = new Command("serve")
    .description("serve models over HTTP: JSON, NDJSON, the REST service of UDPipe 2, and a page")
    .argument(
      "[models...]",
      "models: files, or packages (english is @arcwise/english); NAME=MODEL gives one a name, NAME:OTHER=MODEL several",
    )
    .option("--port <n>", "the port to listen at; 0: any free one", integer(0, 65535), 8080)
    .option("--host <address>", "the address to listen at; 0.0.0.0 or :: is any", "127.0.0.1")
    .option("--threads <n>", "threads that parse (one per core)", integer(1, 1024))
    .option(
      "--token-file <file>",
      "a file with a secret that requests must have: Authorization: Bearer TOKEN",
    )
    .option(
      "--cors <origin>",
      "an origin whose pages may call the server, such as https://example.org; * is any; may be repeated",
      (origin: string, before: readonly string[] = []) => [...before, origin],
    );
  for (const option of Object.values(LIMITS)) command.addOption(option);
  return command.option(
    "--grace <s>",
    "seconds that requests have to end when the server is stopped",
    positive,
    10,
  );
}

async function serve(io: Io, models: readonly string[], options: ServeArguments): Promise<void> {
  if (models.length === 0) {
    const { modelAdvice } = await import("../analysis/model-names.ts");
    throw new UsageError(await modelAdvice("serve", undefined, ""));
  }
  const token = await tokenOf(io, options);
  const { startServer } = await loadServer();
  const encoder = async (needed: EncoderIdentity, file: string) => {
    const { findFolder, openEncoder } = await import("../analysis/encoders.ts");
    return openEncoder(await findFolder(io, file, needed));
  };
  const { host, port, threads, cors, grace } = options;
  const values = options as ServeArguments & Readonly<Record<string, number | undefined>>;
  const server = await startServer({
    ...{ models, host, port, threads, cors, grace, token, encoder, log: io.stdout as Log },
    limits: Object.fromEntries(
      Object.entries(LIMITS).map(([name, option]) => [name, values[option.attributeName()]]),
    ),
  });
  const isOpen = !/^(?:127\.|::1$|localhost$)/.test(options.host);
  printLine(io, `arcwise: serving ${models.join(", ")} at ${server.url}`);
  if (isOpen && token === undefined)
    printLine(io, "note: whoever reaches this address may use the server: --token-file requires a secret");
  await untilClosed(io, server);
  await server.close();
}

type Log = NonNullable<ServerOptions["log"]>;

async function tokenOf(io: Io, { tokenFile }: ServeArguments): Promise<string | undefined> {
  if (tokenFile === undefined) return io.env.ARCWISE_TOKEN || undefined;
  const token = (await fileBytes(tokenFile)).toString().trim();
  if (!/^[\w.~+/-]+=*$/.test(token))
    throw new UsageError(
      `--token-file ${tokenFile}: expected letters, digits and -._~+/, found other characters, or none`,
    );
  return token;
}

/** Resolves when a signal asks to stop the server, or when its terminal is closed. */
function untilClosed(io: Io, server: RunningServer): Promise<void> {
  const isInTerminal = io.stdin.isTTY === true;
  const closed = new Promise<void>((resolve) =>
    // A reload that fails is in the log, and the old models stay.
    io.onReload?.(() =>
      // A terminal that is closed sends the same signal.
      isInTerminal && !isatty(0) ? resolve() : void server.reload().catch(() => {}),
    ),
  );
  return Promise.race([closed, untilStopped(io)]);
}
