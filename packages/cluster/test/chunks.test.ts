import { parseConllu, writeConllu } from "@arcwise/conllu";
import { here, type Place } from "@arcwise/jobs";
import { folderStore, stored } from "@arcwise/jobs/node";
import {
  createPipeline,
  loadPipeline,
  type PipelineSettings,
  savePipeline,
  trainPipeline,
} from "@arcwise/pipeline";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { collected } from "../../../tools/test-helpers.ts";
import { cutChunks } from "../src/parsing/cut-chunks.ts";
import { cutText } from "../src/parsing/cut-text.ts";
import { leadOf, movedText } from "../src/parsing/moved-text.ts";
import { parseChunks } from "../src/parsing/parse-chunks.ts";
import { freshFolder, trainedHere, treebank } from "./support.ts";

/** CoNLL-U of made-up sentences; with trees, they end with a stop. */
function conllu(count: number, hasTrees = false): string {
  return treebank(count, { seed: 9 })
    .map(({ sentence, tree }, k) => {
      const rows = sentence.map(({ form, upos }, i) => {
        const [head, label] = hasTrees ? [tree.heads[i + 1], tree.labels![i + 1]] : ["_", "_"];
        return [i + 1, form, "_", upos, "_", "_", head, label, "_", "_"].join("\t");
      });
      if (hasTrees)
        rows.push([rows.length + 1, ".", "_", "PUNCT", "_", "_", 1, "punct", "_", "_"].join("\t"));
      return `# sent_id = s${k}\n${rows.join("\n")}\n\n`;
    })
    .join("");
}

describe("cutting", () => {
  const LINE = ["a\n", "b\r\n", "\n", "\r\n", "# c\n"];
  const PIECE = ["a b. ", "c\n", "\n", "\r\n", " \n", "\t", "\u{1f600}"];
  it.each([
    ["conllu", LINE, /^/, /\n\r?\n$/],
    ["text", PIECE, /^\n[ \t\r]*(\n|$)/, /$/],
    ["lines", PIECE, /^\n/, /$/],
  ] as const)(
    "loses nothing of %s, and cuts at its ends, however it arrives",
    async (format, parts, begin, end) => {
      const pieces = fc.array(
        fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map((some) => some.join("")),
      );
      await fc.assert(
        fc.asyncProperty(pieces, fc.integer({ min: 1, max: 9 }), async (texts, size) => {
          const chunks = await collected(cutChunks(texts, format, size));
          expect(chunks.join("")).toBe(texts.join(""));
          expect(await collected(cutChunks([texts.join("")], format, size))).toEqual(chunks);
          for (const chunk of chunks.slice(1)) expect(chunk).toMatch(begin);
          for (const chunk of chunks.slice(0, -1)) {
            expect(chunk).toMatch(end);
            expect(chunk.length).toBeGreaterThanOrEqual(size);
          }
        }),
      );
    },
  );

  it("gives each chunk of CoNLL-U Plus the line of its columns", async () => {
    const plain = conllu(30);
    const plus = `# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC X:Y\n${plain.replaceAll("\t_\n", "\t_\t*\n")}`;
    const chunks = await collected(cutChunks([plus], "conllu", 400));
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.map((chunk) => writeConllu(parseConllu(chunk))).join("")).toBe(plain);
  });
});

describe("parsing in chunks", () => {
  let model: Uint8Array;
  const text = conllu(40);
  beforeAll(async () => {
    const examples = treebank(20);
    model = await trainedHere(examples, { preset: "linear", epochs: 2, prune: false });
  });

  it("gives what the pipeline gives, in order, and parses no chunk twice", async () => {
    const store = await folderStore(freshFolder());
    const inner = here();
    let runs = 0;
    const counted: Place = {
      ...inner,
      do(job, input, run) {
        runs++;
        return inner.do(job, input, run);
      },
    };
    const place = stored(counted, store);
    const chunks = await collected(cutChunks([text], "conllu", 600));
    const parsed = await collected(parseChunks(chunks, { place, model, atOnce: 2 }));
    const views = createPipeline(loadPipeline(model)).annotate(parseConllu(text), { tags: "given" });
    expect(parsed.map((chunk) => chunk.text).join("")).toBe(writeConllu(views));
    expect(parsed.reduce((sum, { sentences }) => sum + sentences, 0)).toBe(40);
    expect(runs).toBe(chunks.length);
    expect(await collected(parseChunks(chunks, { place, model }))).toEqual(parsed);
    expect(runs).toBe(chunks.length);
  });

  it.each([
    [undefined, 3, 1],
    ["drop", 3, 1],
    ["enhance", 3, 1],
    ["keep", 0, 0],
  ] as const)(
    "does with DEPS what %j says, as the pipeline does, and counts them",
    async (deps, words, nodes) => {
      const graph =
        "1\tAna\t_\tPROPN\t_\t_\t2\tnsubj\t2:nsubj|3:nsubj\t_\n2\tcame\t_\tVERB\t_\t_\t0\troot\t0:root\t_\n" +
        "2.1\twent\t_\tVERB\t_\t_\t_\t_\t2:conj\t_\n3\tin\t_\tADV\t_\t_\t2\tadvmod\t2:advmod\t_\n\n";
      const [parsed] = await collected(parseChunks([graph], { place: here(), model, deps }));
      const views = createPipeline(loadPipeline(model)).annotate(parseConllu(graph), { tags: "given", deps });
      expect(parsed!.text).toBe(writeConllu(views));
      expect(parsed!.counts).toMatchObject({ words: 3, replacedDeps: words, replacedNodes: nodes });
      expect(parsed!.facts?.columns).toMatchObject({ upos: 1 });
    },
  );

  it("goes on after a chunk that is no CoNLL-U, and one that fails", async () => {
    const inner = here();
    const place: Place = {
      ...inner,
      do(job, input, run) {
        const { chunk } = input as unknown as {
          readonly chunk: { readonly data: { readonly text: string } };
        };
        if (chunk.data.text === failing) return Promise.reject(new Error("lost"));
        return inner.do(job, input, run);
      },
    };
    const [good, failing] = [conllu(3), conllu(2)];
    const parsed = await collected(parseChunks([good, "1\tno columns\n\n", failing, good], { place, model }));
    expect(parsed.map(({ sentences, error }) => [sentences, error !== undefined])).toEqual([
      [3, false],
      [0, true],
      [0, true],
      [3, false],
    ]);
  });
});

describe("text whose paragraphs are long", () => {
  let model: Uint8Array;
  const words = [...treebank(40, { seed: 4 })].map(
    ({ sentence }) => `${sentence.map(({ form }) => form).join(" ")} .`,
  );
  beforeAll(async () => {
    const settings: PipelineSettings = {
      tokenizer: { epochs: 8 },
      tagger: { epochs: 1 },
      parser: { terms: ["features"], epochs: 1, prune: false },
      jackknife: 2,
    };
    model = savePipeline(await trainPipeline(parseConllu(conllu(60, true)), { preset: "linear", settings }));
  });

  async function parsed(chunks: Parameters<typeof parseChunks>[0]): Promise<string> {
    const outputs = parseChunks(chunks, { place: here(), model, format: "text" });
    return (await collected(outputs)).map(({ text }) => text).join("");
  }

  it.each([
    ["one without a blank line", `${words.join("\n")}\n`, 300, 2],
    ["one after others and before others", `a b\n\n${words.join(" ")}\n\u{1f600}\n \r\n\nc d\n\ne`, 200, 3],
    [
      "more than the tokeniser reads at a time",
      `${`${words.join(" \u{1f600}\n")} `.repeat(26)}\n\nz`,
      9000,
      4,
    ],
    ["of white space", ` \n${" ".repeat(900)}a\n${"\t".repeat(900)}\n\n\n`, 300, 1],
  ])("is parsed as if it was not cut: %s", async (_name, text, size, least) => {
    const expected = await parsed([text]);
    for (const length of [50_000, 97]) {
      const pieces = text.match(new RegExp(`[^]{1,${length}}`, "g"))!;
      const chunks = await collected(cutText(pieces, model, { size }));
      expect(chunks.length).toBeGreaterThanOrEqual(least);
      expect(chunks.some((chunk) => typeof chunk === "object")).toBe(true);
      expect(await parsed(chunks)).toBe(expected);
    }
  });

  it("is no other where paragraphs are short", async () => {
    const text = words.join("\n\n");
    expect(await collected(cutText([text], model, { size: 100 }))).toEqual(
      await collected(cutChunks([text], "text", 100)),
    );
  });
});

describe("the sentences of a part of a text", () => {
  it("are numbered as in the whole, and nothing else changes", () => {
    const rest = "\t_\tNOUN\t_\t_\t0\troot\t_\t";
    const conllu = (id: number, range: string) =>
      `# newpar\n# sent_id = ${id}\n# text = TokenRange=1:2\n` +
      `1\tTokenRange=1:2${rest}SpaceAfter=No|TokenRange=${range}\n2\t# sent_id = 3${rest}_\n\n`;
    expect(movedText(conllu(2, "5:8"), { sentences: 10, points: 100 })).toBe(conllu(12, "105:108"));
    expect(leadOf("a\u{1f600}\n\ud800b")).toEqual({ points: 5 });
  });
});
