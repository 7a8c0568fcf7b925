/**
 * The question whether to log in again (docs/session.md#expired-login). Only the tab that the person looks at shows it.
 * During a call or conference the question waits, because a login would end it.
 */
import type { Clock, Store, TabInfo, Timer } from "../contracts.ts";

/** ms between two checks of tabs and calls while the question is open. */
const LOOK_MS = 500;
/** ms after a dismissal during which another 401 does not ask again. */
const QUIET_MS = 60_000;

export interface ExpiredQuestion {
  /** The platform no longer accepts the login. Asks, unless the question is open or was answered a moment ago. */
  raise(): void;
  /** The person stays on the page. */
  dismiss(): void;
  /** The platform accepted a request: hide the bar that remained after a dismissal. */
  accepted(): void;
  /** Another person logged in, or the person logged out: removes the question. */
  clear(): void;
  stop(): void;
}

export function createExpiredQuestion(deps: {
  readonly clock: Clock;
  readonly store: Store;
  /** Sorted: the tab that the person looks at comes first. */
  readonly tabs: () => readonly TabInfo[];
  /** A call or conference is running. */
  readonly busy: () => boolean;
}): ExpiredQuestion {
  const { clock, store } = deps;
  let timer: Timer | null = null;
  let dismissedAt: number | null = null;

  const put = (tabId: string | null, dismissed: boolean): void => {
    const now = store.get("session").expired;
    if (now !== null && now.tabId === tabId && now.dismissed === dismissed) return;
    store.set(["session", "expired"], { tabId, dismissed });
    store.flush();
  };
  const choose = (): string | null => {
    if (deps.busy()) return null;
    const tabs = deps.tabs();
    const shown = store.get("session").expired?.tabId ?? null;
    const current = tabs.find((tab) => tab.tabId === shown);
    const first = tabs[0] ?? null;
    const stays = current !== undefined && (current.visible || first?.visible !== true);
    return stays ? current.tabId : (first?.tabId ?? null);
  };
  const stop = (): void => {
    timer?.cancel();
    timer = null;
  };
  const takeAway = (): void => {
    store.set(["session", "expired"], null);
    store.flush();
  };
  const look = (): void => {
    timer = null;
    const { expired } = store.get("session");
    if (expired === null || expired.dismissed) return;
    put(choose(), false);
    timer = clock.after(LOOK_MS, look);
  };

  return {
    raise() {
      const { expired } = store.get("session");
      if (expired !== null && !expired.dismissed) return;
      if (dismissedAt !== null && clock.now() - dismissedAt < QUIET_MS) return;
      stop();
      put(choose(), false);
      timer = clock.after(LOOK_MS, look);
    },
    dismiss() {
      if (store.get("session").expired === null) return;
      dismissedAt = clock.now();
      stop();
      put(null, true);
    },
    accepted() {
      if (store.get("session").expired?.dismissed === true) takeAway();
    },
    clear() {
      stop();
      dismissedAt = null;
      if (store.get("session").expired !== null) takeAway();
    },
    stop,
  };
}
