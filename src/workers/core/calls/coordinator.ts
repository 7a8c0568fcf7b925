/**
 * Joins the parts that carry a call: admission (ticket), the owner tab's media, the signalling session and the connection. The call
 * machine decides when; this file passes the outcomes back to it as events.
 */
import { AppError } from "../../../shared/errors.ts";
import type { MediaEvent } from "../../../shared/protocol/media-port.ts";
import type { CallSlice } from "../../../shared/protocol/state.ts";
import type { VideoCodecs } from "../../../shared/protocol/confr-model.ts";
import { QUALITY_EVENT } from "../../../shared/protocol/qoe.ts";
import { END_REASON, OP, type PeerMessage, RESULT } from "../../../shared/protocol/signalling.ts";
import { createAdmitting } from "./admission.ts";
import { createAgora } from "./agora.ts";
import { createArriving } from "./arriving.ts";
import type { CallCoordinator, CallCoordinatorDeps } from "./contracts.ts";
import { createChatRelay } from "./chat-relay.ts";
import { createCallConnection } from "./call-connection.ts";
import type { CallConnection } from "./connection.ts";
import { createMoving } from "./moving.ts";
import { createPicture } from "./picture.ts";
import type { OwnRequest } from "../media-owner/contracts.ts";
import { createOwner } from "../media-owner/index.ts";
import { createRestoring } from "./restoring.ts";
import { createSilences } from "../signalling/silences.ts";
import { createCallSignalling } from "./signalling.ts";
import { noteMediaEvent, watchedCall } from "./watched.ts";

const isRinging = (status: CallSlice["status"]): boolean =>
  status === "sendRing" || status === "receivedRing";

export function createCallCoordinator(deps: CallCoordinatorDeps): CallCoordinator {
  const { env, config, calls, qoe } = deps;
  const agora = createAgora({ ...deps, send: (command) => owner.send(command) });
  const relay = agora.on ? createChatRelay(deps) : null;
  const admitting = createAdmitting(deps);
  /** Returns a check whether the call is still the one for which it was made. */
  const sameCall = (): (() => boolean) => {
    const ownGeneration = admitting.generation;
    return () => ownGeneration === admitting.generation;
  };
  let connection: CallConnection | null = null;
  let whenOpened: (() => void)[] = [];
  let codecs: VideoCodecs | undefined;

  const owner = createOwner({
    nextEpoch: deps.nextEpoch,
    env,
    tabs: deps.tabs,
    config,
    needsDevices: true,
    onTakeover() {
      deps.stats.takeover?.();
      qoe.event(QUALITY_EVENT.takeover);
    },
    request: ownRequest,
    onChange(info) {
      calls.setOwnerEpoch(owner.epoch);
      calls.patch({ owner: info });
    },
    onAsked: (epoch) => connection?.ownerReady(epoch),
    onOpened(event) {
      ({ codecs } = event);
      const { hasAudio, hasVideo, microphone, camera } = event;
      const { local } = calls.slice;
      calls.patch({ local: { ...local, hasAudio, hasVideo, microphone, camera } });
      if (event.notice !== undefined) deps.onDeviceNotice(AppError.fromWire(event.notice));
      restoring.forget();
      if (agora.on) startQoe();
      else if (calls.priv?.caller === true && isRinging(calls.slice.status)) startConnection();
      signalling.tellStreams();
      const waiting = whenOpened;
      whenOpened = [];
      for (const run of waiting) run();
    },
    onEvent: fromTab,
    onFailed: failMedia,
    successor: (epoch, successor) => moving.begin(epoch, successor, connection),
    // In a tab that carries a conference too, both would have to move together.
    maySucceed: () =>
      connection !== null && !agora.on && !deps.beside() && calls.slice.status === "chat",
    onSuccessionFailed: deps.onDeviceNotice,
    onAbandoned: () => deps.dispatch({ type: "hangup" }),
  });

  function failMedia({ code }: AppError): void {
    const on = calls.slice.status === "chat";
    deps.dispatch({ type: on ? "mediaFailed" : "prepareFailed", code });
  }

  function ownRequest(): OwnRequest {
    const { info, local } = calls.slice;
    return {
      callId: info?.callId ?? "",
      media: info?.media ?? "voice",
      audioMuted: local.audioMuted,
      videoOff: local.videoOff,
      rtcCfg: calls.priv?.rtcCfg ?? { iceServers: [] },
      engine: agora.engine(info?.channel ?? ""),
      ...(deps.beside() ? { beside: true } : {}),
    };
  }

  function fromTab(event: MediaEvent): void {
    noteMediaEvent(qoe, event);
    if (event.t === "samples" && !agora.on) picture.addSamples(event.samples);
    else if (event.t === "token-expiring") renewToken();
    else if (event.t === "ice" && agora.on) agora.ice(event.state);
    if (event.t === "silent") silences.silent();
    else if (event.t === "heard") silences.heard();
    else if (event.t === "moved") silences.moved();
    connection?.fromTab(event);
  }

  function renewToken(): void {
    const { priv, slice } = calls;
    if (priv === null || slice.info === null) return;
    void agora.renew(priv.me, slice.info.channel, sameCall());
  }

  const signalling = createCallSignalling({
    ...deps,
    onEntered(resumed) {
      if (calls.priv?.arriving === true) {
        if (resumed) arriving.resumed();
        return;
      }
      startQoe();
      qoe.event(QUALITY_EVENT.enter, { detail: resumed ? "resumed" : "entered" });
      silences.resumed();
    },
    onReachable() {
      connection?.reachableChanged();
      moving.reachableChanged();
    },
    onBody: fromPeer,
    onEnded: ended,
    onRefused: refused,
    onMove: (news) => arriving.news(news),
  });

  const arriving = createArriving({
    ...deps,
    signalling,
    connection: () => connection,
    onTaken() {
      startQoe();
      qoe.event(QUALITY_EVENT.enter, { detail: "moved" });
    },
  });

  const silences = createSilences(
    { env, config, hurry: signalling.hurry, replaceSocket: signalling.replaceSocket },
    { changed: () => connection?.networkChanged(), moved: () => connection?.renew() },
  );

  const picture = createPicture({ calls, qoe, send: (command) => owner.send(command), signalling });

  function ended(reason: number): void {
    if (reason !== END_REASON.republish) deps.dispatch({ type: "rxTerminate", reason });
    else if (calls.priv?.caller === true) connection?.fromPeer({ op: OP.ping, want: "offer" });
  }

  function refused(reason: number): void {
    // The call ended while this side was away.
    if (reason === END_REASON.closed)
      deps.dispatch({ type: "rxTerminate", reason: END_REASON.offline });
    else if (calls.priv?.arriving === true) deps.dispatch({ type: "moveFailed" });
    else deps.dispatch({ type: "mediaFailed", code: "signalling.refused" });
  }

  function fromPeer(body: PeerMessage): void {
    if (body.op === OP.streamControl) {
      const { aoff, voff, picture: left } = body;
      calls.patch({ remote: { audioMuted: aoff === 1, videoOff: voff === 1, picture: left } });
    } else if (body.op === OP.terminate) ended(body.reason);
    else if (body.op === OP.growth) deps.onGrowth(body.body);
    else if (moving.takes(body)) moving.fromPeer(body);
    else connection?.fromPeer(body);
  }

  function startQoe(): void {
    const call = watchedCall(calls, (id) => owner.send({ t: "sample", id }), deps.onNoData);
    if (call !== null) qoe.start(call);
  }

  const moving = createMoving({
    ...deps,
    signalling,
    onMoved(next) {
      connection?.dispose();
      connection = next;
    },
  });
  const makeConnection = (): CallConnection =>
    createCallConnection({
      ...deps,
      owner,
      signalling,
      ...(calls.priv?.arriving === true ? { takingOver: arriving.takingOver } : {}),
    });
  const bindOwner = (): void => {
    if (owner.info !== null) connection?.ownerReady(owner.info.epoch);
  };
  /** The caller's description and candidates are ready while it rings, and leave when the callee enters the session. */
  function startConnection(): void {
    if (connection !== null) return;
    connection = makeConnection();
    connection.start();
    bindOwner();
  }

  const restoring = createRestoring({
    calls,
    tabs: deps.tabs,
    admitting,
    agora,
    owner,
    signalling,
    connection: () => connection,
    makeConnection() {
      connection = makeConnection();
    },
    bindOwner,
    failMedia,
    sameCall,
  });

  return {
    seed(epoch) {
      owner.seed(epoch);
      calls.setOwnerEpoch(owner.epoch);
    },
    begin() {
      admitting.reset();
      admitting.whenAdmitted(
        () => {
          if (calls.priv?.caller === true) signalling.open();
        },
        // the code that needs the admission requests it again and reports the error
        () => undefined,
      );
    },
    prepare(tabId) {
      const current = sameCall();
      admitting.whenAdmitted(async () => {
        const { info, owner: holder } = calls.slice;
        const { priv } = calls;
        if (info === null || priv === null || holder !== null) return;
        if (agora.on) await agora.join(priv.me, info.channel, current);
        if (!current()) return;
        if (priv.arriving && connection === null) {
          connection = makeConnection();
          connection.renegotiate();
        }
        owner.acquire(tabId);
      }, failMedia);
    },
    whenOpened(run) {
      if (owner.info?.ready === true) run();
      else whenOpened.push(run);
    },
    enterSession() {
      if (agora.on) return;
      admitting.whenAdmitted(
        () => {
          signalling.open();
          if (signalling.refused !== null) return refused(signalling.refused);
          // The device that has the call says first what it is.
          if (calls.priv?.arriving !== true) startConnection();
        },
        // `prepare` requested the same admission and reports its error
        () => undefined,
      );
    },
    terminate: signalling.terminate,
    get codecs() {
      return codecs;
    },
    tellGrowth: async (body) =>
      relay === null
        ? (await signalling.relay({ op: OP.growth, body })) === RESULT.ok
        : await relay.tellGrowth(body),
    localChanged(retry = []) {
      const { audioMuted, videoOff } = calls.slice.local;
      owner.send({
        t: "local",
        audioMuted,
        videoOff,
        ...(retry.length > 0 ? { retry: [...retry] } : {}),
      });
      signalling.tellStreams();
    },
    moveTo: (tabId) => owner.moveTo(tabId),
    restore: restoring.restore,
    claimed: restoring.claimed,
    close() {
      admitting.reset();
      agora.forget();
      whenOpened = [];
      restoring.forget();
      arriving.stop();
      connection?.stop();
      connection = null;
      signalling.close();
      owner.release();
      picture.reset();
      qoe.stop();
    },
    stop() {
      relay?.stop();
      admitting.reset();
      connection?.dispose();
      connection = null;
      moving.stop();
      arriving.stop();
      signalling.stop();
      owner.stop();
      qoe.close();
    },
  };
}
