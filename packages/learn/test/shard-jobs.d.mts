import type { ShardJob } from "@arcwise/learn";
import type { ShardWork } from "../src/distributed/shard-job.ts";

export declare function createWork(data: object): ShardWork<number>;
export declare const classes: ShardJob<object>;
