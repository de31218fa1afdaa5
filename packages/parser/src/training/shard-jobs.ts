import { shardJob } from "@arcwise/learn";
import { remakeParsingWork } from "./remake-work.ts";

/** The steps of shards that learn the weights of a parser, for threads and machines. */
export const parsingShards = shardJob({
  name: "parsing-shard",
  module: import.meta.url,
  create: remakeParsingWork,
});
