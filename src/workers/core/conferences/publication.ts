/** How own streams are published (docs/conferences.md#own-tracks-and-bitrates): what the core keeps of it, and what the owner tab gets. */
import { STREAM_TYPE, type StreamType } from "../../../shared/domain/conference-types.ts";
import type { ConferenceMediaCommand } from "../../../shared/protocol/confr-media.ts";
import type { VideoCodec } from "../../../shared/protocol/confr-model.ts";
import type {
  CaptureSources,
  Forced,
  Publication,
  PublishSettings,
  TrackConstraints,
} from "../../../shared/protocol/confr-publish.ts";
import type { OwnType } from "./connection.ts";
import type { ConferenceRecord } from "./kept.ts";

export type Kind = "audio" | "video";

const bits = (kilobits: number | undefined): number | null =>
  kilobits === undefined ? null : kilobits * 1000;

/** The part of the command `publish` that the settings decide. */
export function sendSettings(
  type: StreamType,
  settings: PublishSettings,
): Pick<
  Extract<ConferenceMediaCommand, { t: "publish" }>,
  "simulcast" | "maxVideoBitrate" | "maxAudioBitrate" | "forced"
> {
  const { forceVideoBitrate, forceMinVideoBitrate, forceAudioBitrate, dtx } = settings;
  const video = bits(forceVideoBitrate);
  const minVideo = bits(forceMinVideoBitrate);
  const audio = bits(forceAudioBitrate);
  const forced: Forced = {
    ...(video === null ? {} : { video }),
    ...(minVideo === null ? {} : { minVideo }),
    ...(audio === null ? {} : { audio }),
    ...(dtx === undefined ? {} : { dtx }),
  };
  return {
    simulcast: type === STREAM_TYPE.camera && settings.simulcast !== false,
    // Without a limit the congestion control finds the bitrate that can be sent.
    maxVideoBitrate: bits(settings.maxVideoBitrate),
    maxAudioBitrate: bits(settings.maxAudioBitrate),
    ...(Object.keys(forced).length === 0 ? {} : { forced }),
  };
}

/** The codecs that can be sent, those of the settings first. */
export function codecsFor(
  can: readonly VideoCodec[],
  { codecs = [] }: PublishSettings,
): readonly VideoCodec[] {
  return [...new Set([...codecs.filter((one) => can.includes(one)), ...can])];
}

export interface Publications {
  publicationOf(type: OwnType): Publication | null;
  settings(type: OwnType): PublishSettings;
  /** The type of the stream that carries it: camera and microphone go to a mixer where the person or the server says so. */
  sentAs(type: OwnType): StreamType;
  remember(type: OwnType, publication: Publication): void;
  forget(type: OwnType): void;
  /**
   * Devices of the camera stream are asked for this beside what they are asked for. @param tabId which asks
   *
   * @returns false: the host page gives the track
   */
  constrain(kind: Kind, constraints: TrackConstraints, tabId: string): boolean;
  /** Where the tab gets sound and picture from. undefined: from devices. */
  readonly sources: CaptureSources | undefined;
  /** Kinds whose own track is in another tab than this one. */
  elsewhere(tabId: string): readonly Kind[];
  /** The kinds whose own tracks the owner tab lacks come from nowhere from now on. @returns these kinds */
  loseOwn(tabId: string): readonly Kind[];
}

export function createPublications(record: ConferenceRecord): Publications {
  const publicationOf = (type: OwnType): Publication | null =>
    record.now?.publications?.[String(type)] ?? null;
  const put = (type: OwnType, publication: Publication): void =>
    record.patch({ publications: { ...record.now?.publications, [String(type)]: publication } });
  const elsewhere = (tabId: string): Kind[] => {
    const camera = publicationOf(STREAM_TYPE.camera);
    if (camera === null || camera.tabId === tabId) return [];
    return (["audio", "video"] as const).filter((kind) => camera.sources[kind] === "own");
  };
  return {
    publicationOf,
    settings: (type) => publicationOf(type)?.settings ?? {},
    sentAs(type) {
      if (type === STREAM_TYPE.screen) return type;
      const isMixer = publicationOf(type)?.mixer === true || record.now?.mixes !== undefined;
      return isMixer ? STREAM_TYPE.mixer : type;
    },
    remember: put,
    forget(type) {
      const { [String(type)]: gone, ...rest } = record.now?.publications ?? {};
      if (gone !== undefined) record.patch({ publications: rest });
    },
    constrain(kind, constraints, tabId) {
      const camera = publicationOf(STREAM_TYPE.camera) ?? { settings: {}, sources: {}, tabId };
      const source = camera.sources[kind];
      if (source === "own") return false;
      const sources = { ...camera.sources, [kind]: { ...source, ...constraints } };
      put(STREAM_TYPE.camera, { ...camera, sources });
      return true;
    },
    get sources() {
      const sources = publicationOf(STREAM_TYPE.camera)?.sources;
      return sources === undefined || Object.keys(sources).length === 0 ? undefined : sources;
    },
    elsewhere,
    loseOwn(tabId) {
      const camera = publicationOf(STREAM_TYPE.camera);
      const lost = elsewhere(tabId);
      if (camera === null || lost.length === 0) return [];
      const kept = Object.entries(camera.sources).filter(([kind]) => !lost.includes(kind as Kind));
      put(STREAM_TYPE.camera, { ...camera, sources: Object.fromEntries(kept) });
      return lost;
    },
  };
}
