/** Tickets and ICE servers over REST (docs/conferences.md#tickets). */
import type { Context, Hono } from "hono";
import { chatUserOf } from "../../../shared/domain/member-names.ts";
import {
  ticketPath,
  ticketRequestSchema,
  type TicketRequest,
  type TicketResponse,
} from "../../../shared/protocol/rest/rtc.ts";
import { RESULT, SIGNALLING_PATH } from "../../../shared/protocol/signalling.ts";
import type { HttpEnv, Principal, ServerDeps } from "../../base/module.ts";
import type { QualityTickets } from "../tickets/quality-tickets.ts";
import { iceServers } from "../tickets/ice-servers.ts";
import { qualityAddress, signallingAddress } from "../tickets/addresses.ts";
import { type Identify, ownName, parse, providerRoute, Refusal } from "../tickets/provider.ts";
import { type CallRow, type CallStore, P2P } from "./store.ts";
import type { Tickets } from "../tickets/tickets.ts";

/** The format of one-to-one call ids. Other texts are not sent to the database, which would fail on a NUL. */
export const CALL_ID = /^[0-9a-f-]{36}$/;
/** Ticket requests per account: this many at once, refilled at one per second. */
export const TICKET_BURST = 30;

/** @param body of the call, already read */
export type Elsewhere = (
  c: Context,
  conferenceId: string,
  body: unknown,
) => Promise<Response | null>;

export function registerTicketRoutes(
  app: Hono<HttpEnv>,
  deps: Pick<ServerDeps, "config" | "clock" | "directory" | "log"> & {
    readonly store: CallStore;
    readonly tickets: Tickets;
    readonly qualityTickets: Pick<QualityTickets, "sign">;
    readonly identify: Identify;
    readonly newId: () => string;
    /** Whether `by` blocks the other. */
    readonly blocks: (by: string, other: string) => Promise<boolean>;
    /** Whether the account may request one more ticket now. */
    readonly admit: (accountId: string) => boolean;
    /**
     * Creates tickets of conferences.
     *
     * @throws Refusal
     */
    readonly conference: (
      principal: Principal,
      request: TicketRequest,
      c: Context<HttpEnv>,
    ) => Promise<TicketResponse>;
    /** The path of a socket to this conference. */
    readonly address: (path: string, conferenceId: string) => string;
    /** Relays the call to the conference's home and returns its answer; null when this process is the home. */
    readonly elsewhere: Elsewhere;
  },
): void {
  const { config, clock, directory, store, tickets, qualityTickets } = deps;

  async function create(request: TicketRequest): Promise<CallRow> {
    const { uid, callee } = request;
    if (callee === undefined) throw new Refusal(RESULT.clientFailure, "缺少被叫 callee");
    if (callee === uid) throw new Refusal(RESULT.notAllowed, "不能和自己音视频通话");
    if (!(await directory.mayTalk(uid, callee)) || (await deps.blocks(callee, uid))) {
      throw new Refusal(RESULT.notAllowed, "不能与对方通话");
    }
    const row = { id: deps.newId(), caller: uid, callee };
    await store.create({ ...row, at: clock.now() });
    return { ...row, endedAt: null };
  }

  async function existing(request: TicketRequest, conferenceId: string): Promise<CallRow> {
    const row = CALL_ID.test(conferenceId) ? await store.find(conferenceId) : null;
    // Another person's call and a call that never existed get the same answer.
    if (row === null || (row.caller !== request.uid && row.callee !== request.uid)) {
      throw new Refusal(RESULT.notAllowed, "通话不存在或无权进入");
    }
    if (row.endedAt !== null) throw new Refusal(RESULT.conferenceGone, "通话已结束");
    return row;
  }

  async function call(
    c: Context<HttpEnv>,
    principal: Principal,
    request: TicketRequest,
  ): Promise<TicketResponse> {
    const row =
      request.confrId === undefined
        ? await create(request)
        : await existing(request, request.confrId);
    const now = clock.now();
    const holder = {
      confrId: row.id,
      memName: request.uid,
      sessionId: principal.sessionId,
    };
    const tktId = await tickets.sign(holder);
    return {
      error: 0,
      confrId: row.id,
      type: P2P,
      ticket: {
        confrId: row.id,
        memName: request.uid,
        tktId,
        url: signallingAddress(c, config.BASE_PATH, deps.address(SIGNALLING_PATH, row.id)),
        type: "P2P",
        caller: row.caller,
        callee: row.callee,
        qoeUpUrl: await qualityAddress(c, config.BASE_PATH, qualityTickets, holder),
        timestamp: now,
      },
      rtcCfg: { iceServers: iceServers(config, request.uid, now) },
    };
  }

  providerRoute(
    app,
    ["POST"],
    ticketPath(config.RTC_PROVIDER),
    deps,
    async ({ c, principal, body }) => {
      const given = parse(ticketRequestSchema, body);
      const appKey = config.EASEMOB_APP_KEY;
      const uid = ownName(given.uid, principal, appKey, "uid");
      const callee = given.callee === undefined ? undefined : chatUserOf(given.callee, appKey);
      const request = { ...given, uid, callee };
      if (!deps.admit(principal.accountId)) {
        throw new Refusal(RESULT.notAllowed, "操作过于频繁，请稍后再试");
      }
      // A request may have no type. The form of the id then decides: a UUID is a call, a number is a conference.
      const isCall = request.confrType ?? (CALL_ID.test(request.confrId ?? "") ? P2P : undefined);
      if (isCall === P2P) return call(c, principal, request);
      const away =
        request.confrId === undefined ? null : await deps.elsewhere(c, request.confrId, body);
      return away ?? deps.conference(principal, request, c);
    },
  );
}
