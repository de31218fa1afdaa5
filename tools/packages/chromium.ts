import { existsSync } from "node:fs";

/** Where Chromium or Chrome is installed on Linux, macOS and Windows. */
const PROGRAMS = [
  process.env.ARCWISE_CHROMIUM ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** The program of Chromium or Chrome; undefined if neither is installed. */
export const CHROMIUM = PROGRAMS.find((file) => file !== "" && existsSync(file));

/** Returns the options to launch it with. @throws Error when it is not installed */
export function chromiumOptions(): { executablePath: string; args: string[] } {
  if (CHROMIUM === undefined) throw new Error("Chromium is not installed");
  // Chromium has no sandbox for the root user, which runs the tests in a container.
  return { executablePath: CHROMIUM, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] };
}
