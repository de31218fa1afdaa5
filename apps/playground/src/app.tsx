import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { hashOf, navigate, route } from "./app/router.ts";
import { notice } from "./app/store.ts";
import { THEMES, theme } from "./app/theme.ts";
import { VIEW_NAMES, VIEWS, type ViewName } from "./app/view-names.ts";
import { acceptFiles } from "./drop.ts";
import { ModelButton } from "./model-button.tsx";
import { Guarded } from "./shared/guarded.tsx";
import { moveFocus } from "./shared/keyboard.ts";
import { useLoaded } from "./shared/use-loaded.ts";
import { LOAD_VIEW } from "./views.ts";

/** The page: a bar with the views, the current view, and messages. Files may be dropped anywhere. */
export function App() {
  const { view } = route.value;
  const [isOver, setOver] = useState(false);
  useLayoutEffect(() => acceptFiles(setOver), []);
  useLayoutEffect(closeMenus, []);
  useEffect(() => {
    document.title = `${VIEWS[view].title} · Arcwise playground`;
  }, [view]);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("view")!.focus()}>
        Skip to the view
      </button>
      <header class="bar">
        <a class="brand" href={hashOf({ view: VIEW_NAMES[0]!, parameters: {} })}>
          <Logo />
          <span>Arcwise</span>
        </a>
        <Tabs current={view} />
        <div class="bar-end">
          <ModelButton />
          <ThemeButton />
        </div>
      </header>
      <main id="view" data-view={view} tabIndex={-1} aria-label={VIEWS[view].title}>
        <ViewSlot key={view} view={view} />
      </main>
      <Notice />
      {isOver && <div class="drop-hint">Drop a model, a text or a CoNLL-U file</div>}
    </>
  );
}

/** Closes open menus by Escape and by a click elsewhere. Returns a function that ends it. */
function closeMenus(): () => void {
  const end = new AbortController();
  const { signal } = end;
  const close = (isLeft: (menu: Element) => boolean) => {
    for (const menu of document.querySelectorAll("details.menu[open]"))
      if (isLeft(menu)) menu.removeAttribute("open");
  };
  addEventListener("click", ({ target }) => close((menu) => !menu.contains(target as Node)), { signal });
  addEventListener(
    "keydown",
    ({ key }) => {
      if (key !== "Escape") return;
      const within = document.activeElement?.closest<HTMLElement>("details.menu[open]");
      close(() => true);
      within?.querySelector("summary")?.focus();
    },
    { signal },
  );
  return () => end.abort();
}

function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <path d="M6 23V14a8 8 0 0 1 8-8h4a8 8 0 0 1 8 8v8" fill="none" stroke="currentColor" stroke-width="3" />
      <path d="m21.5 20.5 4.5 6.5 4.5-6.5z" fill="currentColor" />
      <circle cx="6" cy="25" r="2.5" fill="currentColor" />
    </svg>
  );
}

/** The views as links; arrow keys move between them. */
function Tabs({ current }: { readonly current: ViewName }) {
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    tabs.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  return (
    <nav ref={tabs} class="tabs" aria-label="Views" onKeyDown={(event) => moveFocus(event, "a")}>
      {VIEW_NAMES.map((name) => (
        <a
          key={name}
          href={hashOf({ view: name, parameters: {} })}
          aria-current={name === current ? "page" : undefined}
          title={VIEWS[name].summary}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            navigate(name);
          }}
        >
          {VIEWS[name].title}
        </a>
      ))}
    </nav>
  );
}

/** Shows a view once its module is loaded. */
function ViewSlot({ view }: { readonly view: ViewName }) {
  const Loaded = useLoaded(LOAD_VIEW[view]);
  return Loaded === undefined ? (
    <p class="wait">Loading…</p>
  ) : (
    <Guarded>
      <Loaded />
    </Guarded>
  );
}

const THEME_NAMES = { auto: "Theme of the system", light: "Light theme", dark: "Dark theme" } as const;
const THEME_SIGNS = { auto: "◐", light: "☀", dark: "☾" } as const;

function ThemeButton() {
  const chosen = theme.value;
  const next = THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length]!;
  return (
    <button
      type="button"
      class="icon"
      aria-label={`${THEME_NAMES[chosen]}; switch to: ${THEME_NAMES[next]}`}
      title={THEME_NAMES[chosen]}
      onClick={() => {
        theme.value = next;
      }}
    >
      {THEME_SIGNS[chosen]}
    </button>
  );
}

/** Milliseconds that a message stays. */
const NOTICE_TIME = 6000;

/** The last message, read out by screen readers. Errors stay until they are closed. */
function Notice() {
  const { text, isError } = notice.value;
  const close = () => {
    notice.value = { text: "", isError: false };
  };
  useEffect(() => {
    if (text === "" || isError) return;
    const timer = setTimeout(close, NOTICE_TIME);
    return () => clearTimeout(timer);
  }, [text, isError]);
  return (
    <div
      class="notice"
      role={isError ? "alert" : "status"}
      data-error={isError || undefined}
      hidden={text === ""}
    >
      <span>{text}</span>
      <button type="button" class="icon" aria-label="Close the message" onClick={close}>
        ×
      </button>
    </div>
  );
}
