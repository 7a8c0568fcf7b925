/** Entering and leaving conferences. */
import type { VideoCodecs } from "../../shared/protocol/confr-model.ts";
import { browserVideoCodecs } from "../../rtc-main/index.ts";
import { isMixed } from "../../shared/domain/conference-types.ts";
import type { CommandOutput } from "../../shared/protocol/core-rpc.ts";
import type { ConferenceRole, VideoCodec } from "../../shared/protocol/confr-model.ts";
import type { KnownConference } from "../../shared/protocol/rest/confr.ts";
import type { Ticket } from "../../shared/protocol/rest/rtc.ts";
import type { Face } from "./context.ts";
import { refusal, requireAll, textOf } from "./refuse.ts";

/** Limits of a conference. Defaults: 100 talkers, 600 audience, 9 videos, 2 desktops. */
export interface ConferenceLimits {
  readonly maxTalkerCount?: number;
  readonly maxAudienceCount?: number;
  readonly maxVideoCount?: number;
  readonly maxPubDesktopCount?: number;
}
/** What the platform may do with the conference. This project's server keeps the codecs, and records nothing by itself. */
export interface ConferenceWishes {
  /** The platform records the conference. */
  readonly rec?: boolean;
  /** The platform makes one recording of all streams. */
  readonly recMerge?: boolean;
  /** The codecs of the conference, best first. */
  readonly useVCodes?: readonly VideoCodec[];
}
/** The conference that was entered, and as what. */
export interface Joined {
  readonly confrId: string;
  /** The same as `confrId`. */
  readonly conferenceId: string;
  /** 10 communication, 11 communication-mix, 12 live, 14 intercom. */
  readonly type: 10 | 11 | 12 | 13 | 14;
  /** Whether the type is 11 or 12. */
  readonly mixed: boolean;
  /** Id of the own member. */
  readonly joinId: string;
  /** admin 7, talker 3, audience 1. */
  readonly role: ConferenceRole;
  /** Whether this call, or an earlier one with the same name, created the conference for this person. */
  readonly isCreator: boolean;
}

export interface JoiningApi {
  /**
   * Sets the person who takes part. Call it before entering a conference.
   *
   * @param memName chat user name
   * @param token access token of the platform; it stays in the worker
   * @param ext JSON text of the host application that the other members receive
   */
  setIdentity(memName: string, token: string, ext?: string): Promise<void>;
  /**
   * Creates a conference and enters it as its admin.
   *
   * @param options.confrType 10 communication (default), 11 communication-mix, 12 live, 14 intercom
   */
  createConference(
    options?: ConferenceWishes & {
      readonly confrType?: 10 | 11 | 12 | 13 | 14;
      readonly name?: string;
      readonly password?: string;
      readonly liveCfg?: Readonly<Record<string, unknown>>;
      readonly nickName?: string;
      readonly config?: ConferenceLimits;
    },
  ): Promise<Joined>;
  /** Creates or enters the conference with this name. Rejects with 'the roomName is required at joinRoom' and the like. */
  joinRoom(
    options: ConferenceWishes & {
      readonly roomName: string;
      readonly password: string;
      /** admin 7, talker 3, audience 1. The server grants at most what the person may have. */
      readonly role: ConferenceRole;
      readonly nickName?: string;
      readonly config?: ConferenceLimits;
    },
  ): Promise<Joined>;
  /**
   * Enters a conference by its id.
   *
   * @param options.roleToken a role token of this conference; it stands for the password
   */
  joinConference(
    confrId: string,
    password?: string,
    ext?: string,
    options?: ConferenceWishes & { readonly roleToken?: string },
  ): Promise<Joined>;
  /** Enters with a ticket that the host application obtained. */
  joinConferenceWithTicket(confrId: string, ticket: Ticket, ext?: string): Promise<Joined>;
  /**
   * Whether the person may enter, and what the platform says of the conference: its name, number of members and limits, or its id alone.
   *
   * @param roleToken stands for the password. Default: the own one, inside the conference
   */
  selectConfr(confrId: string, password?: string, roleToken?: string): Promise<KnownConference>;
  /** The same as `selectConfr`. */
  getConferenceInfo(
    confrId: string,
    password?: string,
    roleToken?: string,
  ): Promise<KnownConference>;
  /** Whether the person is in this conference, or in any when `confrId` is absent. */
  joined(confrId?: string): boolean;
  /**
   * Leaves the conference. Outside a conference it only logs a warning.
   *
   * @param close whether to end the conference for all (admin)
   */
  exitConference(close?: boolean): Promise<void>;
  /** Ends the conference for all (admin). Each member gets onConferenceExit with reason 11. */
  destroyConference(): Promise<void>;
}

type Entered = CommandOutput<"conference", "join">;
const wishesOf = ({ rec, recMerge, useVCodes }: ConferenceWishes) => ({
  ...(rec === undefined ? {} : { rec }),
  ...(recMerge === undefined ? {} : { recMerge }),
  ...(useVCodes === undefined ? {} : { useVCodes: [...useVCodes] }),
});

export function createJoining(face: Face): JoiningApi {
  const { core, appkey, autoSub = false, cameraControl = false } = face.deps;
  const { commands } = core;
  let identified: Promise<void> = Promise.resolve();

  const isInside = (): boolean => face.view().status !== "idle";
  const refuseTwice = (): void => {
    const { confrId } = face.view();
    if (isInside()) throw refusal("joined", { confrId: confrId ?? "" });
  };
  const requireIdentity = (method: string): void => {
    if (core.identify === undefined) return;
    requireAll(method, { memName: face.identity?.memName, token: face.identity?.token });
  };
  const codecs = (): { codecs?: VideoCodecs } => {
    const found = browserVideoCodecs();
    return found === undefined ? {} : { codecs: found };
  };
  const entry = (nickName: string | undefined, ext: string | undefined) => ({
    nickName: nickName ?? "",
    ext: ext ?? face.identity?.ext ?? "",
    publish: false,
    autoSub,
    ...(cameraControl ? { cameraControl } : {}),
    ...codecs(),
  });
  const enter = async (byTicket: boolean, run: () => Promise<Entered>): Promise<Joined> => {
    await identified;
    refuseTwice();
    const { confrId, type, isCreator, joinId, role } = await run();
    face.byTicket = byTicket;
    await face.until(({ confrId: shown, self }) => self !== null && shown === confrId);
    return {
      confrId,
      conferenceId: confrId,
      type,
      mixed: isMixed(type),
      joinId,
      role,
      isCreator,
    };
  };
  const selectConfr: JoiningApi["selectConfr"] = async (confrId, password, roleToken) => {
    requireAll("selectConfr", { confrId });
    await identified;
    return commands.select({
      confrId,
      ...(password === undefined ? {} : { password }),
      ...(roleToken === undefined ? {} : { roleToken }),
    });
  };
  const exitConference: JoiningApi["exitConference"] = async (close = false) => {
    if (!isInside()) return face.deps.warn(textOf("noCurrent"));
    await commands.exit({ close });
  };

  return {
    async setIdentity(memName, token, ext = "") {
      requireAll("setIdentity", { memName, token });
      const identity = { memName, token, ext };
      face.identity = identity;
      identified = core.identify?.(identity) ?? Promise.resolve();
      // Entering a conference waits for `identified` and reports its error as well.
      identified.catch(() => undefined);
      await identified;
    },
    async createConference(options = {}) {
      requireIdentity("createConference");
      refuseTwice();
      const { confrType = 10, name, password = "", liveCfg, nickName, config = {} } = options;
      return enter(false, () =>
        commands.create({
          type: confrType,
          name: name ?? face.identity?.memName ?? "conference",
          password,
          limits: config,
          ...(liveCfg === undefined ? {} : { liveCfg }),
          ...wishesOf(options),
          ...entry(nickName, undefined),
        }),
      );
    },
    async joinRoom(options) {
      const { roomName, password, role, nickName, config = {} } = options;
      requireAll("joinRoom", { roomName, password });
      requireIdentity("joinRoom");
      const [org, app] = appkey.split("#");
      requireAll("joinRoom", { role, appkey: org && app });
      refuseTwice();
      return enter(false, () =>
        commands.joinRoom({
          roomName,
          password,
          role,
          limits: config,
          ...wishesOf(options),
          ...entry(nickName, undefined),
        }),
      );
    },
    async joinConference(confrId, password = "", ext, options = {}) {
      requireAll("joinConference", { confrId });
      requireIdentity("joinConference");
      refuseTwice();
      const { roleToken } = options;
      return enter(false, () =>
        commands.join({
          confrId,
          password,
          ...(roleToken === undefined ? {} : { roleToken }),
          ...wishesOf(options),
          ...entry(undefined, ext),
        }),
      );
    },
    async joinConferenceWithTicket(confrId, ticket, ext) {
      requireAll("joinConferenceWithTicket", { confrId, ticket });
      refuseTwice();
      return enter(true, () =>
        commands.joinWithTicket({ confrId, ticket, ...entry(undefined, ext) }),
      );
    },
    selectConfr,
    getConferenceInfo: selectConfr,
    joined: (confrId) => isInside() && (confrId === undefined || face.view().confrId === confrId),
    exitConference,
    destroyConference: () => exitConference(true),
  };
}
