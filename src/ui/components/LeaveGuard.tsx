/**
 * Asks before a person leaves a page with input that would be lost. Links, menus, tags and the search all move by the router, so the
 * question stands in one place in front of it. What the console does by itself (`replace`: a login that ends) is never held up.
 */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { UNSAFE_NavigationContext as NavigationContext } from "react-router-dom";
import { texts, useTexts } from "../i18n/texts.ts";
import { ask } from "../state/ask.ts";

const TEXTS = texts({
  leave: ["离开", "Leave"],
  stay: ["留在本页", "Stay"],
});

/** The question of the page that is shown; null: none. */
interface Holder {
  question: string | null;
}
const HolderContext = createContext<Holder>({ question: null });

/** Stands inside the router and around everything that navigates. */
export function LeaveGuard({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const [holder] = useState<Holder>(() => ({ question: null }));
  const router = useContext(NavigationContext);
  const guarded = useMemo(() => {
    const { navigator } = router;
    const push: typeof navigator.push = (to, state, options) => {
      const go = (): void => navigator.push(to, state, options);
      if (holder.question === null) {
        go();
        return;
      }
      ask({
        title: t("common.hint"),
        content: holder.question,
        okText: text("leave"),
        cancelText: text("stay"),
        onOk: go,
      });
    };
    return { ...router, navigator: { ...navigator, push } };
  }, [router, holder, t, text]);
  return (
    <HolderContext value={holder}>
      <NavigationContext value={guarded}>{children}</NavigationContext>
    </HolderContext>
  );
}

/** While a question is given, the person must answer it before the page is left. */
export function useLeaveQuestion(question: string | null): void {
  const holder = useContext(HolderContext);
  useEffect(() => {
    if (question === null) return undefined;
    holder.question = question;
    return () => {
      holder.question = null;
    };
  }, [holder, question]);
}
