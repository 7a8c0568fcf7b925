/**
 * The conferencing library's public API (docs/conferences.md#library), with the names of the platform's specification:
 * `createConferenceFace` over a core connection and a media host. It works with the console's core and with the library's own.
 */
export type { AnnotatingApi, Graffiti, GraffitiOptions } from "./annotations.ts";
export { type ClientApi, type ConferenceClient, createConferenceFace } from "./client.ts";
export type {
  Annotated,
  Answer,
  Applicant,
  CloseReason,
  ConferenceEvents,
  ConfrAttr,
  Identity,
  Member,
  RemoteControlEvents,
  Stream,
  StreamRef,
  TextMessage,
} from "./contracts.ts";
export type { ConferenceLimits, ConferenceWishes, Joined, JoiningApi } from "./joining.ts";
export type { ManagingApi, MemberRef } from "./managing.ts";
export { type PublishOptions, type SendOptions, settingsOf } from "./publishing.ts";
export type { ControlFreed } from "./control-parts.ts";
export type { RemoteControlApi, RemoteControlOptions } from "./remote-control.ts";
export type { ClickPlace, RemoteCameraApi, RemoteCameraDetail } from "./remote-camera.ts";
export type {
  OnSoundChanged,
  OnTransmission,
  RecordingApi,
  TransmissionHelper,
  TransmissionSample,
} from "./recording.ts";
export type { DesktopOptions, StreamingApi } from "./streaming.ts";
export type { TracksApi } from "./tracks.ts";
export type {
  ConnectionEvent,
  DeviceEvent,
  EnterEvent,
  LiveEvent,
  LocalTracks,
  StreamEvent,
  TicketEvent,
  TypedEvents,
} from "./typed-events.ts";
export {
  MEDIA_CHANGED,
  type MediaChanged,
  TAG_ATTRIBUTES,
  TAG_EVENTS,
  type TagEvent,
} from "./tags.ts";
