/** The REST calls of a conference (docs/conferences.md#rest). What admins do is authorised by the roleToken and nothing else. */
import type { z } from "../../../shared/zod.ts";
import { isMixed } from "../../../shared/domain/conference-types.ts";
import { AppError } from "../../../shared/errors.ts";
import type { ConferenceRole } from "../../../shared/protocol/confr-model.ts";
import {
  CONFR_REST,
  confrErrorSchema,
  type KnownConference,
  joinRoomResponseSchema,
  selectResponseSchema,
} from "../../../shared/protocol/rest/confr.ts";
import {
  type RtcCfg,
  type Ticket,
  type TicketRequest,
  ticketResponseSchema,
} from "../../../shared/protocol/rest/rtc.ts";
import type { CoreEnv, Http } from "../contracts.ts";
import { ticketRequest } from "../ticket-request.ts";

export interface ConferenceAdmission {
  readonly confrId: string;
  readonly ticket: Ticket;
  readonly rtcCfg: RtcCfg;
  readonly roleToken: string | null;
  /** What the conference is. Left out when the server does not say. */
  readonly type?: TicketRequest["confrType"];
  /** The server mixes, and says so. */
  readonly mixes?: 11 | 12;
}

export interface ConferenceRest {
  ticket(request: TicketRequest): Promise<ConferenceAdmission>;
  joinRoom(request: {
    readonly roomName: string;
    readonly password: string;
    readonly memName: string;
    /** The configuration of a new conference. */
    readonly config: Readonly<Record<string, unknown>>;
  }): Promise<{ readonly confrId: string; readonly isCreator: boolean }>;
  /** Resolves when the person may enter, with what the server says of the conference. */
  select(
    uid: string,
    confrId: string,
    proof: {
      readonly password?: string | undefined;
      readonly roleToken?: string | null | undefined;
    },
  ): Promise<KnownConference>;
  roles(
    confrId: string,
    uids: readonly string[],
    role: ConferenceRole,
    roleToken: string,
  ): Promise<void>;
  degrade(uids: readonly string[], role: ConferenceRole, roleToken: string): Promise<void>;
  kick(confrId: string, uids: readonly string[], roleToken: string): Promise<void>;
  disband(confrId: string, roleToken: string): Promise<void>;
  addLive(
    confrId: string,
    liveCfg: Readonly<Record<string, unknown>>,
    roleToken: string,
  ): Promise<void>;
  updateLive(
    confrId: string,
    liveId: string,
    regions: readonly unknown[],
    roleToken: string,
  ): Promise<void>;
  deleteLive(confrId: string, liveId: string, roleToken: string): Promise<void>;
  attrs(
    roleToken: string,
    change: {
      readonly cattrs?: readonly { key: string; val?: string; op: "UPDATE" | "DEL" }[];
      readonly cstate?: { readonly muteAll: boolean; readonly mayUnmute?: boolean };
    },
  ): Promise<void>;
}

export function createConferenceRest(deps: {
  readonly env: Pick<CoreEnv, "clock" | "config" | "device" | "build">;
  readonly http: Pick<Http, "provider">;
}): ConferenceRest {
  const { env, http } = deps;
  const provider = env.config.rtcProvider;

  /** The person sees the server's message. Its error code goes into `details`. */
  const refuse = (answer: { error: number; errorMessage?: string | undefined }): AppError =>
    new AppError("conference.refused", {
      ...(answer.errorMessage === undefined ? {} : { message: answer.errorMessage }),
      details: { tag: "server_refuse", error: answer.error },
    });
  async function post<S extends z.ZodType<{ error: number; errorMessage?: string | undefined }>>(
    path: string,
    body: unknown,
    schema: S,
  ): Promise<z.output<S>> {
    const answer = await http.provider({ method: "POST", path, body, tokenInBody: true }, schema);
    if (answer.error !== 0) throw refuse(answer);
    return answer;
  }
  const change = async (
    path: string,
    body: unknown,
    method: "POST" | "DELETE" = "POST",
  ): Promise<void> => {
    const request = { method, path, body, withoutLogin: true } as const;
    const answer = await http.provider(request, confrErrorSchema);
    if (answer.error !== 0) throw refuse(answer);
  };

  return {
    async ticket(request) {
      const answer = await http.provider(ticketRequest(env, request), ticketResponseSchema);
      if (answer.error !== 0) throw refuse(answer);
      const { ticket, confrId, rtcCfg, roleToken, type, confrType = type } = answer;
      if (ticket === undefined) throw refuse({ error: -1 });
      return {
        confrId: confrId ?? ticket.confrId,
        ticket,
        rtcCfg: rtcCfg ?? { iceServers: [] },
        roleToken: roleToken ?? null,
        ...(confrType === undefined ? {} : { type: confrType }),
        ...(isMixed(type) ? { mixes: type } : {}),
      };
    },
    async joinRoom({ config, ...given }) {
      const request = { ...given, ...config };
      const [org = "", app = ""] = env.config.easemob.appKey.split("#");
      const answer = await post(CONFR_REST.joinRoom(org, app), request, joinRoomResponseSchema);
      if (answer.confrId === undefined) throw refuse({ error: -1 });
      return { confrId: answer.confrId, isCreator: answer.isCreator ?? false };
    },
    async select(uid, confrId, { password, roleToken }) {
      const body = {
        uid,
        confrId,
        ...(password === undefined ? {} : { password }),
        ...(roleToken ? { roleToken } : {}),
      };
      const { confr } = await post(CONFR_REST.select(provider), body, selectResponseSchema);
      return { ...confr, confrId: confr?.confrId ?? confrId };
    },
    roles: (confrId, uids, role, roleToken) =>
      change(CONFR_REST.changeRoles(provider), { confrId, uids, role, roleToken }),
    degrade: (uids, role, roleToken) =>
      change(CONFR_REST.degrade(provider), { uids, role, roleToken }),
    kick: (confrId, uids, roleToken) =>
      change(CONFR_REST.kick(provider), { confrId, uids, roleToken }),
    addLive: (confrId, liveCfg, roleToken) =>
      change(CONFR_REST.liveCfg(provider), { confrId, liveCfg, roleToken }),
    updateLive: (confrId, liveId, regions, roleToken) =>
      change(CONFR_REST.liveLayout(provider), { confrId, liveId, regions, roleToken }),
    deleteLive: (confrId, liveId, roleToken) =>
      change(CONFR_REST.deleteLive(provider), { confrId, liveId, roleToken }, "DELETE"),
    disband: (confrId, roleToken) => change(CONFR_REST.disband(provider), { confrId, roleToken }),
    attrs: (roleToken, { cattrs, cstate }) =>
      change(CONFR_REST.attrs(provider), {
        roleToken,
        ...(cattrs === undefined ? {} : { cattrs }),
        ...(cstate === undefined ? {} : { cstate }),
      }),
  };
}
