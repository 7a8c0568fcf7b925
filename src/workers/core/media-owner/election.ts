/** Asks one tab after another for the media until one has them, and waits for tabs while there is none. */
import { AppError } from "../../../shared/errors.ts";
import type { MediaPort } from "../contracts.ts";
import { createRestartableTimer } from "../restartable-timer.ts";
import type { Opened, OwnerDeps, OwnerInfo } from "./contracts.ts";
import type { OwnerPort } from "./owner-port.ts";
import { forgetFailures, heard, nextTab, type OwnerState, want } from "./owner-state.ts";

export interface Election {
  /** No tab has been there for a while, and the grace time runs. */
  readonly inGrace: boolean;
  /** Chooses a tab (`preferred` if present) and asks it for the media. */
  acquire(preferred?: string): void;
  /** Continues with a tab that has kept the media of this epoch since an earlier core. */
  adopt(tabId: string, port: MediaPort): void;
  /** Continues with a tab that has opened its devices beside the former owner's. */
  succeed(tabId: string, port: MediaPort, event: Opened): void;
  /** A tab joined. It is asked at once where the asked one has kept silent so far. */
  offer(tabId: string): void;
  /** Waits for tabs; without one the call ends after the grace time. */
  awaitTabs(): void;
  /** Chooses a tab after the time in which tabs claim the media. */
  awaitClaims(): void;
  /** Stops listening to the owner. */
  detach(): void;
  show(info: OwnerInfo | null): void;
  /** Ends the grace time. */
  endGrace(): void;
}

const openFailed = (): AppError => new AppError("media.open-failed");

export function createElection(deps: OwnerDeps, owner: OwnerState, ownerPort: OwnerPort): Election {
  const { env, tabs, config } = deps;
  /** How long the asked tab may take, or how long tabs may claim the media. */
  const deadline = createRestartableTimer(env.clock);
  const grace = createRestartableTimer(env.clock);
  /** When the media were last asked for. */
  let wantedAt = -Infinity;

  function show(info: OwnerInfo | null): void {
    owner.info = info;
    deps.onChange(info);
  }
  function detach(): void {
    ownerPort.detach();
    deadline.cancel();
  }
  function awaitTabs(): void {
    show(null);
    if (grace.pending) return;
    grace.start(config.ownerGraceMillis, () => {
      if (owner.wanted) deps.onAbandoned();
    });
  }

  function giveUp(error: AppError): void {
    // The tab may hold the lock although it has no media.
    ownerPort.send({ t: "release" });
    detach();
    show(null);
    deps.onFailed(error);
  }
  function tryNext(error: AppError): void {
    if (owner.info !== null) owner.failed.add(owner.info.tabId);
    const next = nextTab(owner, tabs);
    if (next === undefined) return giveUp(error);
    moveTo(next);
  }
  function moveTo(tabId: string): void {
    ownerPort.send({ t: "release" });
    detach();
    ask(tabId);
  }
  /**
   * The tab did not answer, which says nothing about its devices: its thread may be busy. Another tab is asked; when all were, each of them
   * gets more time.
   */
  function passOver(): void {
    const present = owner.info?.tabId;
    if (present !== undefined) owner.silent.add(present);
    let next = nextTab(owner, tabs);
    if (next === undefined && timeLeft() > 0) {
      owner.silent.clear();
      owner.silentRounds += 1;
      next = nextTab(owner, tabs);
    }
    if (next === undefined) {
      if (!owner.opened) return giveUp(openFailed());
      ownerPort.send({ t: "release" });
      detach();
      return awaitTabs();
    }
    // It may answer at any moment. Another request would make it begin again.
    if (next === present) awaitAnswer();
    else moveTo(next);
  }
  const awaitAnswer = (): void => {
    const millis = config.ownedTimeoutMillis * 2 ** owner.silentRounds;
    const most = Math.max(0, Math.min(config.openedTimeoutMillis, timeLeft()));
    deadline.start(Math.min(millis, most), passOver);
  };
  /** ms until a call without an answer ends. */
  const timeLeft = (): number =>
    deps.needsDevices ? wantedAt + config.unansweredMillis - env.clock.now() : Infinity;

  function ready(tabId: string, epoch: number): void {
    deadline.cancel();
    forgetFailures(owner);
    owner.opened = true;
    show({ tabId, epoch, ready: true });
    deps.onReady?.();
  }
  function opened(tabId: string, event: Opened): void {
    if (!deps.needsDevices) return deps.onEvent(event);
    ready(tabId, event.epoch);
    deps.onOpened?.(event);
  }
  function attach(tabId: string, epoch: number, port: MediaPort): void {
    detach();
    ownerPort.attach(port, epoch, {
      owned() {
        heard(owner);
        if (!deps.needsDevices) ready(tabId, epoch);
        // A successor has its devices before it has the lock.
        else if (owner.info?.ready !== true)
          deadline.start(config.openedTimeoutMillis, () => tryNext(openFailed()));
      },
      opened: (event) => opened(tabId, event),
      failed: (error) => (owner.opened ? tryNext(error) : giveUp(error)),
      released() {
        detach();
        owner.info = null;
        acquire(tabs.best(tabId)?.tabId);
      },
      other: deps.onEvent,
    });
    show({ tabId, epoch, ready: false });
  }

  function ask(tabId: string): void {
    const port = tabs.media(tabId);
    if (port === null) return tryNext(openFailed());
    owner.epoch = deps.nextEpoch(Math.max(owner.epoch, owner.tried));
    const { epoch } = owner;
    grace.cancel();
    attach(tabId, epoch, port);
    awaitAnswer();
    port.send({ t: "own", epoch, ...deps.request(tabId) });
    deps.onAsked(epoch);
  }
  function acquire(preferred?: string): void {
    want(owner);
    wantedAt = env.clock.now();
    deadline.cancel();
    const there = tabs.list().some((tab) => tab.tabId === preferred);
    const tabId = there && preferred !== undefined ? preferred : tabs.best()?.tabId;
    if (tabId === undefined) {
      detach();
      awaitTabs();
    } else ask(tabId);
  }

  return {
    get inGrace() {
      return grace.pending;
    },
    acquire,
    adopt(tabId, port) {
      grace.cancel();
      wantedAt = env.clock.now();
      attach(tabId, owner.epoch, port);
      const wait = deps.needsDevices ? config.openedTimeoutMillis : config.ownedTimeoutMillis;
      deadline.start(wait, passOver);
      // The tab sent its first events before this listener existed.
      ownerPort.send({ t: "replay" });
    },
    succeed(tabId, port, event) {
      owner.epoch = event.epoch;
      attach(tabId, event.epoch, port);
      opened(tabId, event);
    },
    offer(tabId) {
      const { info, silentRounds } = owner;
      if (info?.ready === false && info.tabId !== tabId && silentRounds > 0) moveTo(tabId);
    },
    awaitTabs,
    awaitClaims() {
      if (!deadline.pending) deadline.start(config.claimWaitMillis, () => acquire());
    },
    detach,
    show,
    endGrace: grace.cancel,
  };
}
