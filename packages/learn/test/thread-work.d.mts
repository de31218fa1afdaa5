import type { ShardWork } from "../src/node/work.ts";

export declare function createWork(data: object): ShardWork<number>;
