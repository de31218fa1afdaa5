export { folderStore } from "./store/folder-store.ts";
export { DamagedBlob, type Store, type StoreOptions, type WriteOptions } from "./store/store.ts";
export { stored } from "./store/stored.ts";
export { type LostThread, onThreads, type ThreadOptions, type ThreadPlace } from "./threads.ts";
