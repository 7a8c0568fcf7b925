/** The root of the console: state of the connection to the core, routes, and the call window above them. */
import { useEffect, useRef, useState } from "react";
import { CallWindowProvider, useCallWindow } from "../features/call-parts/call-window.tsx";
import { ConferenceLayer } from "../features/conference/ConferenceLayer.tsx";
import { Lockable } from "../features/lock/Lockable.tsx";
import { useGroupCallWindow } from "../features/group-call/window.ts";
import { useSessionCookies } from "../state/cookies.ts";
import { closeDialogs } from "../state/dialogs.ts";
import { useAccount } from "../state/services.ts";
import { ErrorBoundary } from "../features/fallback/ErrorBoundary.tsx";
import { CoreBanner } from "../components/CoreBanner.tsx";
import { CoreGate } from "./CoreState.tsx";
import { Notices } from "./Notices.tsx";
import { ProgressProvider } from "../loading/Progress.tsx";
import { AppRoutes } from "./AppRoutes.tsx";
import { lazyPart } from "../loading/lazy-part.tsx";
import { Part } from "../components/Part.tsx";

export function App() {
  return (
    <ErrorBoundary>
      <ProgressProvider>
        <CoreGate>
          <CallWindowProvider>
            <Cookies />
            <Lockable>
              <Frame />
            </Lockable>
            <Calls />
          </CallWindowProvider>
        </CoreGate>
        <Notices />
      </ProgressProvider>
    </ErrorBoundary>
  );
}

const CallLayers = lazyPart(() => import("../features/call/CallLayers.tsx"));

/** Stays mounted after a logout, which itself ends the calls. */
function Calls() {
  const account = useAccount();
  const [needed, setNeeded] = useState(false);
  if (account !== null && !needed) setNeeded(true);
  if (!needed) return null;
  return (
    <Part>
      <CallLayers />
    </Part>
  );
}

/** Outside of what the lock hides: the cookies follow the token all the time. */
function Cookies() {
  useSessionCookies();
  return null;
}

/** Everything below the call window; inert while the call fills the page. */
function Frame() {
  const call = useCallWindow();
  const groupCall = useGroupCallWindow();
  const modal = call.modal || groupCall.modal;
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
