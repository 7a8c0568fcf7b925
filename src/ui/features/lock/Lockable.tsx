/**
 * The console without its calls. While it is locked its elements are not in the document (docs/session.md#lock), but live on, so that
 * input, scroll positions and open dialogs are there again afterwards.
 */
import {
  Activity,
  Suspense,
  useCallback,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useState,
  type ReactNode,
} from "react";
import { createPortal } from "react-dom";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { PageFallback } from "../../loading/PageFallback.tsx";
import { closeDialogs } from "../../state/dialogs.ts";
import { useLocked } from "../../state/services.ts";
import { clearMessages } from "../../state/show-message.ts";
import { emptyBody } from "./vault.ts";

const LockScreen = lazyPart(() => import("./LockScreen.tsx"));

const createHost = (): HTMLDivElement => {
  const host = document.createElement("div");
  host.className = "app-host";
  return host;
};

export function Lockable({ children }: { readonly children: ReactNode }) {
  const locked = useLocked();
  const [host] = useState(createHost);
  // React calls this before the layout effects of the pages, some of which restore what an element has only inside the document.
  const place = useCallback((element: HTMLDivElement | null) => element?.append(host), [host]);
  useInsertionEffect(() => (locked ? emptyBody(document.body) : undefined), [locked]);
  useScrolls(host, locked);
  useEffect(() => {
    if (!locked) return;
    closeDialogs();
    clearMessages();
  }, [locked]);
  return (
    <>
      {!locked && <div ref={place} className="app-host" />}
      <Activity mode={locked ? "hidden" : "visible"}>{createPortal(children, host)}</Activity>
      {locked && (
        <Suspense
          fallback={
            <main className="plain">
              <PageFallback />
            </main>
          }
        >
          <LockScreen />
        </Suspense>
      )}
    </>
  );
}

/** Scroll positions of all areas: an element loses its own when it leaves the document. */
function useScrolls(host: HTMLElement, locked: boolean): void {
  const [scrolls] = useState(() => new WeakMap<Element, readonly [left: number, top: number]>());
  useEffect(() => {
    const note = ({ target }: Event): void => {
      if (target instanceof Element) scrolls.set(target, [target.scrollLeft, target.scrollTop]);
    };
    host.addEventListener("scroll", note, { capture: true, passive: true });
    return () => host.removeEventListener("scroll", note, { capture: true });
  }, [host, scrolls]);
  useLayoutEffect(() => {
    if (locked) return;
    for (const element of host.querySelectorAll("*")) {
      const [left, top] = scrolls.get(element) ?? [0, 0];
      if (left > 0 || top > 0) element.scrollTo({ left, top, behavior: "instant" });
    }
  }, [host, locked, scrolls]);
}
