import { invalidArgument } from "@arcwise/core/errors";

/** The server of a queue, by its address. */
export interface QueueAddress {
  readonly server: "redis" | "postgres";
  /** The whole address, with credentials. Never shown. */
  readonly url: string;
  /** The address without credentials, for messages. */
  readonly shown: string;
}

const SERVERS: Readonly<Record<string, QueueAddress["server"]>> = {
  "redis:": "redis",
  "rediss:": "redis",
  "postgres:": "postgres",
  "postgresql:": "postgres",
};

/**
 * Reads the address of a queue: `redis://`, `rediss://` (TLS) or `postgres://`, with user and password where the
 * server asks for them.
 *
 * @param password takes the place of a password in the address, which other users of the machine may see
 */
export function queueAddress(address: string, password?: string): QueueAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const server = url && SERVERS[url.protocol];
  if (url === undefined || server === undefined)
    throw invalidArgument(
      "queue",
      "an address that begins with redis://, rediss:// or postgres://",
      url === undefined ? "no URL" : `one that begins with ${url.protocol}//`,
    );
  if (password !== undefined && password !== "") url.password = encodeURIComponent(password);
  const { protocol, host, pathname } = url;
  return { server, url: url.href, shown: `${protocol}//${host}${pathname}` };
}

/** Returns a message without the password of an address, which drivers may quote. */
export function withoutCredentials(message: string, { url, shown }: QueueAddress): string {
  const { password } = new URL(url);
  const secrets = [url, password, decodeURIComponent(password)].filter((secret) => secret !== "");
  return secrets.reduce((text, secret) => text.replaceAll(secret, secret === url ? shown : "***"), message);
}
