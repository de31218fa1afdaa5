import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ArcwiseError, invalidArgument } from "@arcwise/core/errors";
import { installCommand } from "@arcwise/core/node";
import { type Complete, checkOptions } from "@arcwise/core/options";
import {
  type Hash,
  refuseWrites,
  requireName,
  STORE_OPTIONS,
  type Store,
  type StoreOptions,
} from "@arcwise/jobs/node";
import type { S3Client } from "@aws-sdk/client-s3";

/** Status codes of a store in which a blob of the name is there, or is being written by another at this time. */
const PRESENT = 412;
const CONFLICT = 409;
const MISSING = 404;
/** Attempts at a request. */
const ATTEMPTS = 3;
/** Bytes per millisecond of the slowest line that is waited for. */
const SLOWEST = 20;

/**
 * Opens a bucket of an S3-compatible server as a store. Credentials, region and endpoint come from where all programs
 * of AWS read them: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL_S3`. A blob is
 * written by one request that fails if a blob of the name exists (`If-None-Match: *`).
 *
 * @param address `s3://BUCKET/PREFIX`
 */
export async function s3Store(address: string, options?: StoreOptions): Promise<Store> {
  const { isReadOnly, timeout } = checkOptions(STORE_OPTIONS, options, "s3Store");
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9.-]+)(?:\/(.*?))?\/?$/.exec(address) ?? [];
  if (bucket === undefined)
    // The address may have credentials, which the variables of AWS are for.
    throw invalidArgument("store", "s3://BUCKET or s3://BUCKET/PREFIX", withoutCredentials(address));
  const sdk = await import("@aws-sdk/client-s3").catch((cause: unknown) => {
    const command = installCommand(import.meta.url, ["@aws-sdk/client-s3"]);
    const message = `a store in S3 requires @aws-sdk/client-s3: ${command}`;
    throw new ArcwiseError("invalid-module", message, { cause });
  });
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  // Servers other than AWS have buckets in paths, not in names of hosts.
  const isElsewhere = AWS_ENDPOINT_URL_S3 !== undefined || AWS_ENDPOINT_URL !== undefined;
  const client = new sdk.S3Client({
    forcePathStyle: isElsewhere,
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: timeout, socketTimeout: timeout },
  });
  return new BucketStore(sdk, client, { address, bucket, prefix, isReadOnly, timeout });
}

interface Bucket extends Complete<typeof STORE_OPTIONS> {
  readonly address: string;
  readonly bucket: string;
  /** Of the keys of blobs, without a slash at its end. */
  readonly prefix: string;
}

class BucketStore implements Store {
  readonly address: string;
  readonly #sdk: typeof import("@aws-sdk/client-s3");
  readonly #client: S3Client;
  readonly #bucket: Bucket;

  constructor(sdk: typeof import("@aws-sdk/client-s3"), client: S3Client, bucket: Bucket) {
    this.#sdk = sdk;
    this.#client = client;
    this.#bucket = bucket;
    this.address = bucket.address;
  }

  #place(name: Hash) {
    const { bucket, prefix } = this.#bucket;
    requireName(name);
    return { Bucket: bucket, Key: prefix === "" ? name : `${prefix}/${name}` };
  }

  async has(name: Hash): Promise<boolean> {
    const place = this.#place(name);
    const head = (abortSignal: AbortSignal) =>
      this.#client.send(new this.#sdk.HeadObjectCommand(place), { abortSignal });
    return (await this.#ask(head, MISSING)) !== undefined;
  }

  async read(name: Hash): Promise<Uint8Array | undefined> {
    const place = this.#place(name);
    return this.#ask(async (abortSignal) => {
      const { Body } = await this.#client.send(new this.#sdk.GetObjectCommand(place), { abortSignal });
      return Body?.transformToByteArray();
    }, MISSING);
  }

  async write(name: Hash, bytes: Uint8Array): Promise<void> {
    const request = { ...this.#place(name), Body: bytes, IfNoneMatch: "*" };
    refuseWrites(this.address, this.#bucket.isReadOnly);
    const put = (abortSignal: AbortSignal) =>
      this.#client.send(new this.#sdk.PutObjectCommand(request), { abortSignal });
    try {
      await this.#ask(put, PRESENT, bytes.length);
    } catch (error) {
      // Who writes at the same time may fail: then the job is repeated.
      if (statusOf((error as Error).cause) !== CONFLICT || !(await this.has(name))) throw error;
    }
  }

  async setAside(name: Hash): Promise<string | undefined> {
    const place = this.#place(name);
    refuseWrites(this.address, this.#bucket.isReadOnly);
    const { bucket, prefix } = this.#bucket;
    const key = `${prefix === "" ? "" : `${prefix}/`}damaged/${name}.${randomBytes(4).toString("hex")}`;
    const CopySource = `${bucket}/${place.Key.split("/").map(encodeURIComponent).join("/")}`;
    const copy = { Bucket: bucket, Key: key, CopySource };
    return this.#ask(async (abortSignal) => {
      await this.#client.send(new this.#sdk.CopyObjectCommand(copy), { abortSignal });
      await this.#client.send(new this.#sdk.DeleteObjectCommand(place), { abortSignal });
      return `s3://${bucket}/${key}`;
    }, MISSING);
  }

  /**
   * Returns the answer to a request; undefined where its status is the given one. The client repeats requests without a
   * sign of the server; one that it has not given up after all of them is ended.
   *
   * @param length bytes that are sent
   */
  async #ask<Answer>(
    request: (signal: AbortSignal) => Promise<Answer>,
    status: number,
    length = 0,
  ): Promise<Answer | undefined> {
    const stop = new AbortController();
    const timer = new AbortController();
    const limit = (ATTEMPTS + 1) * this.#bucket.timeout + length / SLOWEST;
    const answered = request(stop.signal);
    answered.catch(() => {});
    try {
      return await Promise.race([answered, this.#silence(limit, timer.signal)]);
    } catch (error) {
      stop.abort();
      if (statusOf(error) === status) return undefined;
      throw this.#named(error);
    } finally {
      timer.abort();
    }
  }

  async #silence(limit: number, signal: AbortSignal): Promise<never> {
    await sleep(limit, undefined, { signal, ref: false });
    throw Object.assign(new Error(`no answer for ${Math.round(limit)} ms`), { name: "TimeoutError" });
  }

  #named(error: unknown): ArcwiseError {
    const { name, message, code } = error as NodeJS.ErrnoException;
    const isAway = statusOf(error) === undefined && (code !== undefined || name === "TimeoutError");
    const found = `${name}: ${message}`;
    const details = { file: this.address, found, cause: error };
    if (!isAway) return new ArcwiseError("invalid-data", `${this.address}: ${found}`, details);
    const expected = "a server of S3 that answers";
    const advice = "start the server, or correct AWS_ENDPOINT_URL_S3";
    return new ArcwiseError(
      "lost-connection",
      `${this.address}: expected ${expected}, found ${found}; ${advice}`,
      { ...details, expected },
    );
  }
}

function statusOf(error: unknown): number | undefined {
  const { $metadata } = (error ?? {}) as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode;
}

/** Returns an address without what stands before its last `@`. */
function withoutCredentials(address: string): string {
  const at = address.lastIndexOf("@");
  return at < 0 ? address : `s3://***${address.slice(at)}`;
}
