import { ArcwiseError } from "@arcwise/core/errors";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ChannelPort, openChannel } from "../src/index.ts";

let ports: MessageChannel;
const at = (port: MessagePort) => port as unknown as ChannelPort;
beforeEach(() => {
  ports = new MessageChannel();
});
afterEach(() => ports.port1.close());

const offered = {
  square: (x: number) => x * x,
  count: async (to: number, report: (progress: object) => void) => {
    for (let k = 1; k <= to; k++) report({ k });
  },
  refuse: () => {
    throw new ArcwiseError("malformed-conllu", "expected a tree", { file: "a.conllu", line: 7 });
  },
  later: () => new Promise(() => {}),
  uncopied: () => () => 1,
};
type Offered = typeof offered;

describe("a channel", () => {
  test("returns results and reports, of calls in both directions", async () => {
    const there = openChannel<{ name(): string }>(at(ports.port2), offered);
    const here = openChannel<Offered>(at(ports.port1), { name: () => "here" });
    const reports: unknown[] = [];
    const onProgress = (progress: object) => reports.push(progress);
    const calls = [here.call("count", 2, { onProgress }), here.call("square", 3), there.call("name")];
    expect(await Promise.all(calls)).toEqual([undefined, 9, "here"]);
    expect(reports).toEqual([{ k: 1 }, { k: 2 }]);
  });

  test("shares its port with others", async () => {
    openChannel(at(ports.port2), offered);
    const channels = [1, 2, 3].map(() => openChannel<Offered>(at(ports.port1)));
    const squares = channels.map((channel, k) => channel.call("square", k));
    expect(await Promise.all(squares)).toEqual([0, 1, 4]);
  });

  test("rejects with the code, file and line of what a function throws", async () => {
    openChannel(at(ports.port2), offered);
    const here = openChannel<Offered>(at(ports.port1));
    const members = { code: "malformed-conllu", file: "a.conllu", line: 7 };
    await expect(here.call("refuse")).rejects.toMatchObject(members);
    await expect(here.call("uncopied")).rejects.toMatchObject({ code: "invalid-data" });
    const input = (() => 1) as unknown as number;
    await expect(here.call("square", input)).rejects.toMatchObject({ code: "invalid-argument" });
    expect(await here.call("square", 4)).toBe(16);
  });

  test("that is lost rejects all calls, and says so once", async () => {
    const lost: string[] = [];
    const here = openChannel<Offered>(at(ports.port1), {}, { lost: (why) => new Error(`${lost.push(why)}`) });
    openChannel(at(ports.port2), offered);
    const waiting = here.call("later");
    ports.port2.close();
    await expect(waiting).rejects.toThrow("1");
    await expect(here.call("square", 1)).rejects.toThrow("1");
    expect(lost).toHaveLength(1);
  });
});
