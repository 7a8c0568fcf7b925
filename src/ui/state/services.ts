/** What every component may ask for: the core's client, the media half, the theme. Nothing else is global. */
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
import type { CoreClient, CoreLink } from "../core-client/contracts.ts";
import type { Sending, WaitingMessage } from "./sending.ts";
import type { Size, SizeStore } from "./size.ts";
import type { Theme, ThemeStore } from "./theme.ts";

export interface Services {
  readonly core: CoreClient;
  readonly media: MediaHost;
  readonly theme: ThemeStore;
  readonly sending: Sending;
  readonly size: SizeStore;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error("ServicesContext is missing");
  return services;
}

export const useCore = (): CoreClient => useServices().core;

/** A slice as it is now; renders again when a part that was read changes. */
export function useSlice<S extends SliceName>(name: S): Snapshot<Slices[S]> {
  return useSnapshot(useCore().state[name]);
}

/**
 * A slice as plain frozen data, renewed with any change of it. What did not change keeps its identity, so parts of it are good
 * dependencies of useMemo; the tracked objects of useSlice are not (what a memo read is not read again).
 */
export function useFrozenSlice<S extends SliceName>(name: S): Snapshot<Slices[S]> {
  const slice = useCore().state[name];
  return useSyncExternalStore(
    useCallback((handler: () => void) => subscribe(slice, handler), [slice]),
    () => snapshot(slice),
  );
}

/**
 * The value while it is live, else the last one that was. A core that is started anew says nothing of the person until it has read
 * what was kept: what is shown stays meanwhile.
 */
export function useHeld<T>(value: T, live: boolean): T {
  const [held, setHeld] = useState(value);
  if (live && held !== value) setHeld(value);
  return live ? value : held;
}

/** Account of the person, also while a core that starts has not said it yet; null when logged out. */
export function useAccount(): string | null {
  const { status, accountId } = useSlice("session");
  return useHeld(accountId, status !== "restoring");
}

/** Messages to this person that the core has not taken yet, oldest first. */
export function useWaiting(chatId: string): readonly Snapshot<WaitingMessage>[] {
  const { waiting } = useSnapshot(useServices().sending.state);
  return waiting.filter((message) => message.chatId === chatId);
}

/** What keeps the page from going on; the core's own absence goes before all else, since only it knows the rest. */
export function useOutage(): "core" | "offline" | "down" | null {
  const link = useLink();
  const { state } = useSlice("reach");
  if (link.state !== "ready") return "core";
  return state === "up" ? null : state;
}

export const useLink = (): Snapshot<CoreLink> => useSnapshot(useCore().link);

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

export function useSize(): readonly [Size, (size: Size) => void] {
  const { size } = useServices();
  const now = useSyncExternalStore(
    (handler) => size.subscribe(handler),
    () => size.get(),
  );
  return [now, (next) => size.set(next)];
}

/**
 * The wall clock, renewed every `every` ms.
 *
 * @param phase ms since the epoch of an instant that ticks fall on, so that all tabs turn over together
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

/** Whether this tab is looked at. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(
    (handler) => {
      document.addEventListener("visibilitychange", handler);
      return () => document.removeEventListener("visibilitychange", handler);
    },
    () => document.visibilityState === "visible",
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
