import { shardJob } from "@arcwise/learn";
import { remakeGraphWork } from "../modules/remake-work.ts";

/** The steps of shards that learn the weights of a graph parser, for threads and machines. */
export const graphShards = shardJob({
  name: "graph-shard",
  module: import.meta.url,
  create: remakeGraphWork,
});
