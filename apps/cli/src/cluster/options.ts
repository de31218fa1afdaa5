import type { StoreAddresses } from "@arcwise/cluster";
import { type Command, Option } from "commander";
import { UsageError } from "../command/errors.ts";
import type { Io } from "../files/io.ts";
import { printLine } from "../files/printable.ts";

/** The flags of commands that use a store. */
export interface StoreArguments {
  readonly store?: string | undefined;
  readonly readOnlyStore?: string | undefined;
}

/** The flags of commands that use a queue. */
export interface QueueArguments {
  readonly queue?: string | undefined;
}

/** Adds `--store`. */
export function withStoreOption(command: Command): Command {
  return command.addOption(
    new Option(
      "--store <address>",
      "the store that all machines see: a folder, such as one on NFS, or s3://BUCKET/PREFIX",
    ),
  );
}

/** Adds `--store` and `--read-only-store`. */
export function withStoreOptions(command: Command): Command {
  return withStoreOption(command).addOption(
    new Option("--read-only-store <address>", "a store that is read as well, and never written to"),
  );
}

/** Adds `--queue`. @param more other values */
export function withQueueOption(command: Command, more = ""): Command {
  return command.addOption(
    new Option(
      "--queue <address>",
      "redis://HOST, rediss://HOST (TLS) or postgres://HOST/DATABASE, and #NAME for one of several groups of " +
        `workers; a password is better given by ARCWISE_QUEUE_PASSWORD${more}`,
    ),
  );
}

/** Returns the addresses of the store. */
export function requireStore({ store, readOnlyStore }: StoreArguments): StoreAddresses {
  if (store !== undefined) return { store, readOnlyStore };
  throw new UsageError("expected --store ADDRESS: a folder that all machines see, or s3://BUCKET/PREFIX");
}

const PASSWORD_NOTE =
  "arcwise: other users of this machine can see a password in --queue: give it by ARCWISE_QUEUE_PASSWORD";

/** Returns the options of `onQueue` and `serveQueue`. */
export function queueOptions(io: Io, { queue }: QueueArguments) {
  if (queue === undefined) throw new UsageError("expected --queue ADDRESS, such as redis://HOST");
  const [address, name] = queue.split("#");
  if (URL.canParse(address!) && new URL(address!).password !== "") printLine(io, PASSWORD_NOTE);
  return {
    queue: address!,
    name: name || undefined,
    password: io.env.ARCWISE_QUEUE_PASSWORD,
    onNote: (line: string) => printLine(io, `arcwise: ${line}`),
  };
}
