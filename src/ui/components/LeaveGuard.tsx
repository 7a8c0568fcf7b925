/**
 * Asks before a person leaves a page with input that would be lost. Links, menus, tags and the search all move by the router, so the
 * question stands in one place in front of it. What the console does by itself (`replace`: a login that ends) is never held up.
 * The page brings its question along, because the frame waits for this file and needs no dialogs.
 */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { UNSAFE_NavigationContext as NavigationContext } from "react-router-dom";

/** Asks the person, and calls `go` if the page may be left. */
export type AskToLeave = (go: () => void) => void;

/** The question of the page that is shown. */
interface Holder {
  /** null: none. */
  asks(): AskToLeave | null;
  /** @returns a function that takes the question away */
  hold(asks: AskToLeave): () => void;
}
function createHolder(): Holder {
  let held: AskToLeave | null = null;
  return {
    asks: () => held,
    hold(asks) {
      held = asks;
      return () => {
        if (held === asks) held = null;
      };
    },
  };
}
const HolderContext = createContext<Holder>(createHolder());

/** Stands inside the router and around everything by which a person navigates. */
export function LeaveGuard({ children }: { readonly children: ReactNode }) {
  const [holder] = useState(createHolder);
  const router = useContext(NavigationContext);
  const guarded = useMemo(() => {
    const { navigator } = router;
    const push: typeof navigator.push = (to, state, options) => {
      const go = (): void => navigator.push(to, state, options);
      const asks = holder.asks();
      if (asks === null) go();
      else asks(go);
    };
    return { ...router, navigator: { ...navigator, push } };
  }, [router, holder]);
  return (
    <HolderContext value={holder}>
      <NavigationContext value={guarded}>{children}</NavigationContext>
    </HolderContext>
  );
}

/** While a question is given, the person must answer it before the page is left. @param asks stays the same between renders */
export function useLeaveGuard(asks: AskToLeave | null): void {
  const holder = useContext(HolderContext);
  useEffect(() => (asks === null ? undefined : holder.hold(asks)), [holder, asks]);
}
