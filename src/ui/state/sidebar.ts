/** Sidebar of this tab: open or folded, remembered in the cookie sidebarStatus; a drawer on narrow screens (docs/session.md#frame). */
import { useCallback, useEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import { useMediaQuery } from "./services.ts";
import { readCookie, writeCookie } from "../storage.ts";

const COOKIE = "sidebarStatus";
const MOBILE = "(max-width: 991.98px)";

export interface Sidebar {
  readonly mobile: boolean;
  readonly open: boolean;
  toggle(): void;
  close(): void;
}

export function useSidebar(): Sidebar {
  const mobile = useMediaQuery(MOBILE);
  const [wide, setWide] = useState(() => readCookie(COOKIE) !== "0");
  /** Key of the navigation during which the drawer was opened; any other navigation closes it. */
  const [drawerAt, setDrawerAt] = useState<string | null>(null);
  const { key } = useLocation();
  const drawer = drawerAt === key;

  useEffect(() => {
    const close = (): void => setDrawerAt(null);
    addEventListener("resize", close);
    return () => removeEventListener("resize", close);
  }, []);

  const toggle = useCallback(() => {
    if (mobile) return setDrawerAt((at) => (at === key ? null : key));
    writeCookie(COOKIE, wide ? "0" : "1");
    setWide(!wide);
  }, [mobile, wide, key]);
  const close = useCallback(() => setDrawerAt(null), []);
  return { mobile, open: mobile ? drawer : wide, toggle, close };
}
