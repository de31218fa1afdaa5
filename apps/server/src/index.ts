export type { ServerLimits, ServerOptions } from "./server-options.ts";
export { LIMIT_OPTIONS, SERVER_OPTIONS } from "./server-options.ts";
export { type RunningServer, startServer } from "./start.ts";
