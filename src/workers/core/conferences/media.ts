/**
 * The media of a conference: joins the owner tab, the connections, the own devices and screen, and what is followed of the streams. Callers
 * see one object; its parts are not visible outside this file.
 */
import { told } from "../../../shared/domain/notice-texts.ts";
import type {
  ConfrDescription,
  ConfrServerSignal,
  ConfrStream,
} from "../../../shared/protocol/confr-signalling.ts";
import type { StreamSample } from "../../../shared/protocol/qoe.ts";
import type { Candidate } from "../../../shared/protocol/signalling.ts";
import type { Claim, CoreEnv, Store, Tabs } from "../contracts.ts";
import { createOwner } from "../media-owner/index.ts";
import { type Camera, createCamera } from "./camera.ts";
import { type ConferenceConfig, OWNER_CONFIG } from "./config.ts";
import { CODECS, type OwnType, pubKey } from "./connection.ts";
import { createConnectionReports, type OnQuality } from "./connection-reports.ts";
import { createConnections, type Connections, type Terminated } from "./connections.ts";
import { type Choice, createFollowing } from "./following.ts";
import type { ConferenceRecord } from "./kept.ts";
import { createLocal, type Local, type LocalWish } from "./local.ts";
import type { Model } from "./model.ts";
import { createOwnStreams } from "./own-streams.ts";
import { createTileQuality } from "./quality.ts";
import { createScreenShare, type ScreenShare } from "./screen.ts";
import { type ConferenceSession, LOST } from "./session.ts";
import { createTabEvents } from "./tab-events.ts";
import { claimOf, createTakeover } from "./takeover.ts";

export interface MediaDeps {
  readonly env: CoreEnv;
  readonly config: ConferenceConfig;
  readonly tabs: Tabs;
  readonly notice: Store["notice"];
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly wire: () => ConferenceSession | null;
  /** Applies an event of the conference to the model, with its consequences. */
  readonly apply: (signal: ConfrServerSignal) => void;
  readonly nextEpoch: (last: number) => number;
  /** No tab was open during the whole grace time. */
  readonly onAbandoned: () => void;
  readonly onSamples: (id: string, samples: readonly StreamSample[]) => void;
  readonly onQuality?: OnQuality;
}

export interface Media {
  /** The epoch of the last owner tab. */
  readonly ownerEpoch: number;
  /** Continues after the last epoch of an earlier core. */
  seedEpoch(epoch: number): void;
  /** Makes this tab the owner, or the best tab if it is gone. */
  acquire(tabId: string): void;
  /** Moves the media to a tab at the person's request. */
  moveTo(tabId: string): void;

  /** The conference was entered or resumed: publishes and subscribes what is wanted. */
  entered(resumed: boolean): void;
  /** A stream was published or republished. */
  added(stream: ConfrStream): void;
  removed(stream: ConfrStream): void;
  /** The person chose what to receive of a stream; null: nothing. */
  choose(stream: ConfrStream, want: Choice | null): void;

  /** Publishes the devices that are on. Rejects with Refused or AppError conference.invalid; then it is not tried again. */
  publishCamera(wish: LocalWish, ext: string): Promise<ConfrStream>;
  /** Moves the media to the tab of the capture and publishes it. Rejects with Refused. */
  shareScreen(tabId: string, ext: string): Promise<ConfrStream>;
  /** Whether the capture that this tab reported has sound. */
  screenHasSound(tabId: string): boolean;
  /** Whether a stream of this type is published or being published. */
  isPublishing(type: OwnType): boolean;
  unpublish(type: OwnType): void;
  /** The type of an own stream; null when the stream is not an own one. */
  typeOf(streamId: string): OwnType | null;
  /** The person turns a device on or off. */
  turn(wish: LocalWish, publish: boolean): void;
  /** Turns the devices off until the person turns one on. */
  turnOff(): void;
  /** Applies the admins' mutes to the own microphone. */
  followMutes(): void;

  candidates(rtcId: string, cands: readonly Candidate[]): void;
  terminated(signal: Terminated): void;
  described(rtcId: string, description: ConfrDescription): void;
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
  const own = createOwnStreams(record);

  const owner = createOwner({
    env,
    tabs: deps.tabs,
    config: OWNER_CONFIG,
    needsDevices: false,
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
    onReady: () => local.tell(),
    onEvent(event) {
      if (event.t === "confr") events.heard(event.body);
      else if (event.t === "capture") local.captured(event);
      else if (event.t === "samples") {
        quality.take(event.samples);
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
    say: (request) => deps.wire()?.say(request) ?? null,
    hurry: (atLeast) => deps.wire()?.hurry(atLeast),
    command: (body) => void owner.send({ t: "confr", body }),
    codecs: () => record.now?.codecs?.send ?? CODECS,
    own(type) {
      const id = own.idOf(type);
      return {
        id,
        vcodec: id === null ? undefined : model.slice.streams[id]?.vcodes[0],
        ...(type === 1 ? ({ voff: 0, aoff: 0 } as const) : local.flags()),
        resolution: events.sizeOf(connections.rtcIdOf(pubKey(type))),
      };
    },
    ...reports,
  });
  const quality = createTileQuality({
    env,
    model,
    rtcIdOf: ({ id, type, located }) =>
      connections.rtcIdOf(located ? pubKey(type === 1 ? 1 : 0) : id),
  });
  const local: Local = createLocal({
    env,
    config,
    model,
    record,
    toTab: (command) => void owner.send(command),
    ask: (request) => deps.wire()?.ask(request) ?? Promise.resolve(LOST),
    rtcId: () => connections.rtcIdOf(pubKey(0)),
    onRefused: (why) => deps.notice({ style: "warning", ...told(why) }),
    onCaptured: () => camera.captured(),
  });
  const camera: Camera = createCamera({ env, config, model, record, connections, local });
  const screen: ScreenShare = createScreenShare({
    model,
    record,
    owner,
    connections,
    notice: deps.notice,
    unpublish: () => unpublish(1),
  });
  const following = createFollowing({
    model,
    record,
    own,
    connections,
    camera,
    screen,
    local,
    say: (request) => void deps.wire()?.ask(request).then(reports.onUnpublished),
  });

  const takeover = createTakeover({
    tabs: deps.tabs,
    model,
    record,
    own,
    owner,
    connections,
    screen,
    following,
  });

  function unpublish(type: OwnType): void {
    connections.stop(pubKey(type));
    own.forget(type);
    if (type === 1) screen.ended();
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
    added: (stream) => following.follow(stream),
    removed(stream) {
      events.removed(stream.id);
      const type = own.typeOf(stream.id);
      if (type === null) return connections.stop(stream.id);
      // The server removed it: the role may not publish, or the session was not resumed in time.
      own.forget(type);
      connections.stop(pubKey(type));
      if (type === 1) return screen.ended();
      camera.removed();
    },
    choose: following.choose,
    async publishCamera(wish, ext) {
      record.patch({ pubExt: ext });
      local.publishing(true);
      local.set(wish);
      try {
        return await camera.publish();
      } catch (reason) {
        if (!isPublishing(0)) local.publishing(false);
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
