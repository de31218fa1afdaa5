import { DRAWING_COLOURS, DRAWING_STYLE } from "@arcwise/draw";
import { signal } from "@preact/signals";

/** The themes in the order of their switch; `auto` follows the system. */
export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "arcwise-theme";

/** The chosen theme. */
export const theme = signal<Theme>(storedTheme());

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find((known) => known === stored) ?? "auto";
  } catch {
    return "auto"; // a page without storage
  }
}

/** Applies the chosen theme to the page, now and whenever it changes. */
export function applyTheme(): void {
  theme.subscribe((chosen) => {
    document.documentElement.dataset.theme = chosen;
    try {
      localStorage.setItem(KEY, chosen);
    } catch {
      // The choice lasts as long as the page.
    }
  });
}

/** Gives drawings the colours of the theme. A sheet made by a script is allowed by the policy of the page. */
export function styleDrawings(): void {
  const colours = Object.entries(DRAWING_COLOURS).map(
    ([name, { light, dark }]) => `--aw-${name}:light-dark(${light},${dark})`,
  );
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${DRAWING_STYLE}:root:root{${colours.join(";")}}`);
  document.adoptedStyleSheets.push(sheet);
}
