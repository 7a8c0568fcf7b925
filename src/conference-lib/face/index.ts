/**
 * The conferencing library's public face (conferencing spec; names as its users know them): `createConferenceFace` over a core
 * connection and a media host. The console's core or the library's own may stand behind it; nothing here knows which.
 */
export { type ClientApi, type ConferenceClient, createConferenceFace } from "./client.ts";
export type {
  Answer,
  Applicant,
  ConferenceClientDeps,
  ConferenceCommands,
  ConferenceEvents,
  ConfrAttr,
  CoreConnection,
  Identity,
  Member,
  Stream,
  StreamRef,
  TextMessage,
} from "./contracts.ts";
export type { ConferenceLimits, Joined, JoiningApi } from "./joining.ts";
export type { ManagingApi, MemberRef } from "./managing.ts";
export type { DesktopOptions, StreamingApi } from "./streaming.ts";
export {
  MEDIA_CHANGED,
  type MediaChanged,
  TAG_ATTRIBUTES,
  TAG_EVENTS,
  type TagEvent,
} from "./tags.ts";
export { type TextKey, TEXTS, textOf } from "./refuse.ts";
