export { exp, expm1 } from "./exponentials.ts";
export { goldenSection } from "./golden-section.ts";
export { logSum } from "./log-sum.ts";
export { log, log1p } from "./logarithms.ts";
export { bitsFor, power, powerOfTwo } from "./powers.ts";
