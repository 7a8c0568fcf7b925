/** The thin bar at the top while a page is on its way (docs/session.md#static-routes). */
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { useLocation } from "react-router-dom";
import "./progress.css";

const Context = createContext<() => () => void>(() => () => undefined);

export function ProgressProvider({ children }: { readonly children: ReactNode }) {
  const [pending, setPending] = useState(0);
  const [done, setDone] = useState(true);
  const start = useCallback(() => {
    setPending((n) => n + 1);
    setDone(false);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      setPending((n) => n - 1);
    };
  }, []);

  useEffect(() => {
    if (pending > 0 || done) return;
    const timer = setTimeout(() => setDone(true), 320);
    return () => clearTimeout(timer);
  }, [pending, done]);

  // A page that loads at once still shows the bar for a moment, so that every navigation is acknowledged.
  const { pathname } = useLocation();
  const first = useRef(pathname);
  useEffect(() => {
    if (first.current === pathname) return;
    first.current = pathname;
    const end = start();
    const timer = setTimeout(end, 120);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [pathname, start]);

  const value = useMemo(() => start, [start]);
  return (
    <Context value={value}>
      <div className="progress" data-state={pending > 0 ? "running" : done ? "idle" : "done"}>
        <div className="progress-bar" />
      </div>
      {children}
    </Context>
  );
}

/** Mounted while something loads. */
export function ProgressWhileMounted() {
  const start = useContext(Context);
  useEffect(() => start(), [start]);
  return null;
}
