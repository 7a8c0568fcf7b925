/**
 * The media of a conference: joins the owner tab, the connections, the own devices and screen, and what is followed of the streams. Callers
 * see one object; its parts are not visible outside this file.
 */
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { noticeFields } from "../../../shared/domain/notice-texts.ts";
import { createOwner } from "../media-owner/index.ts";
import { type Camera, createCamera } from "./camera.ts";
import { OWNER_CONFIG } from "./config.ts";
import { CODECS, type OwnType, pubKey } from "./connection.ts";
import { createConnectionReports } from "./connection-reports.ts";
import { createConnections, type Connections } from "./connections.ts";
import { createWantedStreams } from "./wanted-streams.ts";
import { createLocal, type Local } from "./local.ts";
import type { Media, MediaDeps } from "./media-contracts.ts";
import { createOwnStreams } from "./own-streams.ts";
import { createTileQuality } from "./quality.ts";
import { createScreenShare, type ScreenShare } from "./screen.ts";
import { LOST } from "./session.ts";
import { createTabEvents } from "./tab-events.ts";
import { claimOf, createTakeover } from "./takeover.ts";

export function createMedia(deps: MediaDeps): Media {
  const { env, config, model, record } = deps;
  const own = createOwnStreams(record);

  const owner = createOwner({
    env,
    tabs: deps.tabs,
    config: OWNER_CONFIG,
    needsDevices: false,
    onTakeover: deps.onTakeover,
    nextEpoch: deps.nextEpoch,
    request() {
      const { audioMuted, audioOff, videoOff, publishing } = model.slice.local;
      return {
        callId: claimOf(record.now?.confrId),
        media: "video",
        audioMuted,
        audioOff: audioOff || !publishing,
        videoOff: videoOff || !publishing,
        rtcCfg: record.now?.rtcCfg ?? { iceServers: [] },
        engine: { kind: "conference" },
        ...(deps.beside() ? { beside: true } : {}),
      };
    },
    onChange(info) {
      if (record.now !== null) model.patch({ owner: info });
    },
    onAsked(epoch) {
      record.patch({ ownerEpoch: epoch });
      local.ownerChanged();
      screen.ownedBy(owner.info?.tabId ?? null);
      // It is another tab, or the same tab with a new engine: no connection is left.
      connections.moved();
      takeover.ownerChanged();
    },
    onReady: () => local.sendState(),
    onEvent(event) {
      if (event.t === "confr") events.heard(event.body);
      else if (event.t === "capture") local.captured(event);
      else if (event.t === "samples") {
        quality.addSamples(event.samples);
        deps.onSamples(event.id, event.samples);
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
  });
  const reports = createConnectionReports({
    model,
    record,
    own,
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
    command: (body) => void owner.send({ t: "confr", body }),
    codecs: () => record.now?.codecs?.send ?? CODECS,
    own(type) {
      const id = own.idOf(type);
      return {
        id,
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
    rtcIdOf: ({ id, type, located }) =>
      connections.rtcIdOf(
        located ? pubKey(type === STREAM_TYPE.screen ? type : STREAM_TYPE.camera) : id,
      ),
  });
  const local: Local = createLocal({
    env,
    config,
    model,
    record,
    toTab: (command) => void owner.send(command),
    ask: (request) => deps.wire()?.ask(request) ?? Promise.resolve(LOST),
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
    if (type === STREAM_TYPE.screen) screen.ended();
    else local.publishing(false);
  }
  const isPublishing = (type: OwnType): boolean => connections.stateOf(pubKey(type)) !== "none";

  return {
    get ownerEpoch() {
      return owner.epoch;
    },
    seedEpoch: (epoch) => owner.seed(epoch),
    acquire: (tabId) => owner.acquire(tabId),
    moveTo: (tabId) => owner.moveTo(tabId),
    entered: takeover.entered,
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
    async publishCamera(wish, ext) {
      record.patch({ pubExt: ext });
      local.publishing(true);
      local.set(wish);
      try {
        return await camera.publish();
      } catch (reason) {
        if (!isPublishing(STREAM_TYPE.camera)) local.publishing(false);
        throw reason;
      }
    },
    shareScreen: (tabId, ext) => screen.share(tabId, ext),
    screenHasSound: (tabId) => screen.hasAudio(tabId),
    isPublishing,
    unpublish,
    typeOf: own.typeOf,
    turn: (wish, publish) => camera.turn(wish, publish),
    turnOff: () => local.publishing(false),
    followMutes: () => local.followMutes(),
    receives({ id, hasAudio, aoff, hasVideo, voff }) {
      const rtcId = connections.rtcIdOf(id);
      return (
        (!hasAudio || aoff === 1 || events.hasMedia(rtcId, "audio")) &&
        (!hasVideo || voff === 1 || events.hasMedia(rtcId, "video"))
      );
    },
    shows: ({ id, hasVideo, voff }) => !hasVideo || voff === 1 || events.isShown(id),
    candidates: (rtcId, cands) => connections.candidates(rtcId, cands),
    terminated: (signal) => connections.terminated(signal),
    described: (rtcId, description) => connections.described(rtcId, description),
    sample: (id) => owner.send({ t: "sample", id }),
    restore: takeover.await,
    claimed: takeover.claimed,
    end() {
      events.reset();
      camera.stop();
      takeover.reset();
      connections.stopAll();
      quality.reset();
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
