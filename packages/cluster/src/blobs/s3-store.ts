import { ArcwiseError, invalidArgument } from "@arcwise/core/errors";
import type { S3Client } from "@aws-sdk/client-s3";
import { type Hash, requireName } from "./hash.ts";
import type { Store } from "./store.ts";

/** Status codes of a store in which a blob of the name is there, or is being written by another at this time. */
const PRESENT = 412;
const CONFLICT = 409;
const MISSING = 404;

/**
 * Opens a bucket of an S3-compatible server as a store. Credentials, region and endpoint come from where all programs
 * of AWS read them: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL_S3`. A blob is
 * written by one request that fails where there is one of the name (`If-None-Match: *`).
 *
 * @param address `s3://BUCKET/PREFIX`
 * @throws ArcwiseError `invalid-argument` when the address names no bucket; `invalid-module` when
 *   `@aws-sdk/client-s3` is not installed
 */
export async function s3Store(address: string): Promise<Store> {
  const [, bucket, prefix = ""] = /^s3:\/\/([^/]+)(?:\/(.*?))?\/?$/.exec(address) ?? [];
  if (bucket === undefined) throw invalidArgument("store", "s3://BUCKET or s3://BUCKET/PREFIX", address);
  const sdk = await import("@aws-sdk/client-s3").catch((cause: unknown) => {
    const message = "a store in S3 requires @aws-sdk/client-s3: npm install @aws-sdk/client-s3";
    throw new ArcwiseError("invalid-module", message, { cause });
  });
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  // Servers other than AWS have buckets in paths, not in names of hosts.
  const isElsewhere = AWS_ENDPOINT_URL_S3 !== undefined || AWS_ENDPOINT_URL !== undefined;
  const client = new sdk.S3Client({ forcePathStyle: isElsewhere });
  return new BucketStore(sdk, client, { address, bucket, prefix });
}

interface Bucket {
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
    try {
      await this.#client.send(new this.#sdk.HeadObjectCommand(place));
      return true;
    } catch (error) {
      if (statusOf(error) === MISSING) return false;
      throw this.#named(error);
    }
  }

  async read(name: Hash): Promise<Uint8Array | undefined> {
    const place = this.#place(name);
    try {
      const { Body } = await this.#client.send(new this.#sdk.GetObjectCommand(place));
      return await Body?.transformToByteArray();
    } catch (error) {
      if (statusOf(error) === MISSING) return undefined;
      throw this.#named(error);
    }
  }

  async write(name: Hash, bytes: Uint8Array): Promise<void> {
    const request = { ...this.#place(name), Body: bytes, IfNoneMatch: "*" };
    try {
      await this.#client.send(new this.#sdk.PutObjectCommand(request));
    } catch (error) {
      const status = statusOf(error);
      if (status === PRESENT) return;
      // Who writes at the same time may fail: then the step is repeated.
      if (status === CONFLICT && (await this.has(name))) return;
      throw this.#named(error);
    }
  }

  async remove(name: Hash): Promise<void> {
    const place = this.#place(name);
    try {
      await this.#client.send(new this.#sdk.DeleteObjectCommand(place));
    } catch (error) {
      throw this.#named(error);
    }
  }

  #named(error: unknown): ArcwiseError {
    const { name, message } = error as Error;
    const found = `${name}: ${message}`;
    return new ArcwiseError("invalid-data", `${this.address}: ${found}`, {
      file: this.address,
      found,
      cause: error,
    });
  }
}

function statusOf(error: unknown): number | undefined {
  return (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
