// @module-tag slow
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, launchPersistent } from "./browser.ts";
import { row } from "./correct/examples.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const command = join(root, "apps/cli/bin/arcwise.js");
const isBuilt = ["apps/cli/program/main.js", "apps/playground/dist/index.html"].every((file) =>
  existsSync(join(root, file)),
);

const TEXT = [
  "# sent_id = a-1",
  row("1", "The", { upos: "DET", head: "2", deprel: "det" }),
  row("2", "storm", { upos: "NOUN", head: "3", deprel: "nsubj" }),
  row("3", "passed", { upos: "VERB", head: "0", deprel: "root" }),
  "",
  "",
].join("\r\n");
/** Milliseconds of a step on a machine that does much else. */
const PATIENCE = 60_000;

describe.skipIf(!hasBrowser || !isBuilt)(
  "arcwise annotate, by its page (skipped without Chromium or build)",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "arcwise-annotate-"));
    const file = join(folder, "a.conllu");
    const profile = join(folder, "profile");
    const children: ChildProcess[] = [];
    let url = "";
    let context: BrowserContext;

    /** Starts a browser with the storage of the browser before. */
    const launch = async () => {
      context = await launchPersistent(profile);
      context.setDefaultTimeout(PATIENCE);
    };

    /** Starts the command, which finds no browser; returns the address that it asks to open. */
    function annotate(env: NodeJS.ProcessEnv): Promise<string> {
      const child = spawn(process.execPath, [command, "annotate", file], { env: { ...process.env, ...env } });
      children.push(child);
      return new Promise((found) => {
        let said = "";
        child.stderr.on("data", (text: Buffer) => {
          said += text;
          if (said.includes("open this address")) found(/http:\S+/.exec(said)![0]);
        });
      });
    }

    beforeAll(async () => {
      writeFileSync(file, TEXT);
      url = await annotate({ DISPLAY: "", WAYLAND_DISPLAY: "" });
      await launch();
    }, PATIENCE);
    afterAll(async () => {
      await context?.close();
      for (const child of children) child.kill();
      rmSync(folder, { recursive: true });
    });

    /** Kills the browser, and starts another one: only its storage is left. */
    const crash = async () => {
      const [, browser] = /-(\d+)$/.exec(readlinkSync(join(profile, "SingletonLock")))!;
      const closed = new Promise((resolve) => context.once("close", resolve));
      process.kill(Number(browser), "SIGKILL");
      await closed;
      await launch();
    };

    /** Opens the file in a tab; questions are answered with yes. */
    async function open(): Promise<{ page: Page; questions: string[] }> {
      const page = await context.newPage();
      const questions: string[] = [];
      page.on("dialog", (dialog) => {
        questions.push(dialog.message());
        void dialog.accept();
      });
      await page.goto(url);
      await page.locator(".edit-tree g.word").first().waitFor();
      return { page, questions };
    }

    async function choose(page: Page, word: number, relation: string): Promise<void> {
      await page.bringToFront();
      await page.locator(`.edit-tree g.arc[data-modifier="${word}"] > .label`).first().click();
      await page.getByRole("textbox", { name: "Another relation" }).fill(relation);
      await page.keyboard.press("Enter");
      await page
        .locator(`.edit-tree g.arc[data-modifier="${word}"][data-label="${relation}"]`)
        .first()
        .waitFor();
    }

    async function save(page: Page, message: string): Promise<void> {
      await page.bringToFront();
      await page.keyboard.press("Control+s");
      await page.locator(".notice", { hasText: message }).waitFor();
    }

    /** Returns the relations in the file, where all else is as it was. */
    function relations(): string[] {
      const lines = readFileSync(file, "utf8").split("\r\n");
      const before = TEXT.split("\r\n");
      expect(lines.length).toBe(before.length);
      return lines.flatMap((line, i) => {
        const relation = line.split("\t")[7];
        if (relation === undefined) expect(line).toBe(before[i]);
        return relation ?? [];
      });
    }

    test("asks to open the address if no program opens it", { timeout: PATIENCE }, async () => {
      expect(await annotate({ DISPLAY: ":0", PATH: folder })).toMatch(/^http:/);
    });

    test(
      "saves what was edited, and loses nothing by a crash, another tab or another program",
      async () => {
        const first = await open();
        await choose(first.page, 1, "amod");
        // The key is held: the second time waits for the first, and finds the version that it wrote.
        const written: boolean[] = [];
        first.page.on("response", (response) => {
          if (response.request().method() === "PUT") written.push(response.ok());
        });
        await first.page.evaluate(() => {
          for (let i = 0; i < 2; i++)
            dispatchEvent(new KeyboardEvent("keydown", { key: "s", ctrlKey: true }));
        });
        await expect.poll(() => written, { timeout: PATIENCE }).toEqual([true, true]);
        await first.page.locator(".notice", { hasText: "is saved" }).waitFor();
        expect(relations()).toEqual(["amod", "nsubj", "root"]);

        // Another tab has the file as it was saved, and asks nothing about edits of the first tab.
        await choose(first.page, 2, "obj");
        const second = await open();
        await second.page.locator(".notice", { hasText: "open in another tab" }).waitFor();
        await choose(second.page, 1, "case");
        await second.page.waitForTimeout(500);

        await crash();
        const third = await open();
        await expect.poll(() => third.questions, { timeout: PATIENCE }).toHaveLength(1);
        expect(third.questions[0]).toMatch(/1 change that is not saved.*Continue/);
        await third.page.locator('.edit-tree g.arc[data-modifier="1"][data-label="case"]').first().waitFor();
        await save(third.page, "is saved");
        expect(relations()).toEqual(["case", "nsubj", "root"]);

        // The edit of the other tab was of the text before: it is compared with.
        const fourth = await open();
        await expect.poll(() => fourth.questions, { timeout: PATIENCE }).toHaveLength(1);
        expect(fourth.questions[0]).toMatch(/1 change that is not saved.*Compare/);
        await fourth.page.getByText("nsubj / obj of").waitFor();

        // Another program changed the file: it stays until it was compared with.
        writeFileSync(file, TEXT.replace("\troot\t", "\tdep\t"));
        await choose(fourth.page, 1, "det");
        await save(fourth.page, "another program changed the file");
        expect(relations()).toEqual(["det", "nsubj", "dep"]);
        await save(fourth.page, "is saved");
        expect(relations()).toEqual(["det", "nsubj", "root"]);
      },
      10 * PATIENCE,
    );
  },
);
