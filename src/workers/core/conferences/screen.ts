/** The shared screen of a conference: a second stream, sent only by the tab that the person granted the capture in. */
import { isMixed } from "../../../shared/domain/conference-types.ts";
import { told } from "../../../shared/domain/notice-texts.ts";
import type { ConfrEvent } from "../../../shared/protocol/confr-media.ts";
import type { ConfrStream } from "../../../shared/protocol/confr-signalling.ts";
import type { Owner } from "../media-owner/index.ts";
import type { Store } from "../contracts.ts";
import type { ConferenceRecord } from "./kept.ts";
import { type Connections, pubKey } from "./connections.ts";
import type { Model } from "./model.ts";

export interface ScreenShare {
  /** Whether the capture that this tab has told of bears sound. */
  hasAudio(tabId: string): boolean;
  /** The media go to the tab of the capture; resolves when it is published. */
  share(tabId: string, ext: string): Promise<ConfrStream>;
  /** Publishes it anew in the tab that has it. */
  again(): void;
  /** Who has the media from now on: a capture that another tab holds is over. */
  ownedBy(tabId: string | null): void;
  /** After a restart of the core. @param rtcIds what the tab carries */
  adopted(tabId: string, rtcIds: readonly string[]): void;
  heard(event: Extract<ConfrEvent, { t: "screen" }>): void;
  /** It is not published any more: the tab lets the capture go. */
  ended(): void;
  reset(): void;
}

export function createScreenShare(deps: {
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly owner: Owner;
  readonly links: Connections;
  readonly notice: Store["notice"];
  readonly unpublish: () => void;
}): ScreenShare {
  const { model, record, owner, links } = deps;
  let tab: string | null = null;
  /** What the owner's capture is like, as far as it has told. */
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
      // a tab that is still to have the media makes it once it is asked
      return links.publish({ kind: "pub", type: 1, ext });
    },
    again: () => void links.publish({ kind: "pub", type: 1, ext: "" }).catch(() => undefined),
    ownedBy(tabId) {
      capture = null;
      if (sharing() && tab !== tabId) deps.unpublish();
    },
    adopted(tabId, rtcIds) {
      const link = record.now?.links[pubKey(1)];
      if (link === undefined || !rtcIds.includes(link.rtcId)) return;
      tab = tabId;
      show(true);
    },
    heard({ on, audio }) {
      const tabId = owner.info?.tabId ?? null;
      capture = on && tabId !== null ? { tabId, audio } : null;
      if (!sharing()) return;
      // the person ended it with the browser's own button
      if (!on) return deps.unpublish();
      if (!audio || !isMixed(model.slice.info?.type)) return;
      deps.unpublish();
      deps.notice({ style: "warning", ...told("conference.mixed-desktop") });
    },
    ended() {
      tab = null;
      if (sharing()) owner.send({ t: "confr", body: { t: "stop-screen" } });
      show(false);
    },
    reset() {
      tab = null;
      capture = null;
    },
  };
}
