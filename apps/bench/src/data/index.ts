export { planFile } from "./files.ts";
export {
  checkFiles,
  checkTreebanks,
  dataFolder,
  fileStamp,
  REPOSITORY,
  readSplit,
  SAMPLE,
  type Split,
  treebankName,
  treebanksStamp,
} from "./treebanks.ts";
