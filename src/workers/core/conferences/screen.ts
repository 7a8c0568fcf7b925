/** The shared screen of a conference: a second stream. Only the tab in which the person allowed the capture can send it. */
import { isMixed, STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { noticeFields } from "../../../shared/domain/notice-texts.ts";
import type { ConferenceMediaEvent } from "../../../shared/protocol/confr-media.ts";
import type { ConferenceStream } from "../../../shared/protocol/confr-model.ts";
import type { Owner } from "../media-owner/contracts.ts";
import type { Store } from "../contracts.ts";
import type { ConferenceRecord } from "./kept.ts";
import { pubKey } from "./connection.ts";
import type { Connections } from "./connections.ts";
import type { Model } from "./model.ts";

export interface ScreenShare {
  /** Whether the capture that this tab reported has sound. */
  hasAudio(tabId: string): boolean;
  /** Moves the media to the tab of the capture and publishes it. Resolves when it is published. */
  share(tabId: string, ext: string): Promise<ConferenceStream>;
  /** Publishes or adopts the screen if it is not published. @param standing a connection that the tab still has */
  follow(standing?: string): void;
  /** This tab owns the media from now on. A capture in another tab ends. */
  ownedBy(tabId: string | null): void;
  /** A tab was adopted after a restart of the core. @param rtcIds the connections that the tab still has */
  adopted(tabId: string, rtcIds: readonly string[]): void;
  heard(event: Extract<ConferenceMediaEvent, { t: "screen" }>): void;
  /** The screen is no longer published: the tab stops the capture. */
  ended(): void;
  reset(): void;
}

export function createScreenShare(deps: {
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly owner: Owner;
  readonly connections: Connections;
  readonly notice: Store["notice"];
  readonly unpublish: () => void;
}): ScreenShare {
  const { model, record, owner, connections } = deps;
  let tab: string | null = null;
  /** The owner's capture as the owner reported it; null before that. */
  let capture: { readonly tabId: string; readonly audio: boolean } | null = null;
  const sharing = (): boolean => model.slice.local.sharing;
  const show = (on: boolean): void => {
    if (sharing() !== on) model.patch({ local: { ...model.slice.local, sharing: on } });
  };

  return {
    hasAudio: (tabId) => capture?.tabId === tabId && capture.audio,
    share(tabId, ext) {
      tab = tabId;
      show(true);
      if (owner.info?.tabId !== tabId) owner.moveTo(tabId);
      // A tab that does not own the media yet publishes once it is asked to own them.
      return connections.publish({ kind: "pub", type: STREAM_TYPE.screen, ext });
    },
    follow(standing) {
      if (connections.stateOf(pubKey(STREAM_TYPE.screen)) !== "none") return;
      const wish = { kind: "pub", type: STREAM_TYPE.screen, ext: "" } as const;
      if (standing !== undefined) connections.adopt(wish, standing);
      else connections.publish(wish).catch(() => undefined);
    },
    ownedBy(tabId) {
      capture = null;
      if (!sharing() || tab === tabId) return;
      deps.unpublish();
      deps.notice({ style: "warning", ...noticeFields("conference.screen-ended") });
    },
    adopted(tabId, rtcIds) {
      const kept = record.now?.connections[pubKey(STREAM_TYPE.screen)];
      if (kept === undefined || !rtcIds.includes(kept.rtcId)) return;
      tab = tabId;
      show(true);
    },
    heard({ on, audio }) {
      const tabId = owner.info?.tabId ?? null;
      capture = on && tabId !== null ? { tabId, audio } : null;
      if (!sharing()) return;
      // The person ended the capture with the browser's own button.
      if (!on) return deps.unpublish();
      if (!audio || !isMixed(model.slice.info?.type)) return;
      deps.unpublish();
      deps.notice({ style: "warning", ...noticeFields("conference.mixed-desktop") });
    },
    ended() {
      tab = null;
      if (sharing()) owner.send({ t: "conference", body: { t: "stop-screen" } });
      show(false);
    },
    reset() {
      tab = null;
      capture = null;
    },
  };
}
