import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { withServer } from "./support.ts";

const server = withServer();

test("the document of OpenAPI is valid, and the server has its paths", async () => {
  const document = await (await server.send("/v1/openapi.json")).json();
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
  for (const [path, methods] of Object.entries(document.paths as Record<string, object>)) {
    for (const method of Object.keys(methods)) {
      const response = await server.send(path, { method: method.toUpperCase() });
      expect({ path, method, status: response.status }).not.toMatchObject({ status: 404 });
      expect(response.status).not.toBe(405);
    }
  }
});

test("answers have the members that their schemas require", async () => {
  const { components } = await (await server.send("/v1/openapi.json")).json();
  const required = (name: string): string[] => components.schemas[name].required;
  const properties = (name: string): string[] => Object.keys(components.schemas[name].properties);
  const fits = (name: string, value: object) => {
    expect(Object.keys(value)).toEqual(expect.arrayContaining(required(name)));
    expect(properties(name)).toEqual(expect.arrayContaining(Object.keys(value)));
  };
  const parsed = await (await server.post("/v1/parse", { text: "Ann sings now." })).json();
  fits("Parsed", parsed);
  fits("Sentence", parsed.sentences[0]);
  fits("Word", parsed.sentences[0].words[0]);
  const found = await (await server.post("/v1/search", { text: "Ann sings now.", pattern: "{}" })).json();
  fits("Found", { ...found, isTruncated: false });
  fits("Match", found.matches[0]);
  fits("MatchedText", found.texts[0]);
  fits("Failure", await (await server.post("/v1/parse", {})).json());
  fits("Processed", await (await server.send("/process?data=a&tokenizer")).json());
});

test("pages load nothing from elsewhere", async () => {
  for (const path of ["/", "/v1/docs"]) {
    const response = await server.send(path);
    expect(response.headers.get("content-security-policy")).toContain("default-src");
    const page = await response.text();
    expect(page).toContain("<!doctype html>");
    expect(page.match(/(?:src|href)="(?:\w+:)?\/\/[^"]*"/g)).toBeNull();
  }
  const page = await (await server.send("/v1/docs")).text();
  for (const field of ["kBest", "marginals", "constraints", "tokenizer", "pattern"])
    expect(page).toContain(field);
});
