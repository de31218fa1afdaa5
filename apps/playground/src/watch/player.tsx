import type { Signal } from "@preact/signals";
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { Choice } from "../shared/controls.tsx";
import { hotKeys } from "../shared/keyboard.ts";

/** Steps per second. */
const SPEEDS = Object.fromEntries([1, 2, 5, 10, 30].map((speed) => [speed, `${speed} per second`]));

interface Steps {
  /** Number of steps that are shown. */
  readonly count: Signal<number>;
  readonly length: number;
}

/** Plays, pauses and steps through `length` steps. */
export function Player({ count, length, description }: Steps & { readonly description: string }) {
  const { isPlaying, speed, go, toggle } = usePlayer({ count, length });
  const stepButton = (name: string, sign: string, to: number) => (
    <button
      type="button"
      class="icon"
      aria-label={name}
      disabled={within(to, length) === count.value}
      onClick={() => go(to)}
    >
      {sign}
    </button>
  );
  return (
    <div class="player">
      <div class="row">
        {stepButton("First step", "«", 0)}
        {stepButton("Step back", "‹", count.value - 1)}
        <button type="button" class="primary" aria-keyshortcuts="p" onClick={toggle}>
          {isPlaying.value ? "Pause" : "Play"}
        </button>
        {stepButton("Step", "›", count.value + 1)}
        {stepButton("Last step", "»", length)}
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
        <Choice
          label="Speed"
          value={`${speed.value}`}
          options={SPEEDS}
          onChange={(chosen) => {
            speed.value = Number(chosen);
          }}
        />
      </div>
      <p role="status" aria-live={isPlaying.value ? "off" : "polite"}>
        {description}
      </p>
    </div>
  );
}

const within = (step: number, length: number) => Math.max(0, Math.min(length, step));

/** Plays the steps, by the clock and by keys. */
function usePlayer({ count, length }: Steps) {
  const isPlaying = useSignal(false);
  const speed = useSignal(2);
  const go = (to: number) => {
    isPlaying.value = false;
    count.value = within(to, length);
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
  return { isPlaying, speed, go, toggle };
}
