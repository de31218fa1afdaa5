/**
 * Sums up the reports that the test runner wrote: prints `N passed, N failed`, and before it how many tests were skipped.
 *
 *     node tools/test-counts.mjs [--root DIRECTORY]
 *
 * A file that failed before its tests counts as one failure, as does a run without a report. The exit code is 1 if a test
 * failed.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** The reports, and whether a run takes a test with given tags. */
const REPORTS = {
  "tests.json": (tags) => !tags.includes("slow"),
  "slow.json": (tags) => tags.includes("slow"),
  "packages.json": () => true,
};

function countsOf(file, takes) {
  if (!existsSync(file)) {
    console.log(`${file} is missing: its tests did not run.`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const report = JSON.parse(readFileSync(file, "utf8"));
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: tests.filter(({ status, tags = [] }) => !["passed", "failed"].includes(status) && takes(tags))
      .length,
  };
}

const { values } = parseArgs({ options: { root: { type: "string" } } });
const root = values.root ?? fileURLToPath(new URL("..", import.meta.url));
const counts = Object.entries(REPORTS).map(([name, takes]) => countsOf(join(root, "reports", name), takes));
const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
if (sum("skipped") > 0) console.log(`${sum("skipped")} skipped (the tests say why)`);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
