import { EventEmitter } from "node:events";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ArcwiseError, errorFromData, errorToData } from "../src/errors/index.ts";
import { abortable, errorData, messageKind } from "../src/messages/index.ts";
import { integer, isReceived, record } from "../src/options/index.ts";

const COUNT = messageKind<{ readonly count: number }>("count", record({ count: integer(0) }));

describe("messages of a kind", () => {
  test("arrive as they were sent, also after a structured clone", () => {
    expect(COUNT.open(structuredClone(COUNT.seal({ count: 3 })))).toEqual({ count: 3 });
  });

  test("are told from anything else", () => {
    const almost = fc.record({ arcwise: fc.oneof(fc.constant("count"), fc.string()), body: fc.anything() });
    fc.assert(
      fc.property(fc.oneof(fc.anything({ withMap: true, withTypedArray: true }), almost), (odd) => {
        expect(COUNT.open(odd)).toBeUndefined();
      }),
    );
  });

  test.each([
    ["of another kind", messageKind("other", integer(0)).seal(3)],
    ["with a member more", { ...(COUNT.seal({ count: 1 }) as object), more: 1 }],
    ["with other contents", { arcwise: "count", body: { count: -1 } }],
    [
      "that throws",
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("odd");
          },
        },
      ),
    ],
  ])("are not those %s", (_, odd) => {
    expect(COUNT.open(odd)).toBeUndefined();
  });

  test("are heard until the listener leaves, whatever else arrives", () => {
    const port = new EventEmitter();
    const heard: number[] = [];
    const leave = COUNT.listen(port, ({ count }) => heard.push(count));
    for (const message of ["odd", COUNT.seal({ count: 1 }), undefined]) port.emit("message", message);
    leave();
    port.emit("message", COUNT.seal({ count: 2 }));
    expect(heard).toEqual([1]);
    expect(port.listenerCount("message")).toBe(0);
  });
});

test("errors as data are accepted, and nothing else is", () => {
  const cause = new RangeError("out", { cause: new ArcwiseError("no-tree", "none", { found: "x" }) });
  const data = structuredClone(errorToData(new ArcwiseError("invalid-data", "odd", { line: 3, cause })));
  expect(isReceived(errorData, data)).toBe(true);
  expect(errorFromData(data)).toMatchObject({ code: "invalid-data", line: 3, cause: { message: "out" } });
  fc.assert(
    fc.property(fc.anything(), (odd) => {
      expect(isReceived(errorData, odd)).toBe(false);
    }),
  );
  expect(isReceived(errorData, { ...data, cause: 5 })).toBe(false);
});

describe("a wait that a signal may end", () => {
  test("ends with the result, and leaves no listener", async () => {
    const { signal } = new AbortController();
    expect(await abortable(Promise.resolve(3), signal)).toBe(3);
    expect(await abortable(Promise.resolve(4), undefined)).toBe(4);
  });

  test.each([true, false])("ends with the reason, aborted before: %s", async (isBefore) => {
    const controller = new AbortController();
    if (isBefore) controller.abort(new Error("enough"));
    // A later failure of what was waited for is nobody's.
    const waiting = abortable(
      new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 10)),
      controller.signal,
    );
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
