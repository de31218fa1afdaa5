import { encodeSentences } from "@arcwise/core/encoders";
import { hasCode } from "@arcwise/core/errors";
import { inOrder } from "@arcwise/jobs";
import { addCounts, noInput } from "@arcwise/pipeline";
import type { Context } from "hono";
import { requireSentences } from "../api/read-request.ts";
import { limitExceeded } from "../failures.ts";
import type { ServedModel } from "../models/served-models.ts";
import { ROUTES, type RouteName } from "../models/server-jobs.ts";
import { type CutState, NOTHING_CUT } from "../routes/cut.ts";
import { answerType, type Piece, type Plan, type Source, type Totals, type Written } from "../routes/plan.ts";
import { failureLine } from "../routes/route.ts";
import type { AppEnv, ServerState } from "../server-state.ts";
import { breakOffOf, withBody, withWork } from "./begin.ts";
import { streamed } from "./streams.ts";
import type { Work } from "./work.ts";

/** Bytes of an answer that errors are waited for. */
const HELD = 2 ** 20;
/** UTF-16 code units of a text that are cut at a time, and of a text that is cut and analysed by one job. */
const CHUNK = 2 ** 14;
const SHORT_TEXT = 4096;
/** Bytes of an answer to a piece beyond which no other piece is answered before a client has it. */
const LARGE = 2 ** 22;

/** Answers a request. Its body is read, analysed and answered at the place of the models, piece by piece. */
export function answer(c: Context<AppEnv>, state: ServerState, name: RouteName): Promise<Response> {
  return withBody(c, state, (bytes) =>
    withWork(c, state, bytes.length, async (work) => {
      const { method, url, headers } = c.req.raw;
      const head = {
        ...{ method, query: new URL(url).search.slice(1) },
        ...{ type: headers.get("content-type"), accept: headers.get("accept") },
      };
      const plan = await work.do({ kind: "read", route: name, head, bytes, limits: work.limits });
      const model = work.set.named(plan.model);
      const parts = new Answer({ name, plan, model, work }).parts();
      const options = { held: plan.format === "ndjson" ? 1 : HELD, breakOff: breakOffOf(c) };
      return c.body(await streamed(parts, options, work), 200, { "content-type": answerType(plan.format) });
    }),
  );
}

type TextSource = Extract<Source, { readonly text: string }>;

/** Returns where a chunk of a text ends: not within a code point. */
function chunkEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  return text.codePointAt(at - 1)! > 0xffff ? at - 1 : at;
}

interface AnswerOptions {
  readonly name: RouteName;
  readonly plan: Plan;
  readonly model: ServedModel;
  readonly work: Work;
}

class Answer {
  readonly #options: AnswerOptions;
  readonly #totals: Totals = {
    ...{ sentences: 0, matches: 0, isTruncated: false, lists: [] },
    input: noInput(),
  };
  /** Bytes of the last answer to a piece, and the number of pieces that are answered, or whose answer waits. */
  #last = 0;
  #underWay = 0;
  #wake = () => {};

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  /** Yields the parts of the answer. An error after the first line of an answer of lines is the last line. */
  async *parts(): AsyncGenerator<Uint8Array> {
    const { plan, work, model } = this.#options;
    let bytes = 0;
    try {
      for await (const part of this.#framed()) {
        if (part.length === 0) continue;
        bytes += part.length;
        if (bytes > work.limits.answer) throw limitExceeded("answer", work.limits);
        yield part;
      }
    } catch (error) {
      if (plan.format !== "ndjson" || bytes === 0) throw error;
      yield Buffer.from(`${JSON.stringify({ error: failureLine(0, error, model).error })}\n`);
    }
  }

  async *#framed(): AsyncGenerator<Uint8Array> {
    const { name, plan, model } = this.#options;
    const { start, between, end } = ROUTES[name].frame(plan.settings, model.name);
    const separator = Buffer.from(between);
    yield Buffer.from(start);
    let isFirst = true;
    for await (const written of this.#written()) {
      if (written.body.length === 0) continue;
      if (!isFirst) yield separator;
      isFirst = false;
      yield written.body;
    }
    yield Buffer.from(end(this.#totals));
  }

  /** Yields the answers to the pieces, up to the maximum number of matches. */
  async *#written(): AsyncGenerator<Written> {
    const { plan, work, model } = this.#options;
    const { limit = Number.POSITIVE_INFINITY } = plan;
    const totals = this.#totals;
    const answers = inOrder(this.#pieces(plan.source), work.set.place.width + 1, async (piece) => {
      this.#underWay++;
      return { piece, all: await this.#answersTo(piece, limit - totals.matches) };
    });
    for await (let { piece, all } of answers) {
      const left = limit - totals.matches;
      // The matches of the pieces before it were not known when it was searched.
      if (all.reduce((sum, { matches }) => sum + matches, 0) > left) all = await this.#answersTo(piece, left);
      for (const written of all) {
        const { body, lists, count, input, matches, isCut } = written;
        this.#last = body.length;
        totals.matches += matches;
        totals.isTruncated ||= isCut;
        if (!isCut) totals.sentences += count;
        if (input !== undefined) addCounts(totals.input, input);
        for (const [k, list] of lists.entries()) {
          totals.lists[k] ??= [];
          if (list !== "") totals.lists[k].push(list);
        }
        work.count(model, written);
        yield written;
        if (isCut) return;
      }
      this.#underWay--;
      this.#wake();
    }
  }

  /** Waits until the client has large answers. */
  async #room(): Promise<void> {
    while (this.#last > LARGE && this.#underWay > 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  /** Answers a piece; if it ends its thread, each of its sentences by itself. */
  async #answersTo(piece: Piece, limit: number): Promise<readonly Written[]> {
    try {
      return [await this.#answerTo(piece, limit)];
    } catch (error) {
      if (!hasCode(error, "thread-lost")) throw error;
      const all: Written[] = [];
      let left = limit;
      const { source } = this.#options.plan;
      const pieces = piece.kind === "text" ? this.#cut(source as TextSource) : [piece];
      for await (const one of pieces) {
        for (let only = 0; only < one.count; only++) {
          const written = await this.#alone(one, left, only);
          all.push(written);
          left -= written.matches;
          if (written.isCut) return all;
        }
      }
      return all;
    }
  }

  async #alone(piece: Piece, limit: number, only: number): Promise<Written> {
    try {
      return await this.#answerTo(piece, limit, { only });
    } catch (error) {
      if (!hasCode(error, "thread-lost")) throw error;
      return this.#answerTo(piece, limit, { only, isLost: true });
    }
  }

  async #answerTo(
    piece: Piece,
    limit: number,
    more: { readonly only?: number; readonly isLost?: boolean } = {},
  ): Promise<Written> {
    const { name: route, plan, model, work } = this.#options;
    const { settings } = plan;
    const { name, path, encoder } = model;
    const task = {
      ...({ kind: "write", route, piece, settings, limit, limits: work.limits } as const),
      ...{ model: { name, path }, ...more },
    };
    const written = await work.do(task, model);
    if (!("forms" in written)) return written;
    const vectors = await encodeSentences(encoder!, written.forms, { signal: work.signal });
    return (await work.do({ ...task, vectors }, model)) as Written;
  }

  async *#pieces(source: Source): AsyncGenerator<Piece> {
    if ("pieces" in source) {
      for (const piece of source.pieces) {
        await this.#room();
        yield piece;
      }
      return;
    }
    const { text, cut, constraints } = source;
    const isPlain = cut.lines === undefined && !cut.isPresegmented && !cut.spaces;
    if (text.length <= SHORT_TEXT && isPlain && constraints === undefined) {
      yield { kind: "text", data: text, from: 0, count: 0 };
      return;
    }
    yield* this.#cut(source);
  }

  /** Cuts a text into pieces. */
  async *#cut({ text, cut, constraints }: TextSource): AsyncGenerator<Piece> {
    const { work, model } = this.#options;
    let state: CutState = NOTHING_CUT;
    let at = 0;
    do {
      const from = at;
      at = chunkEnd(text, at + CHUNK);
      const isEnd = at === text.length;
      const task = { chunk: text.slice(from, at), isEnd, state, options: cut, limits: work.limits };
      const found = await work.do({ kind: "cut", ...task }, model);
      state = found.state;
      for (const piece of found.pieces) {
        const { window, from: first, count } = piece;
        const own = constraints?.slice(first, first + count);
        await this.#room();
        yield {
          ...piece,
          constraints: own && `[${own.join()}]`,
          window: window && { ...window, text: text.slice(window.from, window.to) },
        };
      }
    } while (at < text.length);
    requireSentences(constraints, state.sentences);
  }
}
