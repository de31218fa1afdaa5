import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { beginReplacement, followLinks, temporaryFor, writeWhole } from "../src/node/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "arcwise-core-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const modeOf = (path: string) => statSync(path).mode & 0o777;
const bytes = (text: string) => new TextEncoder().encode(text);
const umask = process.umask();

describe("a temporary file", () => {
  test("has a name that cannot be foreseen, in the folder of the target", async () => {
    const replacement = await beginReplacement(at("out"));
    const [name] = readdirSync(folder);
    expect(name).toMatch(new RegExp(`^\\.out\\.${process.pid}\\.[0-9a-f]{16}\\.tmp$`));
    expect(await temporaryFor(at("out"))).toBe(at(name!));
    await replacement.abandon();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is never a link that was planted in its place", async () => {
    writeFileSync(at("victim"), "precious");
    symlinkSync(at("victim"), await temporaryFor(at("out")));
    await expect(writeWhole(at("out"), bytes("new"))).rejects.toMatchObject({
      code: "EEXIST",
      path: at("out"),
    });
    expect(readFileSync(at("victim"), "utf8")).toBe("precious");
  });

  test.each([0o600, 0o640, 0o666, 0o444])(
    "of a target with mode %o never has more permissions",
    async (mode) => {
      writeFileSync(at("out"), "old");
      chmodSync(at("out"), mode);
      const replacement = await beginReplacement(at("out"));
      const temporary = await temporaryFor(at("out"));
      expect(modeOf(temporary)).toBe(mode & ~umask);
      await replacement.file.writeFile("new");
      expect(modeOf(temporary)).toBe(mode & ~umask);
      await replacement.keep();
      expect(modeOf(at("out"))).toBe(mode);
      expect(readFileSync(at("out"), "utf8")).toBe("new");
    },
  );

  test("of a new file has what the umask gives", async () => {
    await writeWhole(at("out"), bytes("new"));
    expect(modeOf(at("out"))).toBe(0o666 & ~umask);
  });

  test("of a process that has ended is removed, others stay", async () => {
    const dead = 2 ** 22 + 1;
    const names = [`.out.${dead}.0123456789abcdef.tmp`, `.other.${dead}.0123456789abcdef.tmp`, `.out.1.tmp`];
    for (const name of names) writeFileSync(at(name), "");
    await writeWhole(at("out"), bytes("new"));
    expect(readdirSync(folder).sort()).toEqual([names[1], names[2], "out"].sort());
  });
});

describe("links", () => {
  test("are followed to the file, also where it is missing", async () => {
    symlinkSync("second", at("first"));
    symlinkSync("third", at("second"));
    expect(await followLinks(at("first"))).toBe(at("third"));
    await writeWhole(at("first"), bytes("new"));
    expect(readFileSync(at("third"), "utf8")).toBe("new");
    expect(lstatSync(at("second")).isSymbolicLink()).toBe(true);
  });

  test("in a circle are refused, and stay", async () => {
    symlinkSync("b", at("a"));
    symlinkSync("a", at("b"));
    symlinkSync("self", at("self"));
    for (const name of ["a", "self"]) {
      await expect(writeWhole(at(name), bytes("new"))).rejects.toMatchObject({
        code: "ELOOP",
        path: at(name),
      });
    }
    expect(readdirSync(folder).sort()).toEqual(["a", "b", "self"]);
    expect(lstatSync(at("b")).isSymbolicLink()).toBe(true);
  });
});
