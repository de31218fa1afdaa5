import { parseConllu } from "@arcwise/conllu";
import { describe, expect, test } from "vitest";
import { withServer } from "./support.ts";

const server = withServer();
const TEXT = "Ann sings now. Bob  sleeps\there.\n\nCats runs well.\n";
const ALL = { tokenizer: "", tagger: "", parser: "" };

/** The answer of the service to parameters in a multipart body, as the client of UDPipe writes it. */
async function request(parameters: Readonly<Record<string, string>>): Promise<Response> {
  const parts = Object.entries(parameters).map(
    ([name, value]) =>
      `--b1f\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Transfer-Encoding: 8bit\r\n` +
      `Content-Type: text/plain; charset=utf-8\r\n\r\n${value}\r\n`,
  );
  const headers = { "content-type": 'multipart/form-data; boundary="b1f"' };
  return server.send("/process", { method: "POST", headers, body: `${parts.join("")}--b1f--\r\n` });
}

async function result(parameters: Readonly<Record<string, string>>): Promise<string> {
  const response = await request(parameters);
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: 200 });
  return JSON.parse(text).result;
}

test("/models lists the models and the default one", async () => {
  const expected = ["tokenizer", "tagger", "parser"];
  expect(await (await server.send("/models")).json()).toEqual({
    models: { "tiny-test": expected, other: expected },
    default_model: "tiny-test",
  });
});

test("GET, forms and multipart bodies have the same answer", async () => {
  const parameters = { ...ALL, data: TEXT };
  const query = new URLSearchParams(parameters);
  const answers = await Promise.all([
    server.send(`/process?${query}`),
    server.send("/process", { method: "POST", body: query }),
    request(parameters),
    server.send("/process?tagger&parser=", {
      method: "POST",
      body: new URLSearchParams({ tokenizer: "", data: TEXT }),
    }),
  ]);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(texts).size).toBe(1);
  expect(JSON.parse(texts[0]!)).toEqual({
    model: "tiny-test",
    acknowledgements: [],
    result: expect.stringMatching(
      /^# generator = Arcwise \d.*\n# udpipe_model = tiny-test\n# newdoc\n# newpar\n/,
    ),
  });
});

describe("model", () => {
  test.each([
    [undefined, "tiny-test"],
    ["", "tiny-test"],
    ["tiny-test", "tiny-test"],
    ["tiny", "tiny-test"],
    ["second", "other"],
  ])("%j is %s", async (model, expected) => {
    const response = await request({ data: "Ann", tokenizer: "", ...(model !== undefined && { model }) });
    expect(await response.json()).toMatchObject({ model: expected });
  });

  test.each(["tin", "tiny-test-2", "TINY"])("%j does not exist", async (model) => {
    expect((await request({ data: "Ann", tokenizer: "", model })).status).toBe(400);
  });
});

describe("tokenizer", () => {
  test("writes white space to MISC, from which the text follows", async () => {
    const plain = await result({ data: TEXT, tokenizer: "" });
    expect(plain.match(/\t(Space\S*)$/gm)?.map((misc) => misc.trim())).toEqual([
      ...["SpaceAfter=No", "SpacesAfter=\\s\\s", "SpacesAfter=\\t", "SpaceAfter=No", "SpacesAfter=\\n\\n"],
      ...["SpaceAfter=No", "SpacesAfter=\\n"],
    ]);
    for (const text of [TEXT, `  \n ${TEXT}`, "Ann", "😀 Ann | sings \\ now."])
      expect(await result({ data: text, tokenizer: "", output: "plaintext" })).toBe(text);
  });

  test("options: ranges, normalized_spaces, presegmented", async () => {
    const ranges = await result({ data: TEXT, tokenizer: "ranges;normalized_spaces" });
    const found = [...ranges.matchAll(/TokenRange=(\d+):(\d+)/g)].map(([, a, b]) =>
      TEXT.slice(Number(a), Number(b)),
    );
    expect(found.join(" ")).toBe("Ann sings now . Bob sleeps here . Cats runs well .");
    expect(ranges).not.toContain("SpacesAfter");
    const lines = parseConllu(await result({ data: TEXT, tokenizer: "presegmented" }));
    expect(lines.map(({ rows }) => rows.length)).toEqual([8, 4]);
  });
});

describe("tagger and parser", () => {
  const words =
    "1\tAnn\tmine\tX\tY\tA=b\t2\told\t2:old\tC=d\n2\tsings\tmine\tX\tY\t_\t0\troot\t0:root\t_\n\n";
  const columns = (text: string, from: number, to: number) =>
    parseRows(text).map((row) => row.slice(from, to));
  const parseRows = (text: string) =>
    text
      .split("\n")
      .filter((line) => /^\d/.test(line))
      .map((line) => line.split("\t"));

  test("the tagger alone keeps the tree", async () => {
    const tagged = await result({ data: words, tagger: "" });
    expect(columns(tagged, 6, 10)).toEqual(columns(words, 6, 10));
    expect(columns(tagged, 3, 4)).toEqual([["NOUN"], ["VERB"]]);
  });

  test("the parser alone keeps the tags", async () => {
    const parsed = await result({ data: words, parser: "" });
    expect(columns(parsed, 1, 6)).toEqual(columns(words, 1, 6));
    expect(columns(parsed, 7, 8)).not.toEqual(columns(words, 7, 8));
    const untagged = words.replaceAll("\tX\t", "\t_\t");
    expect(columns(await result({ data: untagged, parser: "" }), 3, 4)).toEqual([["_"], ["_"]]);
    expect(columns(await result({ data: "Ann sings.", tokenizer: "", parser: "" }), 2, 6)).toEqual(
      Array.from({ length: 3 }, () => ["_", "_", "_", "_"]),
    );
  });

  test("neither changes nothing", async () => {
    expect(columns(await result({ data: words }), 0, 10)).toEqual(columns(words, 0, 10));
  });
});

describe("input and output", () => {
  test.each([
    ["horizontal", "Ann sings\nBob New\u00a0York\n\n\nCats\n"],
    ["vertical", "Ann\nsings\tX\n\nBob\nNew York\n\n\n\nCats"],
  ])("%s", async (input, data) => {
    const sentences = parseConllu(await result({ data, input }));
    expect(sentences.map(({ rows }) => rows.map(({ form }) => form))).toEqual([
      ["Ann", "sings"],
      ["Bob", "New York"],
      ["Cats"],
    ]);
    const paragraphs = sentences.map(({ comments }) => comments.includes("# newpar"));
    expect(paragraphs).toEqual([true, false, true]);
  });

  test.each([
    ["horizontal", "Ann sings now .\nBob sleeps here .\nCats runs well .\n"],
    ["horizontal=paragraphs", "Ann sings now .\nBob sleeps here .\n\nCats runs well .\n"],
    ["vertical", "Ann\nsings\nnow\n.\n\nBob\nsleeps\nhere\n.\n\nCats\nruns\nwell\n.\n\n"],
    ["plaintext", TEXT],
    ["plaintext=normalized_spaces", "Ann sings now.\nBob sleeps here.\n\nCats runs well.\n"],
  ])("%s", async (output, expected) => {
    expect(await result({ ...ALL, data: TEXT, output })).toBe(expected);
  });

  test("matxin", async () => {
    const data = '1\t<"\ta\tX\t_\tA=b\t2\tnsubj\t_\t_\n2\tsings\t_\tX\t_\t_\t0\troot\t_\t_\n\n';
    expect(await result({ data, output: "matxin" })).toBe(`<corpus>
<SENTENCE ord="1" alloc="0">
 <NODE ord="2" alloc="0" form="sings" lem="" mi="" si="root">
  <NODE ord="1" alloc="0" form="&lt;&quot;" lem="a" mi="A=b" si="nsubj"/>
 </NODE>
</SENTENCE>
</corpus>
`);
  });

  const ROWS =
    "# text = a b c\n1\ta b\tA b\tX\t_\tN=s|Q\t2\tnsubj\t_\tTokenRange=0:3|SpaceAfter=No\n1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n" +
    "2\tc\t_\t_\ty\t_\t0\troot\t_\t_\n\n";

  test("epe", async () => {
    const lines = (await result({ data: `${ROWS}${ROWS}`, output: "epe" })).trimEnd().split("\n");
    const properties = { lemma: "A b", upos: "X", xpos: "", N: "s" };
    const nodes = [
      { id: 1, form: "a b", start: 0, end: 3, properties },
      {
        ...{ id: 2, form: "c", top: true, properties: { lemma: "", upos: "", xpos: "y" } },
        edges: [{ label: "nsubj", target: 1 }],
      },
    ];
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { id: 1, nodes },
      { id: 2, nodes },
    ]);
  });

  test("conllu=v1: no empty nodes, no spaces, no header", async () => {
    const first = ROWS.replace("a b\tA b", "a_b\tA_b").replace(/^1\.1.*\n/m, "");
    expect(await result({ data: ROWS, output: "conllu=v1" })).toBe(first);
    expect(await result({ data: ROWS, output: "conllu=v2" })).toContain("a b\tA b");
  });

  test("the data are in the normal form NFC", async () => {
    const found = await result({ data: "Ru\u0308be sings.", tokenizer: "ranges" });
    expect(found).toMatch(/^1\tR\u00fcbe\t.*TokenRange=0:4$/m);
    expect(await result({ data: "e\u0301\n", input: "vertical", output: "vertical" })).toBe("\u00e9\n\n");
  });

  test("a byte that is not UTF-8 is a part of the text", async () => {
    const bytes = Buffer.from("data=Ann+%FF+sings&tokenizer=&output=horizontal");
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const response = await server.send("/process", { method: "POST", headers: type, body: bytes });
    expect((await response.json()).result).toContain("\ufffd");
    const raw = Buffer.concat([
      Buffer.from("data=Ann+"),
      Buffer.from([0xff]),
      Buffer.from("+sings&tokenizer="),
    ]);
    expect((await server.send("/process", { method: "POST", headers: type, body: raw })).status).toBe(200);
  });
});

describe("errors are texts", () => {
  test.each<[Record<string, string>, RegExp]>([
    [{}, /'data' is required/],
    [{ data: "a", input: "pdf" }, /input 'pdf' does not exist/],
    [{ data: "a", tokenizer: "", output: "constructor" }, /output format 'constructor'/],
    [{ data: "1\ta" }, /CoNLL-U|columns/],
    [{ data: "a", tokenizer: "", model: "none" }, /tiny-test, other/],
  ])("%j", async (parameters, message) => {
    const response = await request(parameters);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(await response.text()).toMatch(message);
  });

  test("of bodies that are not forms", async () => {
    const json = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    expect((await server.send("/process", json)).status).toBe(415);
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    expect((await server.send("/process", { method: "POST", headers, body: "--y" })).status).toBe(400);
  });
});
