import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Pixels beyond the visible part of the page that count as near. */
const NEAR = 400;

/** Returns a reference for an element, and whether it has come near to the visible part of the page: known before it is painted. */
export function useVisible() {
  const place = useRef<HTMLLIElement>(null);
  const [isVisible, setVisible] = useState(false);
  useLayoutEffect(() => {
    const { top, bottom } = place.current!.getBoundingClientRect();
    if (top < innerHeight + NEAR && bottom > -NEAR) return setVisible(true);
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setVisible(true);
        observer.disconnect();
      },
      { rootMargin: `${NEAR}px` },
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return [place, isVisible] as const;
}
