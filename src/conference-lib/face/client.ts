/** The library's API: maps its methods to the core's commands and the core's state to its events. */
import { type AnnotatingApi, createAnnotating } from "./annotations.ts";
import { createChanges, isNewExit } from "./changes.ts";
import type { Face } from "./context.ts";
import type { ConferenceClientDeps, ConferenceEvents, Member, Stream } from "./contracts.ts";
import { createEmitter } from "./emitter.ts";
import { commandsInSpecTerms } from "./failures.ts";
import { createJoining, type JoiningApi } from "./joining.ts";
import { createManaging, type ManagingApi } from "./managing.ts";
import { createRemoteControl, type RemoteControlApi } from "./remote-control.ts";
import { createRemoteCamera, type RemoteCameraApi } from "./remote-camera.ts";
import { createRecording, type RecordingApi } from "./recording.ts";
import { createStreaming, type StreamingApi } from "./streaming.ts";
import { createConditions } from "./conditions.ts";
import { createTagHandlers } from "./tag-handlers.ts";
import { createTags } from "./tags.ts";
import { createTracks, type TracksApi } from "./tracks.ts";
import { type View, viewOf } from "./view.ts";

/** ms that a restarted core may take to resume the conference before the conference counts as lost. */
const HOLD_MS = 30_000;
/** ms to wait for the state after the answer to a command. */
const STATE_MS = 5_000;
/** FAILED is the end reason for a failure. LOST is a time that no exit of a core has. */
const FAILED = 4;
const LOST = -1;

export interface ClientApi {
  /** Adds a handler for an event. @returns a function that removes it */
  on<N extends keyof ConferenceEvents>(name: N, handler: ConferenceEvents[N]): () => void;
  /** The own member; null outside a conference. */
  self(): Member | null;
  /** All members of the conference, including the own one. */
  members(): Member[];
  /** All streams of the conference, including own ones. */
  streams(): Stream[];
  /** The current state of a stream; null when it does not exist. */
  getStream(id: string): Stream | null;
  /** Attributes of the conference by key. */
  attributes(): Readonly<Record<string, string>>;
  /** Call in a click handler: plays the sound that autoplay refused. */
  resumePlayback(): Promise<void>;
  /** Closes the client. A conference continues in other tabs. Idempotent. */
  dispose(): void;
}

/** Every method rejects or throws AppError: `message` is for people, `code` and `details` are for programs. */
export type ConferenceClient = JoiningApi &
  StreamingApi &
  TracksApi &
  ManagingApi &
  RemoteControlApi &
  RemoteCameraApi &
  AnnotatingApi &
  RecordingApi &
  ClientApi;

export function createConferenceFace(given: ConferenceClientDeps): ConferenceClient {
  const deps = {
    ...given,
    core: { ...given.core, commands: commandsInSpecTerms(given.core.commands) },
  };
  const { core, media } = deps;
  const emitter = createEmitter<ConferenceEvents>(deps.warn);
  let view = viewOf(core.getState());
  let blocked = media.getState().autoplayBlocked;
  let hold: { cancel(): void } | null = null;
  let disposed = false;

  const tagHandlers = createTagHandlers(deps.warn);
  const tags = createTags(media, tagHandlers.answer);
  const waiters = new Set<() => void>();
  const face: Face = {
    deps,
    emitter,
    tags,
    tagHandlers,
    view: () => view,
    until: (there) =>
      new Promise((resolve) => {
        if (there(view)) return resolve();
        const end = (): void => {
          waiters.delete(check);
          timer.cancel();
          resolve();
        };
        const check = (): void => {
          if (there(view)) end();
        };
        const timer = deps.after(STATE_MS, end);
        waiters.add(check);
      }),
    identity: null,
    byTicket: false,
    onGone: new Map(),
    ownKinds: new Set(),
  };
  const streaming = createStreaming(face);
  const { changed: tracksChanged, ...tracks } = createTracks(face);
  const lookAtConditions = createConditions(emitter, core.getState);
  const remote = createRemoteControl(face);
  const remoteCamera = createRemoteCamera(face);
  const annotating = createAnnotating(face);
  const recording = createRecording(face);
  const changes = createChanges(emitter, {
    answer: async (id, agree) => {
      await core.commands.answerRequest({ id, agree });
    },
  });

  const applyView = (next: View): void => {
    const before = view;
    view = next;
    hold?.cancel();
    hold = null;
    annotating.update(view.streams);
    tags.update(view.streams);
    changes.emitChanges(before, view);
    remote.changed(before, view);
    for (const id of before.streams.keys()) {
      if (view.streams.has(id)) continue;
      const run = face.onGone.get(id);
      face.onGone.delete(id);
      run?.();
    }
    for (const check of waiters) check();
    if (view.status !== "idle") return;
    face.byTicket = false;
    face.onGone.clear();
  };
  const look = (): void => {
    const next = viewOf(core.getState());
    const left = isNewExit(view, next);
    if (left || (next.self !== null && next.status !== "connecting")) return applyView(next);
    const { status, confrId } = next;
    if (view.self === null) {
      // While entering, emit nothing. Everything is emitted together once the person is inside and may subscribe.
      view = { ...view, status, confrId };
      return;
    }
    // A restarted core resumes the conference automatically.
    view = { ...view, status: "reconnecting" };
    hold ??= deps.after(HOLD_MS, () => {
      const now = viewOf(core.getState());
      const info = { confrId: view.confrId ?? "", name: "", reason: FAILED, failed: true };
      applyView({ ...now, status: "idle", confrId: null, lastExit: { ...info, at: LOST } });
    });
  };
  const lookAtSound = (): void => {
    const now = media.getState().autoplayBlocked;
    if (now === blocked) return;
    blocked = now;
    emitter.emit("onAutoplayBlocked", now);
  };
  emitter.on("onDeviceError", ({ code }) => {
    if (code === "OwnTracksLost") face.ownKinds.clear();
  });
  /** The page's own tracks are given back when the person no longer publishes; not while the stream is only published again. */
  const giveTracksBack = (): void => {
    if (face.ownKinds.size === 0 || core.getState().local.publishing) return;
    face.ownKinds.clear();
    media.provideTracks({ audio: null, video: null });
  };
  const stops = [
    core.subscribe(() => {
      giveTracksBack();
      lookAtConditions();
      look();
    }),
    media.subscribe(lookAtSound),
    media.onTracks(tracksChanged),
  ];

  return {
    ...createJoining(face),
    ...streaming,
    ...tracks,
    ...remoteCamera,
    ...recording,
    ...createManaging(face),
    ...remote.api,
    ...annotating.api,
    on(name, handler) {
      if (name === "onAnnotated") annotating.listen();
      return emitter.on(name, handler);
    },
    self: () => view.self,
    members: () => [...view.members.values()],
    streams: () => [...view.streams.values()],
    getStream: (id) => view.streams.get(id) ?? null,
    attributes: () => Object.fromEntries(view.attrs),
    resumePlayback: () => media.resumePlayback(),
    dispose() {
      if (disposed) return;
      disposed = true;
      for (const stop of stops) stop();
      hold?.cancel();
      remote.dispose();
      annotating.end();
      tags.clear();
      emitter.clear();
      core.dispose?.();
    },
  };
}
