/**
 * Joins the parts that carry a call: admission (ticket), the owner tab's media, the signalling session and the connection. The call
 * machine decides when; this file passes the outcomes back to it as events.
 */
import type { CallEvent } from "../../../shared/domain/call-events.ts";
import { AppError } from "../../../shared/errors.ts";
import type { MediaEvent } from "../../../shared/protocol/media-port.ts";
import { END_REASON, OP, type PeerMessage } from "../../../shared/protocol/signalling.ts";
import type { Claim, CoreEnv, Stats, Tabs } from "../contracts.ts";
import type { Qoe } from "../qoe/contracts.ts";
import { createAdmitting } from "./admission.ts";
import { createAgora } from "./agora.ts";
import type { CallConfig } from "./config.ts";
import { createCallConnection } from "./call-connection.ts";
import type { CallConnection } from "./connection.ts";
import type { CallConnectionSnapshot } from "./connection-state.ts";
import type { OwnRequest } from "../media-owner/contracts.ts";
import { createOwner } from "../media-owner/index.ts";
import { createCallSignalling } from "./signalling.ts";
import type { CallStore } from "./state.ts";
import type { Tickets } from "./tickets.ts";
import { watchedCall } from "./watched.ts";

export interface CallCoordinatorDeps {
  readonly nextEpoch: (last: number) => number;
  readonly env: CoreEnv;
  readonly tabs: Tabs;
  readonly stats: Pick<Stats, "socket" | "socketTraffic">;
  readonly config: CallConfig;
  readonly calls: CallStore;
  readonly tickets: Tickets;
  readonly qoe: Qoe;
  readonly dispatch: (event: CallEvent) => void;
  /** A notice about the devices for the person, e.g. that there is no camera. */
  readonly onDeviceNotice: (error: AppError) => void;
  readonly onNoData: (direction: "local" | "remote", noData: boolean, report: boolean) => void;
}

export interface CallCoordinator {
  /** Continues the owner epochs after the last one of an earlier core. */
  seed(epoch: number): void;
  /** A call begins: requests the ticket and, for the caller, enters the signalling session before the answer. */
  begin(): void;
  /** Opens the media in a tab, preferably that of the gesture. A failure becomes the event prepareFailed. */
  prepare(tabId?: string): void;
  /** Calls `run` once the media are open; never if the call ends before. */
  whenOpened(run: () => void): void;
  enterRoom(): void;
  /** @returns false when the session has not entered; the caller must then inform the other side by chat, as when `unheard` is called */
  terminate(reason: number, unheard: () => void): boolean;
  localChanged(): void;
  moveTo(tabId: string): void;
  /** Continues an earlier core's call. `linked`: the connection was being established or existed. */
  restore(claims: ReadonlyMap<string, Claim>, wanted: { media: boolean; linked: boolean }): void;
  /** A joining tab claims that it holds the media. */
  claimed(tabId: string, claim: Claim): void;
  close(): void;
  stop(): void;
}

export function createCallCoordinator(deps: CallCoordinatorDeps): CallCoordinator {
  const { env, config, calls, qoe } = deps;
  const agora = createAgora({ ...deps, send: (command) => owner.send(command) });
  const admitting = createAdmitting(deps);
  /** Returns a check whether the call is still the one for which it was made. */
  const sameCall = (): (() => boolean) => {
    const mine = admitting.generation;
    return () => mine === admitting.generation;
  };
  /** State of the connection when an earlier core ended. */
  let restored: CallConnectionSnapshot | null = null;
  let link: CallConnection | null = null;
  let whenOpened: (() => void)[] = [];

  const owner = createOwner({
    nextEpoch: deps.nextEpoch,
    env,
    tabs: deps.tabs,
    config,
    needsDevices: true,
    request: ownRequest,
    onChange(info) {
      calls.setOwnerEpoch(owner.epoch);
      calls.patch({ owner: info });
    },
    onAsked: (epoch) => link?.ownerReady(epoch),
    onOpened(event) {
      const { local } = calls.slice;
      calls.patch({ local: { ...local, hasAudio: event.hasAudio, hasVideo: event.hasVideo } });
      if (event.notice !== undefined) deps.onDeviceNotice(AppError.fromWire(event.notice));
      restored = null;
      if (agora.on) startQoe();
      signalling.tellStreams();
      const waiting = whenOpened;
      whenOpened = [];
      for (const run of waiting) run();
    },
    onEvent: fromTab,
    onFailed: failMedia,
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
    };
  }

  function fromTab(event: MediaEvent): void {
    if (event.t === "samples") qoe.samples(event.id, event.samples);
    else if (event.t === "first-media") qoe.mark("first-media", `${event.kind} ${event.rtcId}`);
    else if (event.t === "autoplay") qoe.mark("autoplay", event.blocked ? "blocked" : "playing");
    else if (event.t === "devices") qoe.mark("devices", event.text);
    else if (event.t === "token-expiring") renewToken();
    else if (event.t === "ice") {
      qoe.event(20, { rtcId: event.rtcId, detail: event.state });
      if (agora.on) agora.ice(event.state);
    }
    link?.fromTab(event);
  }

  function renewToken(): void {
    const { priv, slice } = calls;
    if (priv === null || slice.info === null) return;
    void agora.renew(priv.me, slice.info.channel, sameCall());
  }

  const signalling = createCallSignalling({
    ...deps,
    onEntered(resumed) {
      startQoe();
      qoe.event(0, { detail: resumed ? "resumed" : "entered" });
    },
    onReachable: () => link?.reachableChanged(),
    onBody: fromPeer,
    onEnded: (reason) => deps.dispatch({ type: "rxTerminate", reason }),
    onRefused: refused,
  });

  function refused(reason: number): void {
    if (reason === END_REASON.closed) deps.dispatch({ type: "rxTerminate", reason });
    else deps.dispatch({ type: "mediaFailed", code: "signalling.refused" });
  }

  function fromPeer(body: PeerMessage): void {
    if (body.op === OP.streamControl) {
      calls.patch({ remote: { audioMuted: body.aoff === 1, videoOff: body.voff === 1 } });
    } else if (body.op === OP.terminate) {
      deps.dispatch({ type: "rxTerminate", reason: body.reason });
    } else link?.fromPeer(body);
  }

  function startQoe(): void {
    const call = watchedCall(calls, (id) => owner.send({ t: "sample", id }), deps.onNoData);
    if (call !== null) qoe.start(call);
  }

  const makeConnection = (): CallConnection => createCallConnection({ ...deps, owner, signalling });
  const bindOwner = (): void => {
    if (owner.info !== null) link?.ownerReady(owner.info.epoch);
  };

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
        if (current()) owner.acquire(tabId);
      }, failMedia);
    },
    whenOpened(run) {
      if (owner.info?.ready === true) run();
      else whenOpened.push(run);
    },
    enterRoom() {
      if (agora.on) return;
      admitting.whenAdmitted(
        () => {
          signalling.open();
          if (signalling.refused !== null) return refused(signalling.refused);
          if (link !== null) return;
          link = makeConnection();
          link.start();
          bindOwner();
        },
        // `prepare` requested the same admission and reports its error
        () => undefined,
      );
    },
    terminate: signalling.terminate,
    localChanged() {
      const { audioMuted, videoOff } = calls.slice.local;
      owner.send({ t: "local", audioMuted, videoOff });
      signalling.tellStreams();
    },
    moveTo: (tabId) => owner.moveTo(tabId),
    restore(given, wanted) {
      admitting.reset();
      const claims = new Map(given);
      const { priv, slice } = calls;
      if (priv === null || slice.info === null) return;
      restored = priv.link;
      const go = (): void => {
        if (priv.caller || wanted.linked) signalling.open();
        if (!wanted.media) return;
        if (wanted.linked && !agora.on) link = makeConnection();
        for (const [tabId, claim] of claims) if (adoptClaim(tabId, claim)) return;
        if (restored?.state === "idle") {
          if (wanted.linked) link?.start();
        } else link?.renegotiate();
        owner.await();
      };
      if (!agora.on && priv.ticket !== null && priv.rtcCfg !== null) {
        admitting.reset({
          channel: slice.info.channel,
          ticket: priv.ticket,
          rtcCfg: priv.rtcCfg,
        });
        go();
        return;
      }
      const current = sameCall();
      admitting.whenAdmitted(
        async () => {
          if (agora.on && wanted.media) {
            await agora.join(priv.me, slice.info?.channel ?? "", current);
          }
          if (current()) go();
        },
        wanted.media ? failMedia : () => undefined,
      );
    },
    claimed(tabId, claim) {
      if (owner.info === null && adoptClaim(tabId, claim)) return;
      if (owner.info?.tabId !== tabId) {
        deps.tabs.media(tabId)?.send({ t: "release", epoch: claim.ownerEpoch });
      }
    },
    close() {
      admitting.reset();
      agora.forget();
      whenOpened = [];
      restored = null;
      link?.stop();
      link = null;
      signalling.close();
      owner.release();
      qoe.stop();
    },
    stop() {
      admitting.reset();
      link?.dispose();
      link = null;
      signalling.stop();
      owner.stop();
      qoe.close();
    },
  };

  /** Takes over the media of a tab that carried this call under an earlier core. */
  function adoptClaim(tabId: string, claim: Claim): boolean {
    const { priv, slice } = calls;
    if (priv === null || slice.info?.callId !== claim.callId) return false;
    const before = restored ?? priv.link;
    if (!owner.adopt(tabId, claim)) return false;
    if (link === null) return true;
    const stands =
      before.rtcId !== null &&
      claim.rtcIds.includes(before.rtcId) &&
      (before.state === "connected" || before.state === "weak");
    if (stands) link.resume(before, claim.ownerEpoch);
    else {
      if (before.state === "idle") link.start();
      else link.renegotiate();
      bindOwner();
    }
    return true;
  }
}
