/**
 * Which tab holds the media of the call (docs/calls.md#owner-tab). Every tab that is asked gets a new epoch, which all its
 * messages bear; whatever comes with another epoch is dropped. A tab that goes is replaced at once by the best one there is.
 */
import { AppError } from "../../../shared/errors.ts";
import type { MediaCommand, MediaEvent } from "../../../shared/protocol/media-port.ts";
import type { Claim, CoreEnv, MediaLink, Tabs, Timer } from "../contracts.ts";
import type { CallConfig } from "./config.ts";

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
  /** Whether a tab without devices is of no use, as in a call. Otherwise it is ready once it holds the lock, and no prompt has a deadline. */
  readonly needsDevices: boolean;
  /** What a tab is told when it is to open the media: asked anew for each tab. */
  readonly request: () => OwnRequest;
  readonly onChange: (owner: OwnerInfo | null) => void;
  /** A tab was asked: from now on it hears what is sent. */
  readonly onAsked: (epoch: number) => void;
  /** The devices of the present owner are open; only where they are needed. */
  readonly onOpened?: (event: Opened) => void;
  /** The present owner is ready. */
  readonly onReady?: () => void;
  /** Everything else of the present owner. */
  readonly onEvent: (event: MediaEvent) => void;
  /** No tab could open the media. */
  readonly onFailed: (error: AppError) => void;
  /** No tab at all for the grace time. */
  readonly onAbandoned: () => void;
}

export interface Owner {
  readonly info: OwnerInfo | null;
  /** The last epoch given out; kept over calls, so that a late message of an earlier one never fits. */
  readonly epoch: number;
  /** Starts from an epoch that an earlier core gave out. */
  seed(epoch: number): void;
  /** Elects a tab (the named one when it is there) and makes it open the media. */
  acquire(preferred?: string): void;
  /** Moves the media on purpose. */
  moveTo(tabId: string): void;
  /** Takes a tab for the owner that says it is, after a restart of the core. */
  adopt(tabId: string, claim: Claim): boolean;
  /** After a restart without a claim: waits for tabs, then elects. */
  await(): void;
  /**
   * A tab keeps what comes before its devices are open, so that a connection need not wait for them.
   * @returns false when there is no owner that could hear it
   */
  send(command: OwnerCommand): boolean;
  release(): void;
  /** Lets go without a word to the tab. */
  stop(): void;
}

export function createOwner(deps: OwnerDeps): Owner {
  const { env, tabs, config } = deps;
  let epoch = 0;
  let info: OwnerInfo | null = null;
  let wanted = false;
  /** Whether some tab has had the media of this call: then a failing tab is no reason to end it while others are there. */
  let opened = false;
  let excluded = new Set<string>();
  let link: MediaLink | null = null;
  let stopEvents: (() => void) | null = null;
  let timer: Timer | null = null;
  let grace: Timer | null = null;
  let moving: (() => void) | null = null;
  /** A restarted core gives tabs a moment to say that they carry the media already. */
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
    // it may hold the lock though it has no media
    if (info !== null) link?.send({ t: "release", epoch: info.epoch });
    detach();
    setInfo(null);
    deps.onFailed(error);
  };

  /** `silent`: the tab did not answer, which says nothing of the devices; a tab may yet come that does. */
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

  const attach = (tabId: string, ownEpoch: number, media: MediaLink): void => {
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
        // unasked: the page went into the back/forward cache
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
    // back from the back/forward cache without the media it had: it opens them anew
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
      // what it said when it came was said before anybody listened
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
      // the tab keeps the media: the next core finds it by its claim
      moving?.();
      wanted = false;
      clearGrace();
      detach();
      stopLeave();
      stopJoin();
    },
  };
}
