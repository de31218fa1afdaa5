import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { thrownBy } from "../../../tools/test-helpers.ts";
import { Markup, markup, rawMarkup, scriptElement, styleElement } from "../src/index.ts";

const DECODED: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

function decoded(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => DECODED[entity]!);
}

describe("markup", () => {
  it("escapes any text as content and as an attribute, and loses nothing but what XML cannot hold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const piece = String(markup`<b title="${text}">${text}</b>`);
        const [, title, content] = /^<b title="([^"<>']*)">([^"<>']*)<\/b>$/.exec(piece)!;
        const legal = text.replace(/(?![\n\t])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd");
        expect([decoded(title!), decoded(content!)]).toEqual([legal, legal]);
      }),
    );
  });

  it.each([
    ["a piece of markup", markup`<i>${"&"}</i>`, "<i>&amp;</i>"],
    ["a list", [markup`<i>1</i>`, "<", [2]], "<i>1</i>&lt;2"],
    ["nothing", undefined, ""],
    ["numbers", -0.5, "-0.5"],
    ["booleans", false, "false"],
    ["raw markup", rawMarkup("<br>"), "<br>"],
  ])("takes %s", (_, value, expected) => {
    expect(String(markup`${value}`)).toBe(expected);
  });

  it.each([
    ["an object that looks like a piece", { toString: () => "<script>" }],
    ["an object of its prototype", Object.create(Markup.prototype)],
    ["null", null],
    ["a symbol", Symbol("x")],
    ["a function", () => "<script>"],
    ["an object in a list", [{}]],
  ])("refuses %s", (_, value) => {
    expect(thrownBy(() => markup`${value}`)).toMatchObject({ code: "invalid-argument", at: "markup" });
  });

  it("rules of style and programs cannot end their element", () => {
    expect(String(styleElement("a{content:'</style>'}"))).toBe("<style>a{content:'<\\/style>'}</style>");
    const program = 'globalThis.found = "</script><!--" + `</SCRIPT>`;';
    const element = String(scriptElement(program));
    expect(element.match(/<\/script|<!--/gi)).toEqual(["</script"]);
    const read = new Function(
      element.slice("<script>".length, -"</script>".length).replace("globalThis.found =", "return"),
    );
    expect(read()).toBe("</script><!--</SCRIPT>");
  });
});
