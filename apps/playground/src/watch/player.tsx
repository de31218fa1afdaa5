import type { Signal } from "@preact/signals";
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { hotKeys } from "../shared/keyboard.ts";

/** Steps per second. */
const SPEEDS = [1, 2, 5, 10, 30];

/** Plays, pauses and steps through `length` steps; `count` is the number of steps that are shown. */
export function Player(properties: {
  readonly count: Signal<number>;
  readonly length: number;
  readonly description: string;
}) {
  const { count, length, description } = properties;
  const isPlaying = useSignal(false);
  const speed = useSignal(2);
  const go = (to: number) => {
    isPlaying.value = false;
    count.value = Math.max(0, Math.min(length, to));
  };
  const toggle = () => {
    if (!isPlaying.value && count.value === length) count.value = 0;
    isPlaying.value = !isPlaying.value;
  };
  useEffect(() => {
    if (!isPlaying.value) return;
    const timer = setInterval(() => {
      if (count.value < length) count.value++;
      else isPlaying.value = false;
    }, 1000 / speed.value);
    return () => clearInterval(timer);
  }, [isPlaying.value, speed.value, count, length]);
  useLayoutEffect(() => {
    const onKeyDown = hotKeys({
      p: toggle,
      ArrowRight: () => go(count.value + 1),
      ArrowLeft: () => go(count.value - 1),
      Home: () => go(0),
      End: () => go(length),
    });
    const listener = (event: KeyboardEvent) => {
      // Arrow keys move the focus in lists and charts.
      if (event.key === "p" || document.activeElement === document.body) onKeyDown(event);
    };
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, [count, length]);
  return (
    <div class="player">
      <div class="row">
        <button
          type="button"
          class="icon"
          aria-label="First step"
          disabled={count.value === 0}
          onClick={() => go(0)}
        >
          «
        </button>
        <button
          type="button"
          class="icon"
          aria-label="Step back"
          disabled={count.value === 0}
          onClick={() => go(count.value - 1)}
        >
          ‹
        </button>
        <button type="button" class="primary" aria-keyshortcuts="p" onClick={toggle}>
          {isPlaying.value ? "Pause" : "Play"}
        </button>
        <button
          type="button"
          class="icon"
          aria-label="Step"
          disabled={count.value === length}
          onClick={() => go(count.value + 1)}
        >
          ›
        </button>
        <button
          type="button"
          class="icon"
          aria-label="Last step"
          disabled={count.value === length}
          onClick={() => go(length)}
        >
          »
        </button>
        <input
          type="range"
          class="steps"
          min={0}
          max={length}
          value={count.value}
          aria-label="Step"
          aria-valuetext={`${count.value} of ${length}. ${description}`}
          onInput={(event) => go(event.currentTarget.valueAsNumber)}
        />
        <output class="soft number">
          {count.value} / {length}
        </output>
        <label class="inline">
          Speed
          <select
            value={speed.value}
            onChange={(event) => {
              speed.value = Number(event.currentTarget.value);
            }}
          >
            {SPEEDS.map((one) => (
              <option key={one} value={one}>
                {one} per second
              </option>
            ))}
          </select>
        </label>
      </div>
      <p role="status" aria-live={isPlaying.value ? "off" : "polite"}>
        {description}
      </p>
    </div>
  );
}
