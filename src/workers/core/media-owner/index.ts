/**
 * Which tab owns the media of a call (docs/calls.md#owner-tab) or conference. Each tab that is asked gets a new epoch, which its messages
 * carry. Messages with another epoch are dropped. An owner that closes is replaced at once by the best tab.
 */
import { AppError } from "../../../shared/errors.ts";
import type { MediaCommand, MediaEvent } from "../../../shared/protocol/media-port.ts";
import type { Claim, CoreEnv, MediaPort, Tabs, Timer } from "../contracts.ts";
import type { CallConfig } from "../calls/config.ts";

type Opened = Extract<MediaEvent, { t: "opened" }>;
type WithoutEpoch<T> = T extends unknown ? Omit<T, "epoch"> : never;
export type OwnerCommand = WithoutEpoch<Exclude<MediaCommand, { t: "own" | "release" | "replay" }>>;
export type OwnRequest = Omit<Extract<MediaCommand, { t: "own" }>, "t" | "epoch">;

export interface OwnerInfo {
  readonly tabId: string;
  readonly epoch: number;
  readonly ready: boolean;
}

export interface OwnerDeps {
  readonly env: Pick<CoreEnv, "clock" | "report">;
  readonly tabs: Tabs;
  readonly config: CallConfig;
  /**
   * Whether the owner needs open devices, as in a call. Otherwise a tab is ready once it holds the lock, and a permission prompt has no
   * deadline.
   */
  readonly needsDevices: boolean;
  /** Builds the request for a tab to open the media; called for each tab. */
  readonly request: () => OwnRequest;
  readonly onChange: (owner: OwnerInfo | null) => void;
  /** A tab was asked and receives commands from now on. */
  readonly onAsked: (epoch: number) => void;
  /** The current owner has opened its devices; only called when they are needed. */
  readonly onOpened?: (event: Opened) => void;
  /** The current owner is ready. */
  readonly onReady?: () => void;
  /** Every other event of the current owner. */
  readonly onEvent: (event: MediaEvent) => void;
  /** No tab could open the media. */
  readonly onFailed: (error: AppError) => void;
  /** There was no tab during the whole grace time. */
  readonly onAbandoned: () => void;
}

export interface Owner {
  readonly info: OwnerInfo | null;
  /** The last epoch. It is kept over calls, so that a late message of an earlier call never matches. */
  readonly epoch: number;
  /** Continues after the last epoch of an earlier core. */
  seed(epoch: number): void;
  /** Chooses a tab (`preferred` if present) and makes it open the media. */
  acquire(preferred?: string): void;
  /** Moves the media to a tab at the person's request. */
  moveTo(tabId: string): void;
  /** Accepts a tab's claim to be the owner, after a restart of the core. */
  adopt(tabId: string, claim: Claim): boolean;
  /** After a restart without a claim: waits for tabs, then chooses one. */
  await(): void;
  /**
   * Tabs queue commands until their devices are open, so that negotiation need not wait for them.
   * @returns false when there is no owner that could receive it
   */
  send(command: OwnerCommand): boolean;
  release(): void;
  /** Stops without informing the tab. */
  stop(): void;
}

export function createOwner(deps: OwnerDeps): Owner {
  const { env, tabs, config } = deps;
  let epoch = 0;
  let info: OwnerInfo | null = null;
  let wanted = false;
  /** Whether a tab has had the media of this call; then a failing tab does not end it while other tabs exist. */
  let opened = false;
  let excluded = new Set<string>();
  let link: MediaPort | null = null;
  let stopEvents: (() => void) | null = null;
  let timer: Timer | null = null;
  let grace: Timer | null = null;
  let moving: (() => void) | null = null;
  /** After a restart the core waits a moment for tabs that claim the media. */
  let awaiting = false;

  const setInfo = (next: OwnerInfo | null): void => {
    info = next;
    deps.onChange(next);
  };
  const clearTimer = (): void => {
    timer?.cancel();
    timer = null;
  };
  const clearGrace = (): void => {
    grace?.cancel();
    grace = null;
  };
  const detach = (): void => {
    stopEvents?.();
    stopEvents = null;
    link = null;
    clearTimer();
  };

  const startGrace = (): void => {
    setInfo(null);
    grace ??= env.clock.after(config.ownerGraceMillis, () => {
      grace = null;
      if (wanted) deps.onAbandoned();
    });
  };

  const give = (error: AppError): void => {
    // The tab may hold the lock although it has no media.
    if (info !== null) link?.send({ t: "release", epoch: info.epoch });
    detach();
    setInfo(null);
    deps.onFailed(error);
  };

  /** `silent`: the tab did not answer, which says nothing about the devices, so another tab may still succeed. */
  const tryNext = (error: AppError, silent = false): void => {
    if (info !== null) excluded.add(info.tabId);
    const next = tabs
      .list()
      .filter((tab) => !excluded.has(tab.tabId) && tabs.media(tab.tabId) !== null)
      .sort((a, b) => Number(b.visible) - Number(a.visible) || b.focusedAt - a.focusedAt)[0];
    if (next === undefined && !(silent && opened)) return give(error);
    if (info !== null) link?.send({ t: "release", epoch: info.epoch });
    detach();
    if (next === undefined) startGrace();
    else elect(next.tabId);
  };

  const isReady = (tabId: string, ownEpoch: number): void => {
    clearTimer();
    excluded = new Set();
    opened = true;
    setInfo({ tabId, epoch: ownEpoch, ready: true });
    deps.onReady?.();
  };

  const attach = (tabId: string, ownEpoch: number, media: MediaPort): void => {
    detach();
    link = media;
    stopEvents = media.onEvent((event) => {
      if (event.epoch !== ownEpoch || info?.epoch !== ownEpoch) return;
      if (event.t === "owned" && !deps.needsDevices) return isReady(tabId, ownEpoch);
      if (event.t === "owned") {
        clearTimer();
        timer = env.clock.after(config.openedTimeoutMillis, () =>
          tryNext(new AppError("media.open-failed")),
        );
        return;
      }
      if (event.t === "opened" && deps.needsDevices) {
        isReady(tabId, ownEpoch);
        deps.onOpened?.(event);
        return;
      }
      if (event.t === "failed" && event.rtcId === undefined) {
        const error = AppError.fromWire(event.error);
        if (opened) tryNext(error);
        else give(error);
        return;
      }
      if (event.t === "released") {
        // The tab released the media without a request: its page went into the back/forward cache.
        detach();
        info = null;
        acquire(tabs.best(tabId)?.tabId);
        return;
      }
      deps.onEvent(event);
    });
  };

  const elect = (tabId: string): void => {
    const media = tabs.media(tabId);
    if (media === null) return tryNext(new AppError("media.open-failed"));
    epoch += 1;
    clearGrace();
    attach(tabId, epoch, media);
    setInfo({ tabId, epoch, ready: false });
    timer = env.clock.after(config.ownedTimeoutMillis, () =>
      tryNext(new AppError("media.open-failed"), true),
    );
    media.send({ t: "own", epoch, ...deps.request() });
    deps.onAsked(epoch);
  };

  const acquire = (preferred?: string): void => {
    wanted = true;
    awaiting = false;
    clearTimer();
    excluded = new Set();
    const there = tabs.list().some((tab) => tab.tabId === preferred);
    const tabId = there && preferred !== undefined ? preferred : tabs.best()?.tabId;
    if (tabId === undefined) {
      detach();
      startGrace();
    } else elect(tabId);
  };

  const armClaimWait = (): void => {
    timer ??= env.clock.after(config.claimWaitMillis, () => {
      timer = null;
      acquire();
    });
  };

  const stopLeave = tabs.onLeave((tabId) => {
    if (!wanted || info?.tabId !== tabId || moving !== null) return;
    detach();
    info = null;
    acquire(tabs.best(tabId)?.tabId);
  });
  const stopJoin = tabs.onJoin((tab, claim) => {
    if (!wanted) return;
    // The tab returned from the back/forward cache without its media and must open them again.
    if (info?.tabId === tab.tabId && claim === null && moving === null) acquire(tab.tabId);
    if (info !== null) return;
    if (awaiting) armClaimWait();
    else if (grace !== null) acquire();
  });

  const release = (): void => {
    moving?.();
    wanted = false;
    opened = false;
    awaiting = false;
    clearGrace();
    const old = info;
    if (old !== null) link?.send({ t: "release", epoch: old.epoch });
    detach();
    if (old !== null) setInfo(null);
  };

  return {
    get info() {
      return info;
    },
    get epoch() {
      return epoch;
    },
    seed(value) {
      epoch = Math.max(epoch, value);
    },
    acquire,
    moveTo(tabId) {
      if (!wanted || info?.tabId === tabId || moving !== null) return;
      if (!tabs.list().some((tab) => tab.tabId === tabId)) return;
      const old = info;
      const oldLink = link;
      if (old === null || oldLink === null) return acquire(tabId);
      detach();
      setInfo({ ...old, ready: false });
      const stopWaiting = oldLink.onEvent((event) => {
        if (event.t === "released" && event.epoch === old.epoch) go();
      });
      const stopOldLeaves = tabs.onLeave((left) => {
        if (left === old.tabId) go();
      });
      const waiting = env.clock.after(config.releasedTimeoutMillis, () => go());
      const end = (): void => {
        moving = null;
        stopWaiting();
        stopOldLeaves();
        waiting.cancel();
      };
      const go = (): void => {
        if (moving === null) return;
        end();
        acquire(tabId);
      };
      moving = end;
      oldLink.send({ t: "release", epoch: old.epoch });
    },
    adopt(tabId, claim) {
      const media = tabs.media(tabId);
      if (media === null || claim.ownerEpoch < epoch) return false;
      wanted = true;
      opened = true;
      awaiting = false;
      epoch = claim.ownerEpoch;
      clearGrace();
      attach(tabId, epoch, media);
      setInfo({ tabId, epoch, ready: false });
      const wait = deps.needsDevices ? config.openedTimeoutMillis : config.ownedTimeoutMillis;
      timer = env.clock.after(wait, () => tryNext(new AppError("media.open-failed"), true));
      // The tab sent its first events before this listener existed.
      media.send({ t: "replay", epoch });
      return true;
    },
    await() {
      wanted = true;
      opened = true;
      awaiting = true;
      startGrace();
      if (tabs.list().length > 0) armClaimWait();
    },
    send(command) {
      if (info === null || link === null) return false;
      link.send({ ...command, epoch: info.epoch });
      return true;
    },
    release,
    stop() {
      // The tab keeps the media, and the next core finds the tab by its claim.
      moving?.();
      wanted = false;
      clearGrace();
      detach();
      stopLeave();
      stopJoin();
    },
  };
}
