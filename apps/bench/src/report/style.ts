import { DRAWING_STYLE } from "@arcwise/draw";

/** The width up to which figures for phones are shown, in pixels. */
export const NARROW_WIDTH = 600;

/** The style of a report, light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #14181c); --ink: light-dark(#1c2024, #e6e9ec); --soft: light-dark(#56606a, #a3adb8);
  --rule: light-dark(#d9dee3, #333b43); --band: light-dark(#f5f7f9, #1c2227);
  --control: light-dark(#747e88, #828d98); --link: light-dark(#00609a, #6fb8f0);
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 16px; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
  -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
}
main { max-width: 1200px; margin: 0 auto; padding: 28px 24px 72px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 16px; overflow-wrap: anywhere; }
h2 { font-size: 21px; line-height: 1.3; margin: 0 0 8px; }
h3 { font-size: 17px; margin: 0 0 6px; }
h4 { font-size: 15px; margin: 24px 0 8px; }
main > section { margin-top: 48px; padding-top: 20px; border-top: 2px solid var(--rule); }
p { margin: 0 0 10px; max-width: 78ch; }
a { color: var(--link); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
p.chapter { margin: 64px 0 -32px; color: var(--soft); font-weight: 600; letter-spacing: 0.02em; }
nav { margin-top: 24px; padding: 14px 18px; background: var(--band); border-radius: 8px; }
nav h2 { font-size: 15px; margin: 0 0 6px; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav > ul { columns: 300px; column-gap: 32px; }
nav > ul > li { break-inside: avoid; padding: 1px 0; }
nav li.chapter { break-after: avoid; color: var(--soft); font-weight: 600; padding-top: 6px; }
nav ul ul { display: flex; flex-wrap: wrap; gap: 0 14px; padding-left: 14px; font-size: 13px; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
.finding { font-size: 17px; line-height: 1.45; }
.findings { margin: 0; padding-left: 20px; }
.findings li { margin-bottom: 6px; max-width: 90ch; }
summary { cursor: pointer; width: fit-content; color: var(--link); font-size: 14px; }
summary:hover { text-decoration: underline; }
summary h3 { display: inline; color: var(--ink); }
details { margin: 12px 0; }
details.environment { margin-top: 48px; padding-top: 14px; border-top: 2px solid var(--rule); }
details dl {
  display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 8px 0 0; color: var(--soft);
  font-size: 14px;
}
details dt { font-weight: 600; }
details dd { margin: 0; overflow-wrap: anywhere; max-width: 78ch; }
th[title] { text-decoration: underline dotted; text-underline-offset: 3px; }
code { font: 13px ui-monospace, monospace; color: var(--ink); }
kbd {
  font: 12px ui-monospace, monospace; padding: 0 5px; border: 1px solid var(--control); border-radius: 4px;
}
.figures {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 500px), 1fr)); gap: 0 40px;
}
figure { margin: 0; min-width: 0; max-width: 620px; }
figure.wide { grid-column: 1 / -1; max-width: none; }
.figures > .table { min-width: 0; }
.plot figure > svg, .plot > svg { --plot-background: var(--paper); overflow: visible; }
.plot figure > div { font-size: 13px; }
.plot.narrow { display: none; }
figcaption, .note { color: var(--soft); font-size: 13px; max-width: 78ch; margin-top: 6px; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }
th, td { padding: 5px 12px; border-bottom: 1px solid var(--rule); vertical-align: top; }
th { font-weight: 600; }
thead th { border-bottom: 2px solid var(--rule); vertical-align: bottom; }
tbody th { font-weight: 400; }
th.left, td.left { text-align: left; }
th.right, td.right { text-align: right; }
td.right { white-space: nowrap; }
tr > :first-child { position: sticky; left: 0; background: var(--paper); }
tbody tr:nth-child(even), tbody tr:nth-child(even) > :first-child { background: var(--band); }
small { color: var(--soft); font-size: 12px; }
.sortable thead th { cursor: pointer; }
.sortable thead th::after { content: "\\00a0↕"; color: var(--soft); font-weight: 400; }
.sortable thead [aria-sort="ascending"]::after { content: "\\00a0↑"; color: var(--ink); }
.sortable thead [aria-sort="descending"]::after { content: "\\00a0↓"; color: var(--ink); }
.sortable thead th:hover { text-decoration: underline; }
${DRAWING_STYLE}
@media (max-width: ${NARROW_WIDTH}px) {
  main { padding: 18px 14px 48px; }
  h1 { font-size: 23px; }
  .plot.wide { display: none; }
  .plot.narrow { display: block; }
  details dl { grid-template-columns: 1fr; gap: 0; }
  details dd { margin-bottom: 6px; }
  th, td { padding: 5px 8px; }
  tr > :first-child { min-width: 7em; max-width: 42vw; overflow-wrap: break-word; }
}
@media print {
  section, figure { break-inside: avoid-page; }
  details::details-content { display: block; content-visibility: visible; }
}
`;
