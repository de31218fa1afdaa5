export type { LocalMaximizer } from "./solver/local-maximizer.ts";
