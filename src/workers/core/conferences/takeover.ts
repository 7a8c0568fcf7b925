/** Takes over the media of an earlier core: waits for the tab that claims them, and keeps the connections that still stand. */
import { CONFERENCE_CLAIM } from "../claims.ts";
import type { Claim, Tabs } from "../contracts.ts";
import type { Owner } from "../media-owner/contracts.ts";
import type { Connections } from "./connections.ts";
import type { WantedStreams } from "./wanted-streams.ts";
import type { ConferenceRecord, KeptConference } from "./kept.ts";
import type { Model } from "./model.ts";
import type { OwnStreams } from "./own-streams.ts";
import type { ScreenShare } from "./screen.ts";

interface State {
  /** Connections of the earlier core's owner tab. `awaited` until that tab claims them, null when there are none to take over. */
  past: { readonly rtcIds: readonly string[] } | "awaited" | null;
  /** Whether the server resumed the session, and so kept its connections. */
  resumed: boolean;
}

export interface Takeover {
  /** An earlier core was in the conference: its tab may claim the media. */
  await(): void;
  claimed(tabId: string, claim: Claim): void;
  /** The conference was entered or resumed. Does nothing while a claim is awaited. */
  entered(resumed: boolean): void;
  /** Another tab owns the media: nothing is left to take over. */
  ownerChanged(): void;
  reset(): void;
}

/** The id by which a tab claims the media of a conference. */
export const claimOf = (confrId: string | undefined): string =>
  `${CONFERENCE_CLAIM}${confrId ?? ""}`;

/**
 * Which connections of an earlier core continue.
 *
 * @param kept the connections that the earlier core had, by key, with the version of their stream
 * @param rtcIds the connections that the tab still has
 * @param isCurrent whether the stream of a connection still has this version
 * @returns `standing` by key, and the rtcIds that the tab must close
 */
export function splitStanding(
  kept: KeptConference["connections"],
  rtcIds: readonly string[],
  isCurrent: (key: string, sver: number) => boolean,
): { readonly standing: ReadonlyMap<string, string>; readonly stale: readonly string[] } {
  const standing = new Map(
    Object.entries(kept).flatMap(([key, { rtcId, sver }]) =>
      rtcIds.includes(rtcId) && isCurrent(key, sver) ? [[key, rtcId] as const] : [],
    ),
  );
  const known = new Set(standing.values());
  return { standing, stale: rtcIds.filter((rtcId) => !known.has(rtcId)) };
}

export function createTakeover(deps: {
  readonly tabs: Tabs;
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly own: OwnStreams;
  readonly owner: Owner;
  readonly connections: Connections;
  readonly screen: ScreenShare;
  readonly wantedStreams: WantedStreams;
}): Takeover {
  const { model, record, own, owner, connections, wantedStreams } = deps;
  const state: State = { past: null, resumed: false };
  const isInside = (): boolean => model.slice.status === "joined";

  function takeOver(rtcIds: readonly string[]): void {
    const { standing, stale } = splitStanding(
      record.now?.connections ?? {},
      rtcIds,
      // A server that has forgotten the session has no connection of it.
      (key, sver) => state.resumed && model.slice.streams[own.streamOf(key)]?.sver === sver,
    );
    for (const rtcId of stale) owner.send({ t: "conference", body: { t: "close", rtcId } });
    wantedStreams.reconcile(standing);
  }
  function entered(resumed: boolean): void {
    state.resumed = resumed;
    const { past } = state;
    if (past === "awaited") return;
    state.past = null;
    if (past !== null) return takeOver(past.rtcIds);
    if (resumed) connections.resumed();
    else connections.moved();
    wantedStreams.reconcile(new Map());
  }

  return {
    await() {
      state.past = "awaited";
      owner.await();
    },
    claimed(tabId, claim) {
      const ours = claim.callId === claimOf(record.now?.confrId);
      if (state.past === "awaited" && ours && owner.adopt(tabId, claim)) {
        state.past = { rtcIds: claim.rtcIds };
        deps.screen.adopted(tabId, claim.rtcIds);
        if (isInside()) entered(state.resumed);
        return;
      }
      if (owner.info?.tabId !== tabId) {
        deps.tabs.media(tabId)?.send({ t: "release", epoch: claim.ownerEpoch });
      }
    },
    entered,
    ownerChanged() {
      const held = state.past !== null;
      state.past = null;
      if (held && isInside()) wantedStreams.reconcile(new Map());
    },
    reset() {
      state.past = null;
    },
  };
}
