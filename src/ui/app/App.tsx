/** The console's frame: language of the components, states of the link to the core, routes, and the call above them all. */
import { ConfigProvider } from "@arco-design/web-react";
import zhCN from "@arco-design/web-react/es/locale/zh-CN";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CallFallback } from "../features/call/CallFallback.tsx";
import { CallLayer, useCallIsModal } from "../features/call/CallLayer.tsx";
import { ConferenceLayer } from "../features/conference/ConferenceLayer.tsx";
import { closeDialogs } from "../state/dialogs.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { LinkBanner, LinkGate } from "./LinkState.tsx";
import { Notices } from "./Notices.tsx";
import { ProgressProvider } from "./Progress.tsx";
import { AppRoutes } from "./AppRoutes.tsx";

type Locale = typeof zhCN;

function useArcoLocale(): Locale {
  const { i18n } = useTranslation();
  const [english, setEnglish] = useState<Locale | null>(null);
  useEffect(() => {
    if (i18n.language !== "en" || english !== null) return;
    void import("@arco-design/web-react/es/locale/en-US").then((m) => setEnglish(m.default));
  }, [i18n.language, english]);
  return i18n.language === "en" && english !== null ? english : zhCN;
}

export function App() {
  return (
    <ConfigProvider locale={useArcoLocale()}>
      <ErrorBoundary>
        <ProgressProvider>
          <LinkGate>
            <Frame />
            <ErrorBoundary fallback={CallFallback}>
              <CallLayer />
            </ErrorBoundary>
          </LinkGate>
          <Notices />
        </ProgressProvider>
      </ErrorBoundary>
    </ConfigProvider>
  );
}

/** All beneath the call: out of reach while the call takes the page. */
function Frame() {
  const modal = useCallIsModal();
  const focused = useRef<HTMLElement | null>(null);
  // what lies beneath gets its focus back when the call lets go of the page
  useEffect(() => {
    if (modal) {
      closeDialogs();
      return;
    }
    const element = focused.current;
    if (element?.isConnected === true) element.focus({ preventScroll: true });
  }, [modal]);
  return (
    <div
      className="app-frame"
      inert={modal}
      onFocus={(event) => {
        focused.current = event.target;
      }}
    >
      <LinkBanner />
      <AppRoutes />
      <ConferenceLayer />
    </div>
  );
}
