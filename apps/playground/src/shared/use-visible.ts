import { useEffect, useRef, useState } from "preact/hooks";

/** Returns a reference for an element, and whether it has come near to the visible part of the page. */
export function useVisible() {
  const place = useRef<HTMLLIElement>(null);
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setVisible(true);
        observer.disconnect();
      },
      { rootMargin: "400px" },
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return [place, isVisible] as const;
}
