/**
 * The media of a conference: which tab owns them, what is published and subscribed, and what each change of the streams requires.
 */
import { SERVER_WORDS, told } from "../../../shared/domain/notice-texts.ts";
import type { ConfrEvent } from "../../../shared/protocol/confr-media.ts";
import {
  CONFR_END,
  CONFR_OP,
  type ConfrServerSignal,
  type ConfrStream,
} from "../../../shared/protocol/confr-signalling.ts";
import { createOwner, type Owner } from "../media-owner/index.ts";
import { CONFR_CLAIM } from "../claims.ts";
import type { StreamSample } from "../../../shared/protocol/qoe.ts";
import type { Claim, CoreEnv, Store, Tabs, Timer } from "../contracts.ts";
import { type Camera, createCamera } from "./camera.ts";
import { type ConferenceConfig, OWNER_CONFIG } from "./config.ts";
import type { ConferenceRecord } from "./kept.ts";
import {
  CODECS,
  createConnections,
  type Connections,
  pubKey,
  type Refused,
} from "./connections.ts";
import { createLocal, type Local } from "./local.ts";
import type { Model } from "./model.ts";
import { createTileQuality } from "./quality.ts";
import type { OwnType, Wish } from "./negotiation.ts";
import { LOST } from "./pending.ts";
import { createScreenShare, type ScreenShare } from "./screen.ts";
import type { ConferenceSession } from "./session.ts";
import { PUBLISH_REFUSED } from "./texts.ts";

export interface MediaDeps {
  readonly env: CoreEnv;
  readonly config: ConferenceConfig;
  readonly tabs: Tabs;
  readonly notice: Store["notice"];
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly wire: () => ConferenceSession | null;
  readonly nextEpoch?: (last: number) => number;
  /** No tab was open during the whole grace time. */
  readonly onAbandoned: () => void;
  readonly onSamples?: (id: string, samples: readonly StreamSample[]) => void;
  /** @param code an event code of quality records: 2 connected, 4 failed, 5 weak, 14 publishing, 16 subscribed */
  readonly onQuality?: (code: number, rtcId: string | null, detail: string) => void;
}

export interface Media {
  readonly owner: Owner;
  readonly links: Connections;
  readonly local: Local;
  readonly screen: ScreenShare;
  /** Makes this tab the owner, or the best tab if it is gone. */
  acquire(tabId: string): void;
  /** The conference was entered or resumed: publishes and subscribes what is wanted. */
  entered(resumed: boolean): void;
  /** A stream was published or republished. */
  added(stream: ConfrStream): void;
  removed(stream: ConfrStream): void;
  /** The person chose what to receive of a stream; null: nothing. */
  choose(stream: ConfrStream, want: { video: boolean; audio: boolean } | null): void;
  readonly camera: Camera;
  unpublish(type: OwnType): void;
  /** The type of an own stream; null when the stream is not an own one. */
  typeOf(streamId: string): OwnType | null;
  terminated(signal: Extract<ConfrServerSignal, { op: 107 }>): void;
  /** Asks the owner tab for samples. @returns false when there is no owner */
  sample(id: string): boolean;
  /** An earlier core was in the conference: the tab that claims the media keeps them. */
  restore(): void;
  claimed(tabId: string, claim: Claim): void;
  /** Ends all media. A later conference starts from the initial state. */
  end(): void;
  /** Stops and sends nothing, so that the next core can continue. */
  stop(): void;
}

export function createMedia(deps: MediaDeps): Media {
  const { env, config, model, record } = deps;
  const slice = () => model.slice;
  const wishing = new Map<string, Timer>();
  /** Sizes of the own pictures, by rtcId. */
  const sizes = new Map<string, { readonly w: number; readonly h: number }>();
  /** Connections of an earlier core's owner tab. `awaited` until that tab claims them, null when there are none to take over. */
  let past: { readonly rtcIds: readonly string[] } | "awaited" | null = null;
  /** Whether the server resumed the session, and so kept its connections. */
  let knows = false;

  const owner = createOwner({
    env,
    tabs: deps.tabs,
    config: OWNER_CONFIG,
    needsDevices: false,
    ...(deps.nextEpoch === undefined ? {} : { nextEpoch: deps.nextEpoch }),
    request: () => ({
      callId: `${CONFR_CLAIM}${record.now?.confrId ?? ""}`,
      media: "video",
      audioMuted: slice().local.audioMuted,
      audioOff: slice().local.audioOff || !slice().local.publishing,
      videoOff: slice().local.videoOff || !slice().local.publishing,
      rtcCfg: record.now?.rtcCfg ?? { iceServers: [] },
      engine: { kind: "conference" },
    }),
    onChange(info) {
      if (record.now !== null) model.patch({ owner: info });
    },
    onAsked(epoch) {
      record.patch({ ownerEpoch: epoch });
      const held = past !== null;
      past = null;
      local.ownerChanged();
      screen.ownedBy(owner.info?.tabId ?? null);
      // It is another tab, or the same tab with a new engine: no connection is left.
      links.moved();
      if (held && isInside()) reconcile(new Map());
    },
    onReady: () => local.tell(),
    onEvent(event) {
      if (event.t === "confr") heard(event.body);
      else if (event.t === "capture") local.captured(event);
      else if (event.t === "samples") {
        quality.take(event.samples);
        deps.onSamples?.(event.id, event.samples);
      }
    },
    onFailed(error) {
      deps.notice({ style: "error", text: error.message, key: error.code, code: error.code });
    },
    onAbandoned: deps.onAbandoned,
  });

  const links: Connections = createConnections({
    env,
    config,
    reachable: () => deps.wire()?.entered === true,
    ask: (request) => deps.wire()?.ask(request) ?? Promise.resolve(LOST),
    say: (request) => deps.wire()?.say(request) ?? null,
    command: (body) => void owner.send({ t: "confr", body }),
    codecs: () => record.now?.codecs?.send ?? CODECS,
    own(type) {
      const id = record.now?.streams[String(type)] ?? null;
      const flags = type === 1 ? ({ voff: 0, aoff: 0 } as const) : local.flags();
      const vcodec = id === null ? null : (slice().streams[id]?.vcodec ?? null);
      return {
        id,
        vcodec,
        ...flags,
        resolution: sizes.get(links.rtcIdOf(pubKey(type)) ?? "") ?? null,
      };
    },
    onPublished(type, stream) {
      record.patch({ streams: { ...record.now?.streams, [String(type)]: stream.id } });
      model.put(stream);
      if (type === 0) local.tell();
    },
    onState(key, state) {
      model.patchStream(idOf(key), { link: state });
      keepLinks();
      // If the media path is lost, the socket's path may be lost too.
      if (state === "weak") deps.wire()?.probe();
      if (state === "weak") deps.onQuality?.(5, links.rtcIdOf(key), "disconnected");
    },
    onUp({ kind }, rtcId) {
      deps.onQuality?.(2, rtcId, "connected");
      deps.onQuality?.(kind === "pub" ? 14 : 16, rtcId, kind === "pub" ? "push" : "sub");
    },
    onRefused,
    onFailed(wish) {
      const key = wish.kind === "pub" ? "conference.pub-failed" : "conference.sub-failed";
      deps.notice({ style: "warning", ...told(key) });
      deps.onQuality?.(4, null, wish.kind === "pub" ? "push-fail" : "sub-fail");
    },
  });
  const quality = createTileQuality({
    env,
    model,
    rtcIdOf: ({ id, type, located }) => links.rtcIdOf(located ? pubKey(type === 1 ? 1 : 0) : id),
  });
  const local: Local = createLocal({
    env,
    config,
    model,
    record,
    toTab: (command) => void owner.send(command),
    ask: (request) => deps.wire()?.ask(request) ?? Promise.resolve(LOST),
    rtcId: () => links.rtcIdOf(pubKey(0)),
    onRefused: (why) => deps.notice({ style: "warning", ...told(why) }),
    onCaptured: () => camera.captured(),
  });
  const camera: Camera = createCamera({
    env,
    config,
    model,
    record,
    links: () => links,
    local: () => local,
  });
  const screen = createScreenShare({
    model,
    record,
    owner,
    links,
    notice: deps.notice,
    unpublish: () => unpublish(1),
  });

  const isInside = (): boolean => slice().status === "joined";
  const idOf = (key: string): string =>
    key.startsWith("pub:") ? (record.now?.streams[key.slice(4)] ?? "") : key;
  function keepLinks(): void {
    const entries = Object.entries(links.rtcIds).flatMap(([key, rtcId]) => {
      const sver = slice().streams[idOf(key)]?.sver;
      return sver === undefined ? [] : [[key, { rtcId, sver }] as const];
    });
    record.patch({ links: Object.fromEntries(entries) });
  }

  function onRefused(wish: Wish, { answer, endReason }: Refused): void {
    if (wish.kind === "sub") {
      if (endReason !== CONFR_END.codecUnsupported) return;
      deps.notice({ style: "warning", ...told("conference.codec") });
      return;
    }
    if (wish.type === 1) screen.ended();
    else if (endReason === CONFR_END.tooManyVideos) camera.tooMany();
    else local.publishing(false);
    const known = endReason === null ? undefined : PUBLISH_REFUSED[endReason];
    if (known !== undefined) deps.notice({ style: "warning", ...told(known) });
    // Show the server's own message unchanged.
    else if (answer.msg !== "") {
      deps.notice({ style: "warning", text: answer.msg, key: SERVER_WORDS });
    }
  }

  /** What to receive of a stream: the person's choice, otherwise as autoSub says. */
  function wanted(stream: ConfrStream): { video: boolean; audio: boolean } | null {
    const { now } = record;
    const chosen = now?.chosen[stream.id];
    if (chosen !== undefined) return chosen;
    if (now?.autoSub !== true) return null;
    return { video: stream.hasVideo, audio: stream.hasAudio };
  }
  function follow(stream: ConfrStream, rtcId?: string): void {
    if (stream.memId === slice().self?.memId) return;
    const want = wanted(stream);
    if (want === null) {
      links.stop(stream.id);
      model.patchStream(stream.id, { video: false, audio: false, link: "none" });
      return;
    }
    const wish = { kind: "sub" as const, stream, ...want };
    if (rtcId === undefined) links.subscribe(wish);
    else links.adopt(wish, rtcId);
    model.patchStream(stream.id, want);
  }

  /** Publishes and subscribes what is wanted. @param standing the rtcIds of connections that the tab still has, by key */
  function reconcile(standing: ReadonlyMap<string, string>): void {
    const { streams, self, local: mine } = slice();
    // A screen capture ends with its tab.
    if (!mine.sharing) forget(1);
    camera.follow(standing.get(pubKey(0)));
    const captured = standing.get(pubKey(1));
    if (mine.sharing && links.stateOf(pubKey(1)) === "none") {
      if (captured === undefined) screen.again();
      else links.adopt({ kind: "pub", type: 1, ext: "" }, captured);
    }
    for (const stream of Object.values(streams)) {
      if (stream.memId !== self?.memId) follow(stream, standing.get(stream.id));
      else if (typeOf(stream.id) === null) mineToo(stream);
    }
    local.tell();
  }
  /** Handles an own stream that this core does not know: its answer was lost, or only an earlier core sent it. */
  function mineToo({ id, type, rtcId }: ConfrStream): void {
    if (type !== 2 && links.stateOf(pubKey(type)) !== "none") {
      record.patch({ streams: { ...record.now?.streams, [String(type)]: id } });
    } else deps.wire()?.say({ op: CONFR_OP.terminate, rtcId, reason: 0 });
  }
  /** The connections of an earlier core that its tab still has and whose streams are unchanged, by key. The tab closes the others. */
  function standingIn(rtcIds: readonly string[]): Map<string, string> {
    const standing = new Map<string, string>();
    for (const [key, { rtcId, sver }] of Object.entries(record.now?.links ?? {})) {
      // A server that has forgotten the session has no connection of it.
      const same = knows && slice().streams[idOf(key)]?.sver === sver;
      if (same && rtcIds.includes(rtcId)) standing.set(key, rtcId);
    }
    const known = new Set(standing.values());
    for (const rtcId of rtcIds) {
      if (!known.has(rtcId)) owner.send({ t: "confr", body: { t: "close", rtcId } });
    }
    return standing;
  }

  function entered(resumed: boolean): void {
    knows = resumed;
    if (past === "awaited") return;
    const before = past;
    past = null;
    if (before !== null) {
      reconcile(standingIn(before.rtcIds));
      return;
    }
    if (resumed) links.resumed();
    else links.moved();
    reconcile(new Map());
  }

  function forget(type: OwnType): void {
    const { [String(type)]: gone, ...streams } = record.now?.streams ?? {};
    if (gone !== undefined) record.patch({ streams });
  }
  function unpublish(type: OwnType): void {
    links.stop(pubKey(type));
    forget(type);
    if (type === 1) screen.ended();
    else local.publishing(false);
  }
  function typeOf(streamId: string): OwnType | null {
    const found = Object.entries(record.now?.streams ?? {}).find(([, id]) => id === streamId);
    return found === undefined ? null : found[0] === "1" ? 1 : 0;
  }

  function heard(event: ConfrEvent): void {
    if (event.t === "wish") {
      const { streamId, layer } = event;
      wishing.get(streamId)?.cancel();
      const timer = env.clock.after(config.wishDelayMillis, () => {
        wishing.delete(streamId);
        links.wish(streamId, layer);
        model.patchStream(streamId, { layer });
      });
      wishing.set(streamId, timer);
    } else if (event.t === "talking") {
      const own = record.now?.streams["0"] ?? "";
      const ids = new Set(event.streamIds.map((id) => (id === "self" ? own : id)));
      for (const id of Object.keys(slice().streams)) {
        model.patchStream(id, { talking: ids.has(id) });
      }
    } else if (event.t === "resolution") {
      const { rtcId, w, h } = event;
      sizes.set(rtcId, { w, h });
      const own = ([0, 1] as const).find((type) => links.rtcIdOf(pubKey(type)) === rtcId);
      if (own !== undefined) model.patchStream(idOf(pubKey(own)), { resolution: { w, h } });
    } else if (event.t === "screen") screen.heard(event);
    else links.event(event);
  }

  return {
    owner,
    links,
    local,
    camera,
    screen,
    acquire: (tabId) => owner.acquire(tabId),
    entered,
    added: (stream) => follow(stream),
    removed(stream) {
      wishing.get(stream.id)?.cancel();
      wishing.delete(stream.id);
      const type = typeOf(stream.id);
      if (type === null) return links.stop(stream.id);
      // The server removed it: the role may not publish, or the session was not resumed in time.
      forget(type);
      links.stop(pubKey(type));
      if (type === 1) return screen.ended();
      camera.removed();
    },
    choose(stream, want) {
      record.patch({ chosen: { ...record.now?.chosen, [stream.id]: want } });
      follow(stream);
    },
    unpublish,
    typeOf,
    terminated({ rtcId, endReason, vcodes }) {
      if (rtcId !== undefined && endReason !== undefined) {
        links.terminated(rtcId, endReason, vcodes);
      }
    },
    sample: (id) => owner.send({ t: "sample", id }),
    restore() {
      past = "awaited";
      owner.await();
    },
    claimed(tabId, claim) {
      const ours = claim.callId === `${CONFR_CLAIM}${record.now?.confrId ?? ""}`;
      if (past === "awaited" && ours && owner.adopt(tabId, claim)) {
        past = { rtcIds: claim.rtcIds };
        screen.adopted(tabId, claim.rtcIds);
        if (isInside()) entered(knows);
        return;
      }
      if (owner.info?.tabId !== tabId) {
        deps.tabs.media(tabId)?.send({ t: "release", epoch: claim.ownerEpoch });
      }
    },
    end() {
      for (const timer of wishing.values()) timer.cancel();
      wishing.clear();
      camera.stop();
      past = null;
      links.stopAll();
      quality.reset();
      sizes.clear();
      owner.release();
      local.reset();
      screen.reset();
    },
    stop() {
      for (const timer of wishing.values()) timer.cancel();
      wishing.clear();
      camera.stop();
      owner.stop();
      links.dispose();
    },
  };
}
