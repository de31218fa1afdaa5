// @module-tag slow
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { temporaryFolder, withServer } from "./support.ts";

const root = process.env.ARCWISE_DATA ?? join(import.meta.dirname, "../../../../shared");
const program = join(root, "reference/udpipe2_client.py");
const folder = temporaryFolder();
const [one, two] = ["one.txt", "two.txt"].map((name) => join(folder, name)) as [string, string];
writeFileSync(one, "Ann sings now.\nBob sleeps here.\n");
writeFileSync(two, "Cats runs well.");

describe.skipIf(!existsSync(program))("udpipe2_client.py, unchanged (skipped without it)", () => {
  const server = withServer();

  async function client(args: readonly string[], input = "") {
    const child = spawn("python3", [program, "--service", server.server.url, ...args], { cwd: folder });
    child.stdin.end(input);
    const code = new Promise<number | null>((resolve) => child.once("close", resolve));
    const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), code]);
    return { out, err, status };
  }
  const ALL = ["--tokenizer=", "--tagger=", "--parser="];
  const forms = (conllu: string) => [...conllu.matchAll(/^\d+\t(\S+)/gm)].map(([, form]) => form).join(" ");

  test("--list_models", async () => {
    const { out, status } = await client(["--list_models"]);
    expect({ out, status }).toEqual({ out: "tiny-test\nother\nDefault model: tiny-test\n", status: 0 });
  });

  test("--tokenizer, --tagger, --parser and --model, of files and of the standard input", async () => {
    const files = await client([...ALL, one, two]);
    expect(forms(files.out)).toBe("Ann sings now . Bob sleeps here . Cats runs well .");
    expect(files.out).toMatch(/^1\tAnn\tann\tNOUN\t_\t_\t2\tnsubj\t_\t_$/m);
    expect(files.err).toContain("using the model 'tiny-test'");
    const other = await client([...ALL, "--model", "second"], readFileSync(two, "utf8"));
    expect(forms(other.out)).toBe("Cats runs well .");
    expect(other.err).toContain("using the model 'other'");
    const options = await client(["--tokenizer", "ranges;presegmented", one]);
    expect(options.out).toMatch(/^1\tBob\t.*TokenRange=15:18$/m);
  });

  test("--input and --output", async () => {
    const tokenized = (await client(["--tokenizer=", one])).out;
    const parsed = await client(["--input", "conllu", "--tagger=", "--parser="], tokenized);
    expect(forms(parsed.out)).toBe("Ann sings now . Bob sleeps here .");
    const plain = await client([...ALL, "--output", "plaintext", one]);
    expect(plain.out).toBe(readFileSync(one, "utf8"));
    const lines = await client(["--input", "horizontal", "--output", "horizontal"], "Ann sings .\n");
    expect(lines.out).toBe("Ann sings .\n");
    const epe = await client([...ALL, "--output", "epe", two]);
    expect(
      JSON.parse(epe.out)
        .nodes.map(({ form }: { form: string }) => form)
        .join(" "),
    ).toBe("Cats runs well .");
    const first = await client([...ALL, "--output", "conllu=v1", two]);
    expect(forms(first.out)).toBe("Cats runs well .");
    const words = await client(["--input", "vertical", "--output", "vertical"], "Ann\nsings\n");
    expect(words.out).toBe("Ann\nsings\n\n");
  });

  test("--outfile", async () => {
    await client([...ALL, "--outfile", join(folder, "all.conllu"), one, two]);
    expect(forms(readFileSync(join(folder, "all.conllu"), "utf8"))).toContain("here . Cats");
    await client([...ALL, "--outfile", join(folder, "{}.conllu"), one, two]);
    expect(forms(readFileSync(join(folder, "two.conllu"), "utf8"))).toBe("Cats runs well .");
  });

  test("errors of the service are what it prints", async () => {
    const { err, status } = await client(["--output", "pdf", "--tokenizer=", one]);
    expect(status).not.toBe(0);
    expect(err).toContain("Unknown output format 'pdf'");
  });
});
