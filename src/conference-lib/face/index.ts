/**
 * The conferencing library's public API (docs/conferences.md#library), with the names of the platform's specification:
 * `createConferenceFace` over a core connection and a media host. It works with the console's core and with the library's own.
 */
export { type ClientApi, type ConferenceClient, createConferenceFace } from "./client.ts";
export type {
  Answer,
  Applicant,
  ConferenceEvents,
  ConfrAttr,
  Identity,
  Member,
  Stream,
  StreamRef,
  TextMessage,
} from "./contracts.ts";
export type { ConferenceLimits, Joined, JoiningApi } from "./joining.ts";
export type { ManagingApi, MemberRef } from "./managing.ts";
export type {
  OnSoundChanged,
  OnTransmission,
  RecordingApi,
  TransmissionHelper,
  TransmissionSample,
} from "./recording.ts";
export type { DesktopOptions, StreamingApi } from "./streaming.ts";
export {
  MEDIA_CHANGED,
  type MediaChanged,
  TAG_ATTRIBUTES,
  TAG_EVENTS,
  type TagEvent,
} from "./tags.ts";
