/** The settings of a client by the names of the platform's specification (docs/conferences.md#settings). */
import { type LibrarySettings, librarySettingsSchema } from "../shared/protocol/library.ts";
import type { SendOptions } from "./face/index.ts";

/** Each has limits; a value beyond them is refused by request.invalid with its name in `details.field`. */
export interface ConferenceSettings {
  /** Attempts to enter before the entry fails. Default: 13. */
  readonly reconnect?: number;
  /** ms, the longest pause between two attempts to reach the server. Default: 3000. */
  readonly reconnectDelay?: number;
  /** ms for all attempts to enter. Default: 20000. */
  readonly enterTimeout?: number;
  /** ms between two checks whether the connection to the server stands. Default: 1000. */
  readonly checkConnectIntervalMillis?: number;
  /** ms that a stream's connection may take to come up. Default: 6000. */
  readonly iceWaitBuildMillis?: number;
  /** How often in a row a stream's connection is built again, before PushFail or SubFail. Default: 3. */
  readonly iceRebuildCount?: number;
  /** ms between the failure of a connection and the next one. Default: 500. */
  readonly iceRebuildIntervalMillis?: number;
  /** ms between two comparisons of the whole conference with the server's. Default: 30000. */
  readonly getCopyIntervalMillis?: number;
  /** ms between two checks whether the control of a screen goes on. Default: 10000. */
  readonly ctrlCheckIntervalMillis?: number;
  /** ms without input after which the control of a screen ends. Default: 30000. */
  readonly ctrlTimeoutMillis?: number;
  /** Actions of mouse and keyboard that wait to be sent; beyond, every second move goes. Default: 1000. */
  readonly ctrlBuffer?: number;
  /** Messages of the control of a screen that may be unanswered; beyond, actions wait. Default: 10. */
  readonly ctrlWindow?: number;
  /** Whether connections are built again at once when the machine's addresses changed. false: they restart ICE. Default: true. */
  readonly rebuildPeerConnectionWhenNetworkChanaged?: boolean;
  /** s between two records of a stream's quality. Default: 2. */
  readonly statsSeconds?: number;
  /** Whether records of quality go to the platform. Default: true. */
  readonly uploadStats?: boolean;
  /** kbit/s at most, of every stream that `publish` does not say otherwise of. Default: no limit. */
  readonly maxVideoBitrate?: number;
  readonly maxAudioBitrate?: number;
  /** kbit/s whatever the congestion control finds, of every stream that `publish` does not say otherwise of. Default: as it finds. */
  readonly forceVideoBitrate?: number;
  readonly forceMinVideoBitrate?: number;
  readonly forceAudioBitrate?: number;
}

const BITRATES = [
  "maxVideoBitrate",
  "maxAudioBitrate",
  "forceVideoBitrate",
  "forceMinVideoBitrate",
  "forceAudioBitrate",
] as const;
const CORE_SETTINGS = Object.keys(librarySettingsSchema.shape) as (keyof LibrarySettings)[];

/** The named entries that have a value. */
const given = <Name extends keyof ConferenceSettings>(
  options: ConferenceSettings,
  names: readonly Name[],
): Pick<ConferenceSettings, Name> =>
  Object.fromEntries(
    names.map((name) => [name, options[name]]).filter(([, value]) => value !== undefined),
  ) as Pick<ConferenceSettings, Name>;

/** @returns what goes to the core, and the bitrates, which the page adds to each publication */
export const splitSettings = (
  options: ConferenceSettings,
): {
  readonly settings: LibrarySettings;
  readonly sendDefaults: Pick<SendOptions, (typeof BITRATES)[number]>;
} => ({ settings: given(options, CORE_SETTINGS), sendDefaults: given(options, BITRATES) });
