import type { ShardJob, ShardWork } from "@arcwise/learn";

export declare function createWork(data: object): ShardWork<number>;
export declare const classes: ShardJob<object>;
