import type { ShardWork } from "@arcwise/learn/node";

export declare function createWork(data: object): ShardWork<number>;
