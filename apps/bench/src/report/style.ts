/** The style of a report, light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1c2024; --soft: #5c6670; --rule: #d9dee3; --band: #f5f7f9;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #14181c; --ink: #e6e9ec; --soft: #9aa5b0; --rule: #333b43; --band: #1c2227; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 24px 20px 64px; }
h1 { font-size: 26px; margin: 0 0 12px; }
h2 { font-size: 20px; margin: 40px 0 8px; padding-top: 12px; border-top: 2px solid var(--rule); }
h3 { font-size: 15px; margin: 20px 0 6px; }
p { margin: 0 0 8px; max-width: 78ch; }
a { color: inherit; }
nav ul { padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; }
dl.environment {
  display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0; color: var(--soft);
}
dl.environment dt { font-weight: 600; }
dl.environment dd { margin: 0; overflow-wrap: anywhere; }
code { font: 13px ui-monospace, monospace; color: var(--ink); }
.figures {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); gap: 8px 32px;
}
figure { margin: 0; max-width: 640px; }
figure svg {
  --plot-background: var(--paper); background: none;
  width: 100%; height: auto; color: var(--ink); overflow: visible;
}
figcaption, .note { color: var(--soft); font-size: 13px; }
.legend {
  display: flex; flex-wrap: wrap; gap: 2px 16px;
  margin: 0 0 6px; padding: 0; list-style: none; font-size: 13px;
}
.legend span {
  display: inline-block; width: 18px; height: 4px; margin-right: 6px;
  vertical-align: middle; border-radius: 2px;
}
.table { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }
th, td { padding: 5px 12px; border-bottom: 1px solid var(--rule); vertical-align: top; }
th { font-weight: 600; border-bottom: 2px solid var(--rule); }
th.left, td.left { text-align: left; }
th.right, td.right { text-align: right; white-space: nowrap; }
tbody tr:nth-child(even) { background: var(--band); }
small { color: var(--soft); font-size: 12px; }
@media print { section { break-inside: avoid-page; } }
`;
