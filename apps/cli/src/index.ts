export type { Io } from "./files/io.ts";
export { run } from "./run.ts";
