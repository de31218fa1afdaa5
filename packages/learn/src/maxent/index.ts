export { MaxentClassifier, type MaxentModel, maxentModel } from "./classifier.ts";
export type { MaxentMethod, MaxentProgress } from "./course.ts";
export { DesignBuilder, type MaxentDesign } from "./design.ts";
export { maxentObjective, trainMaxent } from "./train.ts";
