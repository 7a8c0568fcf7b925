/** Coming in and going out. */
import type { VideoCodecs } from "../../shared/protocol/confr-signalling.ts";
import { browserVideoCodecs } from "../../rtc-main/index.ts";
import type { ConfrRole } from "../../shared/protocol/confr-signalling.ts";
import type { ConfrInfo } from "../../shared/protocol/rest/confr.ts";
import type { Ticket } from "../../shared/protocol/rest/rtc.ts";
import type { Face } from "./context.ts";
import { refusal, requireAll } from "./refuse.ts";

/** Limits of a conference; left out: 100 talkers, 600 audience, 9 videos, 2 desktops. */
export interface ConferenceLimits {
  readonly maxTalkerCount?: number;
  readonly maxAudienceCount?: number;
  readonly maxVideoCount?: number;
  readonly maxPubDesktopCount?: number;
}
export interface Joined {
  readonly confrId: string;
}

export interface JoiningApi {
  /**
   * Says who takes part; to be called before any conference is entered.
   *
   * @param memName chat user name
   * @param token access token of the platform; it stays in the worker
   * @param ext text (JSON) of the host application that the other members see
   */
  setIdentity(memName: string, token: string, ext?: string): Promise<void>;
  /**
   * Makes a conference and enters it as its admin.
   *
   * @param options.confrType 10 communication (default), 11 communication-mix, 12 live, 14 intercom
   */
  createConference(options?: {
    readonly confrType?: 10 | 11 | 12 | 13 | 14;
    readonly name?: string;
    readonly password?: string;
    readonly liveCfg?: Readonly<Record<string, unknown>>;
    readonly nickName?: string;
    readonly config?: ConferenceLimits;
  }): Promise<Joined>;
  /** Makes or enters the room of this name. Refuses 'the roomName is required at joinRoom' and so on. */
  joinRoom(options: {
    readonly roomName: string;
    readonly password: string;
    /** admin 7, talker 3, audience 1; the server gives at most what one may have. */
    readonly role: ConfrRole;
    readonly nickName?: string;
    readonly config?: ConferenceLimits;
  }): Promise<Joined>;
  /** Enters a conference by its id. */
  joinConference(confrId: string, password?: string, ext?: string): Promise<Joined>;
  /** Enters by a ticket that somebody else asked for. */
  joinConferenceWithTicket(confrId: string, ticket: Ticket, ext?: string): Promise<Joined>;
  /** What the conference is called, how many are in it, and its limits. */
  selectConfr(confrId: string, password?: string): Promise<ConfrInfo>;
  /** The same as `selectConfr`. */
  getConferenceInfo(confrId: string, password?: string): Promise<ConfrInfo>;
  /** Whether one is in this conference, or in any. */
  joined(confrId?: string): boolean;
  /**
   * Leaves. Outside of any conference it only logs a warning.
   *
   * @param close also ends it for all (admin)
   */
  exitConference(close?: boolean): Promise<void>;
  /** Ends the conference for all (admin): everybody gets onConferenceExit with reason 11. */
  destroyConference(): Promise<void>;
}

export function createJoining(face: Face): JoiningApi {
  const { core, appkey, autoSub = false } = face.deps;
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
    ...codecs(),
  });
  const enter = async (byTicket: boolean, run: () => Promise<Joined>): Promise<Joined> => {
    await identified;
    refuseTwice();
    const joined = await run();
    face.byTicket = byTicket;
    await face.until(({ confrId, self }) => self !== null && confrId === joined.confrId);
    return joined;
  };
  const selectConfr: JoiningApi["selectConfr"] = async (confrId, password) => {
    requireAll("selectConfr", { confrId });
    await identified;
    return commands.select({ confrId, ...(password === undefined ? {} : { password }) });
  };
  const exitConference: JoiningApi["exitConference"] = async (close = false) => {
    if (!isInside()) return face.deps.warn("confr is not exist");
    await commands.exit({ close });
  };

  return {
    async setIdentity(memName, token, ext = "") {
      requireAll("setIdentity", { memName, token });
      const identity = { memName, token, ext };
      face.identity = identity;
      identified = core.identify?.(identity) ?? Promise.resolve();
      // who joins is told of it as well
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
          ...entry(nickName, undefined),
        }),
      );
    },
    async joinConference(confrId, password = "", ext) {
      requireAll("joinConference", { confrId });
      requireIdentity("joinConference");
      refuseTwice();
      return enter(false, () => commands.join({ confrId, password, ...entry(undefined, ext) }));
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
