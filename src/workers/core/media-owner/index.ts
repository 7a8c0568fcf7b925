/**
 * Which tab owns the media of a call (docs/calls.md#owner-tab) or conference. Each tab that is asked gets a new epoch, which its messages
 * carry. Messages with another epoch are dropped. An owner that closes is replaced at once by the best tab.
 */
import type { Owner, OwnerDeps } from "./contracts.ts";
import { createElection } from "./election.ts";
import { createHandOver } from "./hand-over.ts";
import { createOwnerPort } from "./owner-port.ts";
import { createSuccession } from "./successor.ts";
import { newOwnerState, wantAgain, wantNothing } from "./owner-state.ts";

export function createOwner(deps: OwnerDeps): Owner {
  const { env, tabs, config } = deps;
  const owner = newOwnerState();
  const ownerPort = createOwnerPort();
  const election = createElection(deps, owner, ownerPort);
  const handOver = createHandOver({
    clock: env.clock,
    tabs,
    timeoutMillis: config.releasedTimeoutMillis,
  });

  const succession =
    deps.successor === undefined
      ? null
      : createSuccession({
          clock: env.clock,
          tabs,
          timeoutMillis: {
            opened: config.openedTimeoutMillis,
            carries: config.carriesTimeoutMillis,
          },
          media: deps.successor,
          onFailed: (error) => deps.onSuccessionFailed?.(error),
          toOwner: ownerPort.send,
        });
  /** The successor becomes the owner, and the owner before it gives the media back. */
  const succeed = (tabId: string): void => {
    const port = tabs.media(tabId);
    const info = owner.info;
    if (succession === null || port === null || info === null) return;
    owner.tried = deps.nextEpoch(Math.max(owner.epoch, owner.tried));
    deps.onTakeover?.();
    succession.begin({ tabId, epoch: owner.tried, port }, deps.request(tabId), (event) => {
      ownerPort.send({ t: "release" });
      election.succeed(tabId, port, event);
    });
  };

  const stopLeave = tabs.onLeave((tabId) => {
    if (!owner.wanted || owner.info?.tabId !== tabId || handOver.running) return;
    if (tabs.best(tabId) !== null) deps.onTakeover?.();
    if (succession?.promote() === true) return;
    succession?.cancel();
    election.detach();
    owner.info = null;
    election.acquire(tabs.best(tabId)?.tabId);
  });
  const stopJoin = tabs.onJoin(({ tabId }, claim) => {
    if (!owner.wanted) return;
    const returned = owner.info?.tabId === tabId && claim === null && !handOver.running;
    if (returned) {
      // The tab returned from the back/forward cache without its media and must open them again.
      succession?.cancel();
      election.acquire(tabId);
    }
    if (owner.info !== null) {
      if (!handOver.running) election.offer(tabId);
      return;
    }
    if (owner.awaiting) election.awaitClaims();
    else if (election.inGrace) election.acquire();
  });

  return {
    get info() {
      return owner.info;
    },
    get epoch() {
      return owner.epoch;
    },
    seed(epoch) {
      owner.epoch = Math.max(owner.epoch, epoch);
    },
    acquire: election.acquire,
    moveTo(tabId) {
      const { info, wanted } = owner;
      if (!wanted || info?.tabId === tabId || handOver.running) return;
      if (!tabs.list().some((tab) => tab.tabId === tabId)) return;
      const { port } = ownerPort;
      if (info === null || port === null) return election.acquire(tabId);
      if (succession !== null && info.ready && deps.maySucceed?.() === true) {
        if (succession.tabId === tabId) return;
        succession.cancel();
        return succeed(tabId);
      }
      succession?.cancel();
      election.detach();
      election.show({ ...info, ready: false });
      deps.onTakeover?.();
      handOver.begin(info, port, () => election.acquire(tabId));
    },
    adopt(tabId, claim) {
      const port = tabs.media(tabId);
      if (port === null || claim.ownerEpoch < owner.epoch) return false;
      wantAgain(owner, false);
      owner.epoch = claim.ownerEpoch;
      election.adopt(tabId, port);
      return true;
    },
    await() {
      wantAgain(owner, true);
      election.awaitTabs();
      if (tabs.list().length > 0) election.awaitClaims();
    },
    send: ownerPort.send,
    release() {
      handOver.cancel();
      succession?.cancel();
      wantNothing(owner);
      election.endGrace();
      ownerPort.send({ t: "release" });
      election.detach();
      if (owner.info !== null) election.show(null);
    },
    stop() {
      // The tab keeps the media, and the next core finds the tab by its claim.
      handOver.cancel();
      succession?.stop();
      owner.wanted = false;
      election.endGrace();
      election.detach();
      stopLeave();
      stopJoin();
    },
  };
}
