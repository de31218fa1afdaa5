import { createPipeline } from "@arcwise/pipeline";
import { afterEach, expect, test, vi } from "vitest";
import { serverModel } from "../src/model/server-model.ts";

const nlp = createPipeline(
  {},
  {
    parser: (words) => ({
      heads: Int32Array.from({ length: words.length + 1 }, (_, m) => m - 1),
      labels: ["", ...words.map(() => "dep")],
    }),
  },
);
const [sentence] = nlp.annotate([["Cŵn", "yn", "cyfarth"]]);
const model = serverModel({ name: "welsh", language: "Welsh", parse: "v1/parse" });

/** Lets the server answer, and returns the bodies of requests. */
function answering(status: number, answer: object): unknown[] {
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", async (address: string, { body }: { readonly body: string }) => {
    expect(address).toBe("v1/parse");
    bodies.push(JSON.parse(body));
    return new Response(JSON.stringify(answer), { status });
  });
  return bodies;
}
afterEach(() => {
  vi.unstubAllGlobals();
});

test("texts, words and sentences with what is fixed in them go to the server", async () => {
  const bodies = answering(200, { sentences: [sentence], failures: [], mostlyUnknown: true });
  const onMostlyUnknown = vi.fn();
  const [found] = await model.nlp.run("Cŵn yn cyfarth", { lines: false, onMostlyUnknown });
  expect(found!.toConllu()).toBe(sentence!.toConllu());
  expect(onMostlyUnknown).toHaveBeenCalledOnce();
  await model.nlp.annotate([["Cŵn"]]);
  const constraints = () => ({ heads: Int32Array.of(-1, 2, -1, -1), labels: ["", "nsubj", "", "obj"] });
  await model.nlp.annotate([sentence!], { tags: "given", deps: "keep", constraints });
  expect(bodies).toEqual([
    { model: "welsh", text: "Cŵn yn cyfarth", lines: false },
    { model: "welsh", sentences: [["Cŵn"]] },
    {
      ...{ model: "welsh", conllu: sentence!.toConllu(), tags: "given", deps: "keep" },
      constraints: [
        [
          { word: 1, head: 2, deprel: "nsubj" },
          { word: 3, deprel: "obj" },
        ],
      ],
    },
  ]);
});

test.each([
  [503, { error: { code: "busy", message: "the server is busy" } }, "the server is busy"],
  [200, { sentences: [], failures: [{ index: 0, error: { message: "no tree" } }] }, "no tree"],
])("what the server refuses is an error: status %i", async (status, answer, message) => {
  answering(status, answer);
  await expect(model.nlp.run("a")).rejects.toThrow(message);
});

test("what needs the model in the page says so", async () => {
  await expect(model.call("rank")).rejects.toThrow(
    /^welsh parses at the server: probabilities, .* need a model in the page\.$/,
  );
});
