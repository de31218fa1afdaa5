import { shardJob } from "@arcwise/learn";
import { createWork } from "./subjects.ts";

/** The steps of shards of a subject of the experiment. */
export const subjectShards = shardJob({
  name: "subject-shard",
  module: import.meta.url,
  create: createWork,
});
