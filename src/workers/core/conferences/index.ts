/**
 * Conferences in the core, one at a time. This file joins the conference (its session), the media (owner tab and connections), the people
 * (requests and texts) and the model (what tabs see). It also continues the conference that an earlier core was in.
 */
import { CALL_MONITOR } from "../../../shared/domain/call-monitor.ts";
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { noticeFields } from "../../../shared/domain/notice-texts.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import { QUALITY_EVENT } from "../../../shared/protocol/qoe.ts";
import { END_REASON } from "../../../shared/protocol/signalling.ts";
import type { ConferenceStreamView } from "../../../shared/protocol/state.ts";
import { CONFERENCE_CLAIM } from "../claims.ts";
import type { Claim, CoreEnv, Http, Session, Stats, Store, Tabs, Timer } from "../contracts.ts";
import type { Qoe } from "../qoe/contracts.ts";
import { createAnnouncements } from "./announcements.ts";
import { createCameraRequests } from "./camera-requests.ts";
import { createAnnotations } from "./annotations.ts";
import { createCloud } from "./cloud.ts";
import { createInside } from "./commands.ts";
import type { Invite } from "./invitations.ts";
import { CONFERENCE_CONFIG, type ConferenceConfig } from "./config.ts";
import { createEntering } from "./entering.ts";
import { createKeeper, createRecord, type KeptConference } from "./kept.ts";
import { createMedia } from "./media.ts";
import type { Media } from "./media-contracts.ts";
import { createMemberRequests } from "./member-requests.ts";
import { createSignals } from "./signals.ts";
import { unlistedStreams } from "./mixing.ts";
import { createModel } from "./model.ts";
import { createPeople } from "./people.ts";
import { createControl } from "./control/index.ts";
import { createRemoteCamera } from "./remote-camera.ts";
import { createRecording, type Recording } from "./recording.ts";
import { createConferenceRest } from "./rest.ts";
import { LOST } from "./session.ts";
import { createConference, type Conference } from "./conference.ts";
import { watchedConference } from "./watched.ts";

/** The console's login is not required: `session` names the participant, and the slice `session` holds the chat user name. */
export interface ConferencesDeps {
  readonly env: CoreEnv;
  readonly store: Store;
  readonly tabs: Tabs;
  readonly session: Pick<Session, "user" | "onUser">;
  readonly http: Pick<Http, "provider">;
  readonly stats: Pick<Stats, "socket" | "socketTraffic" | "takeover">;
  readonly qoe?: Qoe;
  /** Left out: the default timings. */
  readonly config?: ConferenceConfig;
  /** Whether a call is in progress that does not become a group call. A call and a conference cannot share the microphone. */
  readonly busy: () => boolean;
  /** Whether a call goes on beside this conference, which will carry it: the tab keeps both. */
  readonly calling?: () => boolean;
  /** Sends an invitation by chat. Absent when there is no chat. */
  readonly invite?: Invite;
  /** Returns the next owner epoch. Calls and conferences count their epochs in one sequence. */
  readonly nextEpoch: (last: number) => number;
}

export interface Conferences {
  readonly handlers: Handlers<"conference">;
  /** Whether a conference is entered or being entered. */
  active(): boolean;
  /** Resolves when the conference of an earlier core is known. */
  readonly ready: Promise<void>;
  /** Whether everything that this member sends arrives here. False for a member that publishes nothing. */
  receives(memName: string): boolean;
  /** Whether a tile shows the picture of this member, if the member sends one. Tiles report it only during a group call. */
  shows(memName: string): boolean;
  /** Called after changes of the slice and when the first sound or picture comes. @returns a function that removes the handler */
  onChange(handler: () => void): () => void;
  /** Sets attributes as a member, which the server allows inside a group call. @throws AppError */
  setAttrs(changes: readonly { readonly key: string; readonly val: string }[]): Promise<void>;
  /** The page of conferences does not show the end of this conference, because it carried a group call. */
  forgetExit(confrId: string): void;
  /** Releases timers and sockets. The next core continues the conference. */
  stop(): void;
}

export function createConferences(deps: ConferencesDeps): Conferences {
  const { env, store, tabs, session, qoe, config = CONFERENCE_CONFIG } = deps;
  const rest = createConferenceRest({ env, http: deps.http });
  const watchers = createAnnouncements();
  const { announce } = watchers;
  const changed = (): void => {
    announce();
    annotations.followStreams();
    recording.look();
  };
  const model = createModel(store, changed, () => unlistedStreams(record.now));
  const keeper = createKeeper(env);
  const record = createRecord(keeper);
  const cloud = createCloud({ env, http: deps.http, store, record });
  const notice: Store["notice"] = (one) => store.notice(one);
  const isIdle = (): boolean => model.slice.status === "idle";

  const signals = createSignals({ env, model, record });
  const media: Media = createMedia({
    signals,
    env,
    config,
    tabs,
    onTakeover: () => [deps.stats.takeover?.(), qoe?.event(QUALITY_EVENT.takeover)],
    notice,
    model,
    record,
    cloud,
    wire: () => conference.wire,
    apply: (signal) => conference.apply(signal),
    nextEpoch: deps.nextEpoch,
    beside: deps.calling ?? (() => false),
    onMedia: announce,
    onCamera(event) {
      if (event === "owner") cameraRequests.ownerChanged();
      else if (event === "ready") cameraRequests.ownerReady();
      else cameraRequests.heard(event);
    },
    recording: () => recording,
    onAbandoned: () => void conference.end(END_REASON.offline),
    onControl: (event) => (event === "moved" ? control.moved() : control.able(event.able)),
    onSamples: (id, samples, late) => qoe?.samples(id, samples, late),
    onQuality: (code, rtcId, detail) =>
      qoe?.event(code, { detail, ...(rtcId === null ? {} : { rtcId }) }),
  });
  const recording: Recording = createRecording({
    env,
    model,
    record,
    rtcIdOf: (stream) => media.rtcIdOf(stream),
    ask: (request) => conference.wire?.ask(request) ?? Promise.resolve(LOST),
    reachable: () => conference.wire?.entered === true,
    ready: () => media.isReady(),
    command: (body) => media.command(body),
    onFailed: () => notice({ style: "error", ...noticeFields("conference.recording-failed") }),
  });
  const requests = createMemberRequests({ env, config, wire: () => conference.wire });
  const control = createControl({
    env,
    config,
    model,
    notice,
    requests,
    reachable: () => conference.wire?.entered === true,
    toTab: media.control,
    ownScreen: media.screenId,
  });
  const cameraRequests = createCameraRequests({
    env,
    config,
    model,
    requests,
    notice,
    toTab: (command) => media.controlCamera(command),
  });
  const remoteCamera = createRemoteCamera({ config, model, requests });
  const people = createPeople({ env, config, model, notice, requests });
  const annotations = createAnnotations({
    env,
    tabs,
    ready: () => ready,
    model,
    wire: () => conference.wire,
  });
  const conference: Conference = createConference({
    env,
    stats: deps.stats,
    config,
    rest,
    model,
    record,
    media,
    people,
    annotations,
    requests,
    control,
    notice,
    signals,
    onEntered(resumed) {
      cameraRequests.entered();
      recording.entered(resumed);
      const { now } = record;
      if (now === null) return;
      if (qoe === undefined) return poll();
      qoe.start(watchedConference(model, now, media));
      qoe.event(QUALITY_EVENT.enter, { detail: resumed ? "resumed" : "entered" });
    },
    onExit() {
      signals.stop();
      cameraRequests.reset();
      remoteCamera.reset();
      recording.end();
      qoe?.stop();
      polling?.cancel();
      polling = null;
    },
  });

  /** The camera streams of another member. */
  const streamsOf = (memName: string): ConferenceStreamView[] => {
    const { members, streams } = model.slice;
    return Object.values(streams).filter(
      ({ located, type, memId }) =>
        !located && type === STREAM_TYPE.camera && members[memId]?.memName === memName,
    );
  };

  /** Without quality uploads nobody else asks the tab for samples, which the tiles' quality needs. */
  let polling: Timer | null = null;
  function poll(): void {
    polling?.cancel();
    polling = env.clock.after(CALL_MONITOR.pollMillis, poll);
    media.sample(env.newId());
  }

  // --- the conference of an earlier core
  const claims = new Map<string, Claim>();
  let loaded = false;
  /** The stored conference, held until its person has logged in. */
  let held: KeptConference | null = null;
  const letGo = (tabId: string, claim: Claim): void =>
    tabs.media(tabId)?.send({ t: "release", epoch: claim.ownerEpoch });
  function consider(): void {
    const user = session.user();
    const kept = held;
    if (kept !== null && user === null) return;
    held = null;
    if (kept !== null && kept.accountId === user?.accountId && isIdle()) {
      media.seedEpoch(kept.ownerEpoch);
      conference.restore(kept);
      media.restore();
      for (const [tabId, claim] of claims) media.claimed(tabId, claim);
    } else {
      if (kept !== null) void keeper.save(null);
      for (const [tabId, claim] of claims) letGo(tabId, claim);
    }
    claims.clear();
  }
  const ready = keeper.load().then((kept) => {
    loaded = true;
    held = kept;
    for (const { ownerEpoch } of claims.values()) media.seedEpoch(ownerEpoch);
    consider();
  });
  const stops = [
    session.onUser((user) => {
      if (!loaded) return;
      if (user !== null && held !== null) return consider();
      if (record.now === null || user?.accountId === record.now.accountId) return;
      void conference.end(END_REASON.hangup);
    }),
    tabs.onJoin(({ tabId }, claim) => {
      if (claim === null || !claim.callId.startsWith(CONFERENCE_CLAIM)) return;
      media.seedEpoch(claim.ownerEpoch);
      if (!loaded || held !== null) claims.set(tabId, claim);
      else if (isIdle()) letGo(tabId, claim);
      else media.claimed(tabId, claim);
    }),
    tabs.onLeave((tabId) => void claims.delete(tabId)),
  ];

  const entering = createEntering({
    ready,
    rest,
    model,
    record,
    conference,
    media,
    cloud,
    calling: deps.busy,
    me() {
      const user = session.user();
      const memName = store.get("session").chatUserName;
      if (user === null || memName === null) throw new AppError("auth.required");
      return { user, memName };
    },
  });
  const inside = createInside({
    env,
    ready,
    rest,
    model,
    record,
    conference,
    media,
    people,
    remoteCamera,
    cameraRequests,
    recording,
    ...(deps.invite === undefined ? {} : { invite: deps.invite }),
  });

  return {
    handlers: { ...entering.handlers, ...inside, ...control.handlers, ...annotations.handlers },
    active: () => entering.busy || !isIdle(),
    ready,
    receives: (memName) => streamsOf(memName).some(media.receives),
    shows: (memName) => streamsOf(memName).some(media.shows),
    onChange: watchers.watch,
    forgetExit(confrId) {
      if (model.slice.lastExit?.confrId === confrId) model.patch({ lastExit: null });
    },
    async setAttrs(changes) {
      const roleToken = record.now?.roleToken ?? null;
      if (roleToken === null) throw new AppError("conference.not-joined");
      const cattrs = changes.map(({ key, val }) => ({ key, val, op: "UPDATE" as const }));
      await rest.attrs(roleToken, { cattrs });
    },
    stop() {
      for (const stop of stops) stop();
      watchers.stop();
      polling?.cancel();
      signals.stop();
      annotations.stop();
      conference.stop();
      media.stop();
    },
  };
}
