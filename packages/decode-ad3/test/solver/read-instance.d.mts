import type { FactorGraph } from "@arcwise/decode-ad3";

export declare function readInstance(instance: unknown): FactorGraph;
