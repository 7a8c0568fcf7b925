/**
 * One client of a conference, independent of its transport: parses and checks frames, enters by ticket, and passes the rest on.
 */
import {
  CONFR_OP,
  type ConfrClientSignal,
  confrClientSchema,
  type ConfrRole,
  type ConfrServerSignal,
} from "../../../shared/protocol/confr-signalling.ts";
import type { RtcCfg, Ticket } from "../../../shared/protocol/rest/rtc.ts";
import { END_REASON, RESULT, WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import type { Clock, SocketClient } from "../../base/module.ts";
import type { MediaOps } from "./media-ops.ts";
import { drop, end, enter, type Entry, formerOf, remove } from "./membership.ts";
import type { OpenConferences } from "./open-conferences.ts";
import { snapshot } from "./state.ts";
import { ask, respond, say } from "./talking.ts";
import type { FrameSink, ConferenceSpec, Kept, Session, Verdict } from "./types.ts";

/** Sockets per person, over all conferences. */
export const SOCKETS_PER_PERSON = 4;

/** Whether a ticket admits to its conference now. */
export type ConferenceAdmission =
  | {
      readonly result: 0;
      readonly spec: ConferenceSpec;
      readonly kept: Kept;
      /** The requested role. */
      readonly role: ConfrRole | undefined;
      readonly loginSession: string;
    }
  | { readonly result: number; readonly spec?: undefined; readonly msg: string };

export interface FrameHandlerDeps {
  readonly conferences: OpenConferences;
  readonly media: MediaOps;
  readonly clock: Clock;
  readonly roleToken: (confrId: string, memName: string, role: ConfrRole) => string;
  /** STUN and TURN servers for this person, with a fresh credential. */
  readonly rtcCfg: (memName: string) => RtcCfg;
  /** Checks a ticket. Rejects when the database cannot be queried. */
  readonly admit: (ticket: Ticket) => Promise<ConferenceAdmission>;
  readonly onError: (error: unknown, what: string) => void;
}

export interface FrameHandler {
  /** Login session of the ticket with which it entered; null outside a conference. */
  readonly loginSession: string | null;
  /** Null outside a conference. */
  readonly confrId: string | null;
  readonly inside: boolean;
  /** Handles one text frame. */
  receive(text: string): void;
  /** Called when the connection has ended. */
  gone(): void;
}

/**
 * @param link.open false when nothing can be sent any more
 * @param handlers.onBad called after an invalid frame was answered
 * @param handlers.onInside called with true when it has entered, and with false when it has left and may enter again
 */
export function createFrameHandler(
  link: FrameSink & { readonly open: boolean },
  client: SocketClient,
  deps: FrameHandlerDeps,
  handlers: { readonly onBad: () => void; readonly onInside: (inside: boolean) => void },
): FrameHandler {
  const { conferences, media, clock } = deps;
  let session: Session | null = null;
  let loginSession: string | null = null;
  let entering = false;

  const send = (frame: ConfrServerSignal): void => void link.send(frame);
  const fail = (msg: string, tsxId?: string): void =>
    send({
      op: CONFR_OP.error,
      ...(tsxId === undefined ? {} : { tsxId }),
      result: RESULT.clientFailure,
      msg,
    });

  function receive(text: string): void {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      fail("not JSON");
      handlers.onBad();
      return;
    }
    const parsed = confrClientSchema.safeParse(json);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      const where = issue?.path.join(".") ?? "";
      fail(`invalid ${where}: ${issue?.message ?? ""}`.slice(0, 300), tsxIdOf(json));
      handlers.onBad();
      return;
    }
    handle(parsed.data);
  }

  function handle(frame: ConfrClientSignal): void {
    if (frame.op === CONFR_OP.enter) {
      void tryEnter(frame).catch((error: unknown) => {
        entering = false;
        deps.onError(error, "enter");
        // Send no answer: a refused enter would end the conference for the client, while a lost socket is only retried.
        link.close(WS_CLOSE.tryAgain, "try again later");
      });
      return;
    }
    // If the session now uses another connection, this one was replaced and its frames are refused.
    const own =
      session !== null && session.link === link && session.sessId === frame.sessId ? session : null;
    if (own === null) {
      fail("message sessId error...", frame.tsxId);
      return;
    }
    if (own.conference.ended) {
      fail("会议已结束", frame.tsxId);
      return;
    }
    dispatch(own, frame);
  }

  function dispatch(own: Session, frame: Exclude<ConfrClientSignal, { op: 200 }>): void {
    const { conference, sessId } = own;
    const head = { tsxId: frame.tsxId, sessId };
    const later = (work: Promise<void>): void =>
      void work.catch((error: unknown) => deps.onError(error, `op ${frame.op}`));
    switch (frame.op) {
      case CONFR_OP.ping:
        return send({ op: CONFR_OP.pong, ...head, cver: conference.cver });
      case CONFR_OP.publish:
        return later(media.publish(own, frame));
      case CONFR_OP.subscribe:
        return later(media.subscribe(own, frame));
      case CONFR_OP.answer:
        return later(media.answer(own, frame));
      case CONFR_OP.unsubscribe:
        return media.unsubscribe(own, frame);
      case CONFR_OP.candidates:
        return media.candidates(own, frame);
      case CONFR_OP.terminate:
        return media.terminate(own, frame);
      case CONFR_OP.streamControl:
        return media.streamControl(own, frame);
      case CONFR_OP.record:
        return send({
          op: CONFR_OP.record,
          ...head,
          result: RESULT.notAllowed,
          msg: "服务端录制尚未提供",
        });
      case CONFR_OP.controlRequest: {
        const verdict = ask(own, frame);
        // A request that was passed on is answered by the other member.
        if (verdict.result !== RESULT.ok)
          send({ op: CONFR_OP.controlRequest, ...head, ...verdict });
        return;
      }
      case CONFR_OP.controlResponse: {
        const { result } = respond(own, frame);
        if (result !== RESULT.ok) send({ op: CONFR_OP.controlResponse, ...head, result });
        return;
      }
      case CONFR_OP.message: {
        const at = clock.now();
        return send({ op: CONFR_OP.message, ...head, id: frame.id, at, ...say(own, frame, at) });
      }
      case CONFR_OP.copy:
        return send({ op: CONFR_OP.copy, ...head, result: RESULT.ok, ...snapshot(conference) });
      case CONFR_OP.leave:
        send({ op: CONFR_OP.leave, ...head, result: RESULT.ok });
        remove(own, END_REASON.hangup);
        session = null;
        loginSession = null;
        handlers.onInside(false);
        return;
      case CONFR_OP.closeConference:
        if (own.member.role !== 7) {
          return send({
            op: CONFR_OP.closeConference,
            ...head,
            result: RESULT.notAllowed,
            msg: "需要管理员角色",
          });
        }
        send({ op: CONFR_OP.closeConference, ...head, result: RESULT.ok });
        return end(conference, END_REASON.closed);
    }
  }

  async function tryEnter(
    frame: Extract<ConfrClientSignal, { op: typeof CONFR_OP.enter }>,
  ): Promise<void> {
    const { tsxId, ticket, resource, nickName, ext, acptOps, vcodes, sessId } = frame;
    const refuse = ({ result, msg = "" }: Verdict): void =>
      send({ op: CONFR_OP.enter, tsxId, result, msg });
    if (entering || (session !== null && session.link === link)) {
      refuse({
        result: RESULT.clientFailure,
        msg: "had joined confr ... please call exitConference",
      });
      return;
    }
    entering = true;
    const admission = await deps.admit(ticket);
    entering = false;
    if (!link.open) return;
    if (admission.spec === undefined) {
      refuse(admission);
      if (admission.result === RESULT.badTicket) link.close(WS_CLOSE.unauthorised, "bad ticket");
      return;
    }
    const { spec, kept, role } = admission;
    const { memName } = ticket;
    const conference = conferences.open(spec, kept);
    const entry: Entry = { memName, resource, nickName, ext, acptOps, vcodes, role, sessId, link };
    const former = formerOf(conference, entry)?.session;
    let here = 0;
    for (const one of conference.sessions.values()) {
      if (one.member.memName === memName && one !== former) here += 1;
    }
    const known = client.identify(memName);
    if (!known || here + conferences.linksOf(memName, spec.id) >= SOCKETS_PER_PERSON) {
      conferences.discard(conference);
      refuse({ result: RESULT.notAllowed, msg: "同时进行的会议过多" });
      link.close(WS_CLOSE.tooMany, "too many sockets");
      return;
    }
    const entered = enter(conference, entry);
    if ("result" in entered) {
      conferences.discard(conference);
      refuse(entered);
      return;
    }
    session = entered.session;
    loginSession = admission.loginSession;
    handlers.onInside(true);
    const { member } = session;
    const missed = session.missed.splice(0);
    send({
      op: CONFR_OP.enter,
      tsxId,
      result: RESULT.ok,
      sessId: session.sessId,
      memId: member.memId,
      role: member.role,
      roleToken: deps.roleToken(spec.id, memName, member.role),
      ...snapshot(conference),
      yourIp: client.address,
      resumed: entered.resumed,
      rtcCfg: deps.rtcCfg(memName),
    });
    for (const one of missed) send(one);
  }

  return {
    get loginSession() {
      return loginSession;
    },
    get confrId() {
      return session?.conference.spec.id ?? null;
    },
    get inside() {
      return session !== null && session.link === link;
    },
    receive,
    gone() {
      if (session !== null) drop(session, link);
    },
  };
}

/** The transaction id of an invalid frame, so that its sender can identify the frame. */
function tsxIdOf(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null || !("tsxId" in json)) return undefined;
  const { tsxId } = json;
  return typeof tsxId === "string" && tsxId.length > 0 && tsxId.length <= 64 ? tsxId : undefined;
}
