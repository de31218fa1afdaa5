export { readTaggerFile, writeTaggerFile } from "./files.ts";
export { jackknifeTagsOnThreads, type ThreadedJackknifeOptions } from "./jackknife.ts";
