/**
 * The media half of a tab: devices, connections, elements and reduced statistics, in the tab that owns the media.
 * The core controls it over the media port (shared/protocol/media-port.ts); the console uses only MediaHost.
 * Folders: owner (lock, epoch), engines (native, agora), conference, control (of the shared screen), connections (the driver under both), media (devices), effects (what
 * changes own picture and sound), stats, elements, precall.
 */
export type {
  ConferenceMedia,
  DeviceEntry,
  HostTracks,
  MediaHost,
  MediaHostState,
  PrecallCheck,
  TransmissionCount,
} from "./contracts.ts";
export { browserClock } from "./clock.ts";
export { captureControl, type CaptureOptions } from "./control/capture.ts";
export type { ControlExecutor } from "./control/contracts.ts";
export { browserSurfaceEnv } from "./annotations/browser.ts";
export {
  createSurface,
  type DrawingStyle,
  type DrawingTool,
  type Surface,
} from "./annotations/surface.ts";
export { browserEffects } from "./effects/browser.ts";
export type { EffectState, Effects, EffectStates } from "./effects/effects.ts";
export { browserVideoCodecs } from "./conference/codecs.ts";
export { SCREEN, SELF } from "./conference/streams.ts";
export { deviceError } from "./media/errors.ts";
export type { Preview, PreviewView, PreviewWish } from "./media/preview.ts";
export { browserMediaDeps, isSafari, type MediaDeps } from "./deps.ts";
export { type CountingMediaHost, createMediaHost } from "./owner/host.ts";
export type { DebugCounts } from "./tally.ts";
export { capturePicture, type Picture, savePicture } from "./recording/capture.ts";
export { browserRecordings, type Recordings } from "./recording/recordings.ts";
export type { RecordingInfo } from "./recording/types.ts";
export type { OnSound } from "./sound/hub.ts";
export type { SoundReading } from "./sound/reading.ts";
export { runPrecallChecks } from "./precall/browser.ts";
