/**
 * The media of a conference: joins the owner tab, the connections, the own devices and screen, and what is followed of the streams. Callers
 * see one object; its parts are not visible outside this file.
 */
import { type AddressRewrites, NO_REWRITES } from "../../../shared/domain/address-rewrites.ts";
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { noticeFields } from "../../../shared/domain/notice-texts.ts";
import { createOwner } from "../media-owner/index.ts";
import { type Camera, createCamera } from "./camera.ts";
import { OWNER_CONFIG } from "./config.ts";
import { CODECS, keyOfStream, type OwnType, pubKey } from "./connection.ts";
import { createConnectionReports } from "./connection-reports.ts";
import { createConnections, type Connections } from "./connections.ts";
import { createWantedStreams } from "./wanted-streams.ts";
import { createLocal, type Local } from "./local.ts";
import type { Media, MediaDeps } from "./media-contracts.ts";
import { createNetworkChange } from "./network-change.ts";
import type { Publication } from "../../../shared/protocol/confr-publish.ts";
import { createOwnStreams } from "./own-streams.ts";
import { codecsFor, createPublications } from "./publication.ts";
import { createTileQuality } from "./quality.ts";
import { createScreenShare, type ScreenShare } from "./screen.ts";
import { LOST } from "./session.ts";
import { createTabEvents } from "./tab-events.ts";
import { claimOf, createTakeover } from "./takeover.ts";

export function createMedia(deps: MediaDeps): Media {
  const { env, config, model, record } = deps;
  const own = createOwnStreams(record);
  const publications = createPublications(record);
  const network = createNetworkChange(deps);
  const rewrites = (): AddressRewrites => env.rewrites?.() ?? NO_REWRITES;

  const owner = createOwner({
    env,
    tabs: deps.tabs,
    config: OWNER_CONFIG,
    needsDevices: false,
    onTakeover: deps.onTakeover,
    nextEpoch: deps.nextEpoch,
    request(tabId) {
      const { audioMuted, audioOff, videoOff, publishing } = model.slice.local;
      // No device replaces a track of the host page that stays in another tab.
      const lost = publications.elsewhere(tabId);
      const { sources } = publications;
      return {
        callId: claimOf(record.now?.confrId),
        media: "video",
        audioMuted,
        audioOff: audioOff || !publishing || lost.includes("audio"),
        videoOff: videoOff || !publishing || lost.includes("video"),
        ...(sources === undefined ? {} : { sources }),
        rtcCfg: rewrites().ice(record.now?.rtcCfg ?? { iceServers: [] }),
        engine: deps.cloud.engine(),
        ...(deps.beside() ? { beside: true } : {}),
      };
    },
    onChange(info) {
      if (record.now !== null) model.patch({ owner: info });
    },
    onAsked(epoch) {
      record.patch({ ownerEpoch: epoch });
      local.ownerChanged();
      loseOwnTracks();
      deps.onCamera("owner");
      screen.ownedBy(owner.info?.tabId ?? null);
      // It is another tab, or the same tab with a new engine: no connection is left.
      connections.moved();
      deps.onControl("moved");
      takeover.ownerChanged();
      deps.recording().ownerChanged();
    },
    onReady() {
      local.sendState();
      deps.onCamera("ready");
      deps.recording().look();
    },
    onEvent(event) {
      if (event.t === "conference") {
        const { body } = event;
        if (body.t === "moved" && !network.found()) return;
        if (body.t === "recording") return deps.recording().heard(body);
        if (body.t === "camera-done" || body.t === "camera-state") deps.onCamera(body);
        else events.heard(body);
        deps.recording().look();
      } else if (event.t === "capture") local.captured(event);
      else if (event.t === "token-expiring") deps.cloud.expiring((next) => void owner.send(next));
      else if (event.t === "samples") {
        quality.addSamples(event.samples);
        deps.onSamples(event.id, event.samples, event.late);
      }
    },
    onFailed(error) {
      deps.notice({ style: "error", text: error.message, key: error.code, code: error.code });
    },
    onAbandoned: deps.onAbandoned,
  });
  const events = createTabEvents({
    env,
    config,
    model,
    own,
    connections: () => connections,
    screen: () => screen,
    onMedia: deps.onMedia,
    onControlAble: (able) => deps.onControl({ able }),
  });
  const reports = createConnectionReports({
    model,
    record,
    own,
    signals: deps.signals,
    targets: () => ({ connections, local, camera, screen }),
    notice: deps.notice,
    apply: deps.apply,
    probe: () => deps.wire()?.probe(),
    onQuality: deps.onQuality,
  });
  const connections: Connections = createConnections({
    env,
    config,
    reachable: () => deps.wire()?.entered === true,
    ask: (request) => deps.wire()?.ask(request) ?? Promise.resolve(LOST),
    sendWithoutAnswer: (request) => deps.wire()?.sendWithoutAnswer(request) ?? null,
    hurry: (atLeast) => deps.wire()?.hurry(atLeast),
    replaceSocket: () => deps.wire()?.replace("another address"),
    command: (body) => void owner.send({ t: "conference", body }),
    codecs(type) {
      const can = record.now?.codecs?.send ?? CODECS;
      return type === null ? can : codecsFor(can, publications.settings(type));
    },
    settings: publications.settings,
    own(type) {
      const id = own.idOf(type);
      return {
        id,
        sentAs: publications.sentAs(type),
        vcodec: id === null ? undefined : model.slice.streams[id]?.vcodes[0],
        ...(type === STREAM_TYPE.screen ? ({ voff: 0, aoff: 0 } as const) : local.flags()),
        resolution: events.sizeOf(connections.rtcIdOf(pubKey(type))),
      };
    },
    ...reports,
  });
  const quality = createTileQuality({
    env,
    model,
    rtcIdOf: (stream) => connections.rtcIdOf(keyOfStream(stream)),
    onQuality: deps.onQuality,
  });
  const local: Local = createLocal({
    env,
    config,
    model,
    record,
    toTab: (command) => void owner.send(command),
    ask: (request) => deps.wire()?.ask(request) ?? Promise.resolve(LOST),
    sources: () => publications.sources,
    rtcId: () => connections.rtcIdOf(pubKey(STREAM_TYPE.camera)),
    onRefused: (why) => deps.notice({ style: "warning", ...noticeFields(why) }),
    onCaptured: () => camera.captured(),
  });
  const camera: Camera = createCamera({ env, config, model, record, connections, local });
  const screen: ScreenShare = createScreenShare({
    model,
    record,
    owner,
    connections,
    notice: deps.notice,
    unpublish: () => unpublish(STREAM_TYPE.screen),
  });
  const wantedStreams = createWantedStreams({
    model,
    record,
    own,
    sentAs: publications.sentAs,
    connections,
    camera,
    screen,
    local,
    sendRequest: (request) => void deps.wire()?.ask(request).then(reports.onUnpublished),
  });

  const takeover = createTakeover({
    tabs: deps.tabs,
    model,
    record,
    own,
    owner,
    connections,
    screen,
    wantedStreams,
  });

  function unpublish(type: OwnType): void {
    connections.stop(pubKey(type));
    own.forget(type);
    publications.forget(type);
    if (type === STREAM_TYPE.screen) return screen.ended();
    local.publishing(false);
    wantedStreams.followMix();
  }
  /** The media are in a tab that lacks the host page's own tracks: what they gave ends (docs/conferences.md#own-tracks-and-bitrates). */
  function loseOwnTracks(): void {
    const lost = publications.loseOwn(owner.info?.tabId ?? "");
    if (lost.length === 0) return;
    const { audioOff, videoOff } = model.slice.local;
    const off = { audio: audioOff, video: videoOff };
    const streamId = own.idOf(STREAM_TYPE.camera);
    deps.signals.report({
      code: "OwnTracksLost",
      ...(streamId === null ? {} : { streamId }),
      details: { kinds: lost },
    });
    const isLeft = (["audio", "video"] as const).some((kind) => !lost.includes(kind) && !off[kind]);
    if (isLeft) local.close(lost);
    else unpublish(STREAM_TYPE.camera);
  }
  const rememberPublication = (type: OwnType, publication: Publication | null): void => {
    if (publication === null) publications.forget(type);
    else publications.remember(type, publication);
  };
  const isPublishing = (type: OwnType): boolean => connections.stateOf(pubKey(type)) !== "none";

  return {
    get ownerEpoch() {
      return owner.epoch;
    },
    seedEpoch: (epoch) => owner.seed(epoch),
    acquire: (tabId) => owner.acquire(tabId),
    moveTo: (tabId) => owner.moveTo(tabId),
    entered(resumed, address) {
      if (network.entered(address) && resumed) connections.addressChanged();
      takeover.entered(resumed);
    },
    added: (stream) => wantedStreams.follow(stream),
    removed(stream) {
      events.removed(stream.id);
      const type = own.typeOf(stream.id);
      if (type === null) return connections.stop(stream.id);
      // The server removed it: the role may not publish, or the session was not resumed in time.
      own.forget(type);
      connections.stop(pubKey(type));
      if (type === STREAM_TYPE.screen) return screen.ended();
      camera.removed();
    },
    choose: wantedStreams.choose,
    async publishCamera(wish, ext, publication = null) {
      record.patch({ pubExt: ext });
      rememberPublication(STREAM_TYPE.camera, publication);
      const hasOwn = Object.values(publication?.sources ?? {}).includes("own");
      if (hasOwn && publication !== null && owner.info?.tabId !== publication.tabId) {
        owner.moveTo(publication.tabId);
      }
      local.publishing(true);
      local.set(wish);
      try {
        const stream = await camera.publish();
        wantedStreams.followMix();
        return stream;
      } catch (reason) {
        if (!isPublishing(STREAM_TYPE.camera)) local.publishing(false);
        throw reason;
      }
    },
    shareScreen(tabId, ext, publication = null) {
      rememberPublication(STREAM_TYPE.screen, publication);
      return screen.share(tabId, ext);
    },
    screenHasSound: (tabId) => screen.hasAudio(tabId),
    isPublishing,
    unpublish,
    typeOf: own.typeOf,
    constrain(kind, constraints, tabId) {
      if (publications.constrain(kind, constraints, tabId)) local.sendState();
    },
    turn: (wish, publish) => camera.turn(wish, publish),
    turnOff: () => local.publishing(false),
    followMutes: () => local.followMutes(),
    rtcIdOf: (stream) => connections.rtcIds[keyOfStream(stream)] ?? null,
    isReady: () => owner.info?.ready === true,
    command: (body) => void owner.send({ t: "conference", body }),
    receives({ id, hasAudio, aoff, hasVideo, voff }) {
      const rtcId = connections.rtcIdOf(id);
      return (
        (!hasAudio || aoff === 1 || events.hasMedia(rtcId, "audio")) &&
        (!hasVideo || voff === 1 || events.hasMedia(rtcId, "video"))
      );
    },
    shows: ({ id, hasVideo, voff }) => !hasVideo || voff === 1 || events.isShown(id),
    control: (body) => void owner.send({ t: "conference", body }),
    screenId: () => (isPublishing(STREAM_TYPE.screen) ? own.idOf(STREAM_TYPE.screen) : null),
    candidates: (rtcId, cands) => connections.candidates(rtcId, rewrites().candidates(cands)),
    terminated: (signal) => connections.terminated(signal),
    described(rtcId, { type, sdp }) {
      connections.described(rtcId, { type, sdp: rewrites().sdp(sdp) });
    },
    controlCamera: (body) => owner.send({ t: "conference", body }),
    sample: (id) => owner.send({ t: "sample", id }),
    restore: takeover.await,
    claimed: takeover.claimed,
    end() {
      events.reset();
      camera.stop();
      takeover.reset();
      connections.stopAll();
      quality.reset();
      network.reset();
      owner.release();
      local.reset();
      screen.reset();
    },
    stop() {
      events.cancel();
      camera.stop();
      owner.stop();
      connections.dispose();
    },
  };
}
