export { type CoursePoint, coursePlot, curvePlot, draw, reliabilityPlot, type SeriesPoint } from "./plots.ts";
export { type Column, type Figure, left, right, type Section, type Table } from "./report.ts";
