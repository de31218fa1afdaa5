export { type LostThread, onThreads, type ThreadOptions, type ThreadPlace } from "./threads.ts";
