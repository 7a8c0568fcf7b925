/** The root of the console: language of the components, state of the link to the core, routes, and the call window above them. */
import { ConfigProvider } from "@arco-design/web-react";
import zhCN from "@arco-design/web-react/es/locale/zh-CN";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CallFallback } from "../features/call/CallFallback.tsx";
import { CallLayer } from "../features/call/CallLayer.tsx";
import { CallWindowProvider, useCallWindow } from "../features/call/call-window.tsx";
import { ConferenceLayer } from "../features/conference/ConferenceLayer.tsx";
import { useSessionCookies } from "../state/cookies.ts";
import { closeDialogs } from "../state/dialogs.ts";
import { useSize } from "../state/services.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { CoreBanner, CoreGate } from "./CoreState.tsx";
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

/** Arco's name of each size. */
const ARCO_SIZES = { medium: "default", small: "small", mini: "mini" } as const;

export function App() {
  const [size] = useSize();
  return (
    <ConfigProvider locale={useArcoLocale()} size={ARCO_SIZES[size]}>
      <ErrorBoundary>
        <ProgressProvider>
          <CoreGate>
            <CallWindowProvider>
              <Frame />
              <ErrorBoundary fallback={CallFallback}>
                <CallLayer />
              </ErrorBoundary>
            </CallWindowProvider>
          </CoreGate>
          <Notices />
        </ProgressProvider>
      </ErrorBoundary>
    </ConfigProvider>
  );
}

/** Everything below the call window; inert while the call fills the page. */
function Frame() {
  useSessionCookies();
  const { modal } = useCallWindow();
  const focused = useRef<HTMLElement | null>(null);
  // Give the focus back to the page when the call window no longer covers it.
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
      <CoreBanner />
      <AppRoutes />
      <ConferenceLayer />
    </div>
  );
}
