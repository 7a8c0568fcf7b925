/** What every component can use: the core's client, the media code, the theme. Nothing else is global. */
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { snapshot, subscribe, type Snapshot, useSnapshot } from "valtio";
import type { MediaHost, MediaHostState } from "../../rtc-main/index.ts";
import type { SliceName, Slices } from "../../shared/protocol/state.ts";
import type { CoreClient, CoreState } from "../../core-client/contracts.ts";
import type { Appearance, AppearanceStore, Side } from "./appearance.ts";
import type { Downloads } from "./downloads.ts";
import type { Sending, WaitingMessage } from "./sending.ts";
import type { Size, SizeStore } from "./size.ts";
import type { Theme, ThemeStore } from "./theme.ts";

export interface Services {
  readonly core: CoreClient;
  readonly media: MediaHost;
  readonly theme: ThemeStore;
  readonly sending: Sending;
  readonly downloads: Downloads;
  readonly size: SizeStore;
  readonly appearance: AppearanceStore;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error("ServicesContext is missing");
  return services;
}

export const useCore = (): CoreClient => useServices().core;
export const useDownloads = (): Downloads => useServices().downloads;

/** The current value of a slice; renders again when a part that was read changes. */
export function useSlice<S extends SliceName>(name: S): Snapshot<Slices[S]> {
  return useSnapshot(useCore().state[name]);
}

/**
 * A slice as plain frozen data; renders again with any change of it. Unchanged parts keep their identity, so they are safe
 * dependencies of useMemo. The tracked objects of useSlice are not: a memo that does not run again does not read them again.
 */
export function useFrozenSlice<S extends SliceName>(name: S): Snapshot<Slices[S]> {
  const slice = useCore().state[name];
  const read = (): Snapshot<Slices[S]> => snapshot(slice);
  return useSyncExternalStore(
    useCallback((handler: () => void) => subscribe(slice, handler), [slice]),
    read,
    read,
  );
}

/**
 * The value while `live`, else the last live value. A restarted core knows nothing about the person until it has read its storage;
 * the page keeps showing the last value until then.
 */
export function useHeld<T>(value: T, live: boolean): T {
  const [held, setHeld] = useState(value);
  if (live && held !== value) setHeld(value);
  return live ? value : held;
}

/** The person's account, also while a restarting core does not know it yet; null when logged out. */
export function useAccount(): string | null {
  const { status, accountId } = useSlice("session");
  return useHeld(accountId, status !== "restoring");
}

/** Whether the person has locked the console (docs/session.md#lock). A restarting core must not open it for a moment. */
export function useLocked(): boolean {
  const { status, locked } = useSlice("session");
  return useHeld(locked, status !== "restoring");
}

/** Messages of this conversation that the core has not taken yet, oldest first. */
export function useWaiting(chatId: string): readonly Snapshot<WaitingMessage>[] {
  const { waiting } = useSnapshot(useServices().sending.state);
  return waiting.filter((message) => message.chatId === chatId);
}

/** The current outage. A missing core comes first, because only the core knows the state of network and server. */
export function useOutage(): "core" | "offline" | "down" | "intercepted" | null {
  const coreState = useCoreState();
  const { state } = useSlice("reach");
  if (coreState.state !== "ready") return coreState.unreachable ? "down" : "core";
  return state === "up" ? null : state;
}

/** Whether a call or conference is under way in any tab. */
export function useInCall(): boolean {
  const statuses = [
    useSlice("call").status,
    useSlice("groupCall").status,
    useSlice("conference").status,
  ];
  return statuses.some((status) => status !== "idle");
}

/** Reloads the page for the build that the server has now (docs/shell.md#deployments). Input that is not kept makes the browser ask first. */
export function renew(): void {
  const { dataset } = document.documentElement;
  dataset["renewing"] = "";
  location.reload();
  // The person may choose to stay.
  setTimeout(() => delete dataset["renewing"], 1_000);
}

/** Whether that reload waits for the end of a call (shared/domain/renewal.ts). Without a core the call cannot go on for long. */
export function useRenewalHeld(): boolean {
  const inCall = useInCall();
  return useCoreState().state === "ready" && inCall;
}

export const useCoreState = (): Snapshot<CoreState> => useSnapshot(useCore().connection);

export function useMediaState(): MediaHostState {
  const { media } = useServices();
  return useSyncExternalStore(
    (handler) => media.subscribe(handler),
    () => media.getState(),
  );
}

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const { theme } = useServices();
  const now = useSyncExternalStore(
    (handler) => theme.subscribe(handler),
    () => theme.get(),
  );
  return [now, (next) => theme.set(next)];
}

export function useAppearance(): readonly [Appearance, (part: Partial<Appearance>) => void] {
  const { appearance } = useServices();
  const now = useSyncExternalStore(
    (handler) => appearance.subscribe(handler),
    () => appearance.get(),
  );
  return [now, (part) => appearance.set(part)];
}

export function useSize(): readonly [Size, (size: Size) => void] {
  const { size } = useServices();
  const now = useSyncExternalStore(
    (handler) => size.subscribe(handler),
    () => size.get(),
  );
  return [now, (next) => size.set(next)];
}

/**
 * ms since the epoch by the server's clock, for what is compared with times of the server (docs/session.md#clocks). The machine's clock may
 * be days off.
 */
export const serverNow = (core: Pick<CoreClient, "state">): number =>
  Date.now() + core.state.session.serverTimeOffset;

/** The server's clock, updated every `every` ms. */
export function useServerNow(every = 1000): number {
  const { serverTimeOffset } = useSlice("session");
  return useNow(every) + serverTimeOffset;
}

/**
 * The wall clock of this machine, updated every `every` ms: for what this browser noted.
 *
 * @param phase ms since the epoch of one update, so that all tabs update at the same moment
 */
export function useNow(every = 1000, phase = 0): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = (): void => {
      const at = Date.now();
      setNow(at);
      const past = (((at - phase) % every) + every) % every;
      timer = setTimeout(tick, every - past + 2);
    };
    tick();
    return () => clearTimeout(timer);
  }, [every, phase]);
  return now;
}

/** The ground of the sidebar in the light theme: what the person chose, else what the company asks for. */
export function useSide(): Side {
  const { appearance } = useServices();
  return useSyncExternalStore(
    (handler) => appearance.subscribe(handler),
    () => appearance.side(),
  );
}

/** Whether the page is visible. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(
    (handler) => {
      document.addEventListener("visibilitychange", handler);
      return () => document.removeEventListener("visibilitychange", handler);
    },
    () => document.visibilityState === "visible",
  );
}

/** Whether the page has the focus: the person works in this window, not in another beside it. */
export function usePageFocused(): boolean {
  return useSyncExternalStore(
    (handler) => {
      addEventListener("focus", handler);
      addEventListener("blur", handler);
      return () => {
        removeEventListener("focus", handler);
        removeEventListener("blur", handler);
      };
    },
    () => document.hasFocus(),
  );
}

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (handler) => {
      const media = matchMedia(query);
      media.addEventListener("change", handler);
      return () => media.removeEventListener("change", handler);
    },
    () => matchMedia(query).matches,
  );
}
