import { describe, expect, test } from "vitest";
import { withServer } from "./support.ts";

const server = withServer();
const TEXT = "Ann sings cafés 5 €.";
/** Bytes of the text in other charsets. */
const BYTES: Readonly<Record<string, Buffer>> = {
  "windows-1252": Buffer.from(TEXT.replace("€", "\u0080"), "latin1"),
  "utf-16le": Buffer.from(TEXT, "utf16le"),
  "utf-16be": Buffer.from(TEXT, "utf16le").swap16(),
};

/** The text of the sentences of an answer. */
async function textOf(response: Response): Promise<string> {
  const { sentences } = (await response.json()) as { sentences: { text: string }[] };
  return sentences.map(({ text }) => text).join(" ");
}

function post(path: string, type: string, body: Buffer): Promise<Response> {
  return server.send(path, { method: "POST", headers: { "content-type": type }, body: new Uint8Array(body) });
}

describe("a charset that a body declares is decoded", () => {
  test.each(Object.keys(BYTES))("%s", async (charset) => {
    for (const type of [
      `text/plain; charset=${charset}`,
      `text/plain;charset="${charset.toUpperCase()}"; a=b`,
    ]) {
      const response = await post("/v1/parse", type, BYTES[charset]!);
      expect(await textOf(response)).toBe(TEXT);
    }
  });

  test("of JSON, and of a file of a form", async () => {
    const json = Buffer.from(JSON.stringify({ text: TEXT }), "utf16le");
    const response = await post("/v1/parse", "application/json; charset=utf-16le", json);
    expect(await textOf(response)).toBe(TEXT);
    const form = new FormData();
    form.set("tokenizer", "");
    form.set(
      "data",
      new Blob([new Uint8Array(BYTES["utf-16be"]!)], { type: "text/plain; charset=utf-16be" }),
      "a.txt",
    );
    const processed = await server.send("/process", { method: "POST", body: form });
    expect((await processed.json()).result).toContain("cafés");
  });

  test("a byte-order mark of UTF-16 says it as well", async () => {
    const body = Buffer.concat([Buffer.from([0xff, 0xfe]), BYTES["utf-16le"]!]);
    expect(await textOf(await post("/v1/parse", "text/plain", body))).toBe(TEXT);
  });
});

test.each<[string, string, Buffer]>([
  ["/v1/parse", "text/plain; charset=klingon", BYTES["windows-1252"]!],
  ["/v1/parse", "application/json; charset=utf-7", Buffer.from("{}")],
  ["/v1/parse", "text/plain; charset=", BYTES["windows-1252"]!],
  [
    "/v1/parse",
    "text/plain",
    Buffer.from(Uint32Array.from("\ufeffAnn", (one) => one.codePointAt(0)!).buffer),
  ],
  ["/process", "application/x-www-form-urlencoded; charset=windows-1252", Buffer.from("data=a&tokenizer=")],
  [
    "/process",
    "multipart/form-data; boundary=b",
    Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="data"\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\ncaf\u00e9\r\n--b--\r\n`,
      "latin1",
    ),
  ],
])("%s refuses %s, and names UTF-8", async (path, type, body) => {
  const response = await post(path, type, body);
  expect(response.status).toBe(415);
  expect(await response.text()).toContain("UTF-8");
});

test("slashes of the address of a service do no harm", async () => {
  for (const path of ["//models", "/models/", "///process?data=a&tokenizer=", "/v1//models"])
    expect((await server.send(path)).status).toBe(200);
  expect((await server.send("//nothing")).status).toBe(404);
});
