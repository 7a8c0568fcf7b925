/** The commands of a tab inside a conference. Each is checked (docs/conferences.md) and then passed to media, people or REST. */
import { ownTypeOf } from "./connection.ts";
import { hasSoundOfItsOwn } from "./mixing.ts";
import { isMixed, STREAM_TYPE, type StreamType } from "../../../shared/domain/conference-types.ts";
import type { Publication } from "../../../shared/protocol/confr-publish.ts";
import type { ConferenceStreamView } from "../../../shared/protocol/state.ts";
import { AppError } from "../../../shared/errors.ts";
import { CONFR_RESULT } from "../../../shared/protocol/confr-signalling.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import { RESULT, OP } from "../../../shared/protocol/signalling.ts";
import { cameraCommands } from "./camera-commands.ts";
import { liveCommands } from "./live-commands.ts";
import type { CameraRequests } from "./camera-requests.ts";
import { type Invite, sendInvitations } from "./invitations.ts";
import type { RemoteCamera } from "./remote-camera.ts";
import type { CoreEnv } from "../contracts.ts";
import type { ControlHandlers } from "./control/index.ts";
import type { ConferenceRecord, KeptConference } from "./kept.ts";
import type { Refused } from "./connections.ts";
import type { Media } from "./media-contracts.ts";
import type { Model } from "./model.ts";
import { type People, ROLE_OF } from "./people.ts";
import type { Recording } from "./recording.ts";
import type { ConferenceRest } from "./rest.ts";
import type { Conference } from "./conference.ts";
import {
  AUDIENCE,
  invalid,
  MIXED_DESKTOP,
  mustBeAdmin,
  mustBeLower,
  notInside,
  TEXTS,
} from "./rules.ts";

type All = Handlers<"conference">;
type Entering = "create" | "join" | "joinRoom" | "joinWithTicket";
export type InsideCommands = Omit<
  All,
  Entering | "select" | keyof ControlHandlers | "annotate" | "watchMarks"
>;

export interface CommandDeps {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "home">;
  readonly ready: Promise<void>;
  readonly rest: ConferenceRest;
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly conference: Conference;
  readonly media: Media;
  readonly people: People;
  readonly remoteCamera: RemoteCamera;
  readonly cameraRequests: CameraRequests;
  readonly recording: Recording;
  readonly invite?: Invite;
}

export function createInside(deps: CommandDeps): InsideCommands {
  const { env, rest, model, record, conference, media, people, recording } = deps;
  const slice = () => model.slice;

  /** @throws AppError conference.not-joined */
  const inside = async (): Promise<KeptConference> => {
    await deps.ready;
    const { now } = record;
    if (now === null || slice().status === "idle") throw notInside(slice());
    return now;
  };
  const asAdmin = async (outside?: string): Promise<[confrId: string, roleToken: string]> => {
    await deps.ready;
    const roleToken = mustBeAdmin(slice(), record.now?.roleToken, outside);
    return [record.now?.confrId ?? "", roleToken];
  };
  const namesOf = (memIds: readonly string[]): string[] =>
    memIds.map((memId) => slice().members[memId]?.memName ?? memId);
  const streamOf = (streamId: string) => {
    const stream = slice().streams[streamId];
    if (stream === undefined) throw invalid(TEXTS.badStream, "流不存在");
    if (stream.located) throw invalid(TEXTS.badStream, "不能订阅自己的流");
    return stream;
  };
  const refusalOf = (reason: unknown): AppError => {
    if (reason instanceof AppError) return reason;
    const { answer, endReason } = reason as Refused;
    const { msg, result } = answer;
    return new AppError("conference.refused", {
      ...(msg === "" || result === RESULT.clientFailure ? {} : { message: msg }),
      details: { text: msg, ...(endReason === null ? {} : { endReason }) },
    });
  };
  const audience = (): AppError => invalid(TEXTS.audience, "观众不能发布音视频，请先申请发言");
  const notTwice = (type: StreamType): void => {
    if (!media.isPublishing(ownTypeOf(type))) return;
    if (type === STREAM_TYPE.screen) {
      throw invalid(TEXTS.repeatDesktop, "正在共享屏幕，不能重复共享");
    }
    const isMixer = ({ located, type: has }: ConferenceStreamView): boolean =>
      located && has === type;
    throw type === STREAM_TYPE.mixer && Object.values(slice().streams).some(isMixer)
      ? invalid(TEXTS.repeatMixer, "混音流已发布，不能重复发布")
      : invalid(TEXTS.repeat, "音视频已发布，不能重复发布");
  };

  return {
    async exit({ close }) {
      await deps.ready;
      if (close) await asAdmin();
      await conference.leave(close);
      return null;
    },
    async publish({ type, audioMuted, videoOff, ext, settings, sources }, { tabId }) {
      await inside();
      if (slice().self?.role === AUDIENCE) throw audience();
      notTwice(type);
      if (
        type === STREAM_TYPE.screen &&
        isMixed(slice().info?.type) &&
        media.screenHasSound(tabId)
      ) {
        throw invalid(MIXED_DESKTOP.text, MIXED_DESKTOP.zh);
      }
      const isMixer = type === STREAM_TYPE.mixer;
      const wish = { audioMuted: audioMuted ?? false, videoOff: videoOff ?? isMixer };
      const publication: Publication | null =
        settings === undefined && sources === undefined && !isMixer
          ? null
          : {
              settings: settings ?? {},
              sources: sources ?? {},
              tabId,
              ...(isMixer ? { mixer: true } : {}),
            };
      try {
        const stream = await (type === STREAM_TYPE.screen
          ? media.shareScreen(tabId, ext, publication)
          : media.publishCamera(wish, ext, publication));
        return { streamId: stream.id };
      } catch (reason) {
        throw refusalOf(reason);
      }
    },
    async constrain({ kind, constraints }, { tabId }) {
      await inside();
      media.constrain(kind, constraints, tabId);
      return null;
    },
    async unpublish({ streamId }) {
      await inside();
      const type = media.typeOf(streamId);
      if (type !== null) media.unpublish(type);
      return null;
    },
    async subscribe({ streamId, video, audio }) {
      await inside();
      const stream = streamOf(streamId);
      if (hasSoundOfItsOwn(stream)) media.choose(stream, { video, audio });
      else if (video && stream.hasVideo) media.choose(stream, { video, audio: false });
      else if (audio) throw invalid(TEXTS.mixerSound, "混音流的声音由混音器播放，不能订阅");
      else throw invalid(TEXTS.mixerPicture, "混音流没有画面，不能订阅");
      return null;
    },
    async unsubscribe({ streamId }) {
      await inside();
      const stream = slice().streams[streamId];
      if (stream !== undefined && !stream.located) media.choose(stream, null);
      return null;
    },
    async setLocal({ audioMuted, videoOff, publish }) {
      await inside();
      if (publish && slice().self?.role === AUDIENCE) throw audience();
      media.turn({ audioMuted, videoOff }, publish === true);
      return null;
    },
    ...cameraCommands(deps, inside),
    ...liveCommands(rest, asAdmin),
    async grantRole({ memIds, role }) {
      const [confrId, roleToken] = await asAdmin();
      await rest.roles(confrId, namesOf(memIds), role, roleToken);
      return null;
    },
    async degradeRole({ memIds, role }) {
      const [, roleToken] = await asAdmin();
      mustBeLower(slice(), memIds, role);
      await rest.degrade(namesOf(memIds), role, roleToken);
      return null;
    },
    async kick({ memIds }) {
      const [confrId, roleToken] = await asAdmin();
      await rest.kick(confrId, namesOf(memIds), roleToken);
      return null;
    },
    async muteAll({ on, mayUnmute = false }) {
      const [, roleToken] = await asAdmin();
      await rest.attrs(roleToken, {
        cstate: { muteAll: on, ...(on && mayUnmute ? { mayUnmute } : {}) },
      });
      return null;
    },
    async muteMember({ memId, on }) {
      await asAdmin();
      if (slice().members[memId] === undefined) {
        throw invalid(TEXTS.noMember, "成员不在会议中");
      }
      await people.mute(memId, on);
      return null;
    },
    async hand({ up, memIds }) {
      await inside();
      if (memIds !== undefined) await asAdmin();
      const part = memIds === undefined ? {} : { memIds };
      const answer = await conference.wire?.ask({ op: OP.hand, up, ...part });
      if (answer?.result !== RESULT.ok) {
        const { result = RESULT.clientFailure, msg = "", signal = null } = answer ?? {};
        throw new AppError("conference.refused", {
          message: signal === null || msg === "" ? "未能改变举手状态，请重试" : msg,
          details: { result, text: msg },
        });
      }
      return null;
    },
    async request({ kind }) {
      await inside();
      const admin = people.admin();
      if (admin === null) throw invalid(TEXTS.noAdmin, "会议中没有主持人");
      people.ask(kind, admin);
      return null;
    },
    async answerRequest({ id, agree }) {
      const [confrId, roleToken] = await asAdmin();
      const request = people.request(id);
      if (request === null) return null;
      if (agree) {
        const role = ROLE_OF[request.kind];
        await rest.roles(confrId, namesOf([request.memId]), role, roleToken).catch((cause) => {
          const { code, message, details } = AppError.from(cause);
          const result = CONFR_RESULT.grantTalkerFailed;
          throw new AppError(code, { message, cause, details: { ...details, result } });
        });
      }
      people.answer(id, agree ? 0 : 1);
      return null;
    },
    async setAttrs({ key, val }) {
      const [, roleToken] = await asAdmin(TEXTS.beforeJoin);
      if (key.trim() === "") throw invalid(TEXTS.noKey, "缺少属性名");
      await rest.attrs(roleToken, { cattrs: [{ key, val, op: "UPDATE" }] });
      return null;
    },
    async deleteAttrs({ key }) {
      const [, roleToken] = await asAdmin(TEXTS.beforeJoin);
      if (key.trim() === "") throw invalid(TEXTS.noKey, "缺少属性名");
      await rest.attrs(roleToken, { cattrs: [{ key, op: "DEL" }] });
      return null;
    },
    async sendMessage({ text, to }) {
      await inside();
      const id = env.newId();
      const message = { op: OP.message, id, arg: text, ...(to === undefined ? {} : { memId: to }) };
      const answer = await conference.wire?.ask(message);
      if (answer?.result !== RESULT.ok) {
        const { result = RESULT.clientFailure, msg = "" } = answer ?? {};
        throw new AppError("conference.refused", {
          message: "消息未能发送，请重试",
          details: { result, text: msg },
        });
      }
      const { memId: from = "", nickName = "" } = slice().self ?? {};
      const at = env.clock.now();
      model.message({ id, from, nickName, to: to ?? null, text, at, mine: true });
      return null;
    },
    async record({ streamId }) {
      await inside();
      return recording.start(streamId ?? null);
    },
    async pauseRecording({ on }) {
      await inside();
      recording.pause(on);
      return null;
    },
    async stopRecording() {
      await inside();
      return recording.stop();
    },
    async bringHere(_input, { tabId }) {
      await inside();
      media.moveTo(tabId);
      return null;
    },
    async invite(whom) {
      const kept = await inside();
      if (deps.invite === undefined) throw invalid("no chat", "聊天未连接，不能发送邀请");
      await sendInvitations(deps.invite, env.home, kept, whom);
      return null;
    },
  };
}
