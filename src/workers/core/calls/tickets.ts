/** Tickets (docs/calls.md#tickets) and the token of the Agora engine (docs/calls.md#agora-engine). */
import { z } from "../../../shared/zod.ts";
import { AppError } from "../../../shared/errors.ts";
import {
  type RtcCfg,
  rtcTokenPath,
  rtcTokenResponseSchema,
  type Ticket,
  type TicketRequest,
  ticketResponseSchema,
} from "../../../shared/protocol/rest/rtc.ts";
import type { CoreEnv, Http } from "../contracts.ts";
import { ticketRequest } from "../ticket-request.ts";

const P2P = 13;

export interface Admission {
  readonly channel: string;
  /** null for an engine that needs none. */
  readonly ticket: Ticket | null;
  readonly rtcCfg: RtcCfg;
}

export interface Tickets {
  /** Creates a conference for a call to `callee`. @throws AppError call.not-allowed when the server refuses */
  create(me: string, callee: string): Promise<Admission>;
  /** Gets a ticket for an existing conference. */
  join(me: string, channel: string): Promise<Admission>;
  /** Gets token and uid for the channel, for the engine `agora`. */
  agora(me: string, channel: string): Promise<{ token: string; uid: number }>;
}

const tokenSchema = z.union([
  rtcTokenResponseSchema,
  z.object({ data: rtcTokenResponseSchema }).transform((value) => value.data),
]);

export function createTickets(deps: {
  env: Pick<CoreEnv, "clock" | "config" | "device" | "build" | "newId">;
  http: Pick<Http, "provider">;
}): Tickets {
  const { env, http } = deps;
  const native = env.config.engine === "native";

  const request = async (body: TicketRequest): Promise<Admission> => {
    try {
      const answer = await http.provider(ticketRequest(env, body), ticketResponseSchema);
      if (answer.error !== 0 || answer.ticket === undefined) {
        throw new AppError("call.not-allowed", { details: { error: answer.error } });
      }
      return {
        channel: answer.confrId ?? answer.ticket.confrId,
        ticket: answer.ticket,
        rtcCfg: answer.rtcCfg ?? { iceServers: [] },
      };
    } catch (error) {
      const known = AppError.from(error, "server.unavailable");
      throw known.code === "auth.forbidden" ? new AppError("call.not-allowed") : known;
    }
  };
  const without = (channel: string): Promise<Admission> =>
    Promise.resolve({ channel, ticket: null, rtcCfg: { iceServers: [] } });

  return {
    create: (me, callee) =>
      native ? request({ uid: me, confrType: P2P, callee }) : without(env.newId()),
    join: (me, channel) =>
      native ? request({ uid: me, confrType: P2P, confrId: channel }) : without(channel),
    async agora(me, channel) {
      const answer = await http.provider(
        {
          method: "GET",
          path: rtcTokenPath,
          query: { userAccount: me, channelName: channel, appkey: env.config.easemob.appKey },
        },
        tokenSchema,
      );
      return { token: answer.accessToken, uid: answer.agoraUserId };
    },
  };
}
