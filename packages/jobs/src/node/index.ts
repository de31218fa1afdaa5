export { amongProcesses, type ProcessOf } from "./store/among-processes.ts";
export { folderStore, refuseWrites } from "./store/folder-store.ts";
export { blobName, type Hash, requireName, VERSION } from "./store/hash.ts";
export { JobBlobs, MAX_GIVEN, type NamedJob } from "./store/job-blobs.ts";
export type { StoreOptions } from "./store/options.ts";
export { STORE_OPTIONS } from "./store/options.ts";
export { DamagedBlob, type Store, type WriteOptions } from "./store/store.ts";
export { replayed, stored } from "./store/stored.ts";
export { onThreads, type ThreadOptions, type ThreadPlace } from "./threads.ts";
