export type { ServerOptions } from "./server-options.ts";
export { type RunningServer, startServer } from "./start.ts";
