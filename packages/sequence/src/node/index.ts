export { jackknifeTagsOnThreads, type ThreadedJackknifeOptions } from "./jackknife.ts";
