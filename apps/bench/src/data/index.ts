export { inputStamps, planFile } from "./files.ts";
export {
  checkTreebanks,
  dataFolder,
  REPOSITORY,
  readSplit,
  SAMPLE,
  type Split,
  spreadEvenly,
  treebankName,
} from "./treebanks.ts";
