export { readTaggerFile, writeTaggerFile } from "./files.ts";
export { jackknifeTagsOnThreads } from "./jackknife.ts";
