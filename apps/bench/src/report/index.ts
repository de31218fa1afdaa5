export { type CoursePoint, coursePlot } from "./course-plot.ts";
export { draw, logAxisX, type SeriesPoint } from "./frame.ts";
export { legendOf, type SeriesStyle } from "./palette.ts";
export { curvePlot, reliabilityPlot } from "./plots.ts";
export { type Column, type Drawing, type Figure, left, right, type Section, type Table } from "./report.ts";
export { logTicks, shortCount } from "./scales.ts";
