export { type CoursePoint, coursePlot, curvePlot, draw } from "./plots.ts";
export { type Figure, type Section, type Table, table } from "./report.ts";
