/**
 * The operations of a conference's signalling (docs/conferences.md#session): entering by ticket, media, messages between
 * members, leaving, ending.
 */
import { type ConferenceRole, VIDEO_CODECS } from "../../../shared/protocol/confr-model.ts";
import {
  type ConferenceClientSignal,
  confrClientSchema,
  type ConferenceServerSignal,
} from "../../../shared/protocol/confr-signalling.ts";
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import type { RtcCfg, Ticket } from "../../../shared/protocol/rest/rtc.ts";
import { END_REASON, RESULT, OP, WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import type { Clock } from "../../base/module.ts";
import type {
  Admitted,
  EnterFrame,
  NotAdmitted,
  Operations,
  SignallingProtocol,
} from "../../base/signalling/contracts.ts";
import { annotate, annotationsFor } from "./annotations.ts";
import { setHand } from "./hands.ts";
import type { MediaOps } from "./media-ops.ts";
import { drop, end, enter, formerOf, remove } from "./membership.ts";
import type { OpenConferences } from "./open-conferences.ts";
import type { SignRole } from "./role-tokens.ts";
import { setRecording } from "./recording.ts";
import { snapshot } from "./state.ts";
import { codecsOf, streamIdOf } from "./streams.ts";
import { ask, respond, sendText } from "./talking.ts";
import type { ConferenceSpec, Kept, Session } from "./types.ts";

export interface ConferenceAdmission extends Admitted {
  readonly spec: ConferenceSpec;
  /** Chat user name. */
  readonly memName: string;
  readonly kept: Kept;
  /** The requested role. */
  readonly role: ConferenceRole | undefined;
}

export type ConferenceProtocol = SignallingProtocol<
  Session,
  ConferenceClientSignal,
  ConferenceServerSignal,
  ConferenceAdmission
>;

export interface ConferenceProtocolDeps {
  readonly conferences: OpenConferences;
  readonly media: MediaOps;
  readonly clock: Clock;
  readonly roleToken: SignRole;
  /** STUN and TURN servers for this person, with a fresh credential. */
  readonly rtcCfg: (memName: string) => RtcCfg;
  /** Checks a ticket. Rejects when the database cannot be queried. */
  readonly admit: (ticket: Ticket) => Promise<ConferenceAdmission | NotAdmitted>;
}

export function createConferenceProtocol(deps: ConferenceProtocolDeps): ConferenceProtocol {
  const { conferences } = deps;

  function socketsBeside(
    { resource, sessId }: EnterFrame<ConferenceClientSignal>,
    { spec, memName }: ConferenceAdmission,
  ): number {
    const elsewhere = conferences.countSockets(memName, spec.id);
    const conference = conferences.get(spec.id);
    if (conference === undefined) return elsewhere;
    const former = formerOf(conference, { memName, resource, sessId })?.session;
    const here = [...conference.sessions.values()].filter(
      (session) => session.member.memName === memName && session !== former,
    );
    return elsewhere + here.length;
  }

  return {
    schema: confrClientSchema,
    texts: {
      entered: "had joined confr ... please call exitConference",
      tooMany: "同时进行的会议过多",
    },
    ticketOf: ({ tkt, ticket }) => tkt ?? ticket ?? null,
    admit: deps.admit,
    putOut: (session) => remove(session, END_REASON.noAccess, WS_CLOSE.unauthorised),
    socketsBeside,
    enter(frame, { spec, memName, kept, role, loginSession }, socket, client) {
      const { resource, nickName, ext, res, sessId } = frame;
      const { ops: acptOps, vcodes } = res;
      const conference = conferences.open(spec, kept);
      const device = { memName, resource, nickName, ext, acptOps, vcodes };
      const entry = { ...device, role, sessId, loginSession, socket };
      const entered = enter(conference, entry);
      if ("result" in entered) {
        conferences.discard(conference);
        return entered;
      }
      const { session, resumed } = entered;
      const { rtcId, sdp, pubS } = frame;
      const offered =
        rtcId === undefined || sdp === undefined || pubS === undefined
          ? undefined
          : { rtcId, sdp, pubS };
      const answer = {
        result: RESULT.ok,
        memId: session.member.memId,
        role: session.member.role,
        roleToken: deps.roleToken({
          confrId: spec.id,
          memName,
          role: session.member.role,
          loginSession,
        }),
        vcodes: codecsOf(spec.vcodes, VIDEO_CODECS),
        ...snapshot(conference),
        ...annotationsFor(session),
        yourIp: client.address,
        resumed,
        rtcCfg: deps.rtcCfg(memName),
        ...(offered !== undefined && {
          streamId: streamIdOf(conference, session.member.memId, offered.pubS.type),
        }),
      };
      return {
        session,
        answer,
        missed: session.missed.splice(0),
        afterwards: offered && (() => deps.media.entered(session, offered)),
      };
    },
    drop,
    conferenceIdOf: ({ conference }) => conference.spec.id,
    over: ({ conference }) => (conference.ended ? "会议已结束" : null),
    operations: { ...mediaOperations(deps.media), ...memberOperations(deps.clock, deps.media) },
  };
}

type Rows = Operations<Session, ConferenceClientSignal, ConferenceServerSignal>;
type MediaOp =
  | typeof OP.offer
  | typeof OP.subscribe
  | typeof OP.answer
  | typeof OP.unsubscribe
  | typeof OP.candidates
  | typeof OP.terminate
  | typeof OP.streamControl;

/** These answer over the session's present socket, since the media node takes its time. */
function mediaOperations(media: MediaOps): Pick<Rows, MediaOp> {
  return {
    [OP.offer]: { run: (session, frame) => media.offer(session, frame) },
    [OP.subscribe]: { run: (session, frame) => media.select(session, frame) },
    [OP.answer]: { run: (session, frame) => media.answer(session, frame) },
    [OP.unsubscribe]: { run: (session, frame) => media.unsubscribe(session, frame) },
    [OP.candidates]: { run: (session, frame) => media.candidates(session, frame) },
    [OP.terminate]: { run: (session, frame) => media.terminate(session, frame) },
    [OP.streamControl]: { run: (session, frame) => media.streamControl(session, frame) },
  };
}

function memberOperations(clock: Clock, media: Pick<MediaOps, "isConnected">): Omit<Rows, MediaOp> {
  return {
    [OP.ping]: {
      run({ conference }, { tsxId, sessId }, from) {
        from.send({ op: OP.pong, tsxId, sessId, cver: conference.cver });
      },
    },
    [OP.record]: {
      run(session, { rtcId, flag }, from) {
        from.answer(setRecording(session, rtcId, flag === 1, media.isConnected));
      },
    },
    [OP.controlRequest]: {
      run(session, frame, from) {
        const verdict = ask(session, frame);
        // A request that was passed on is answered by the other member.
        if (verdict.result !== RESULT.ok) from.answer({ ...verdict, arg: frame.arg });
      },
    },
    [OP.response]: {
      run(session, frame, from) {
        const verdict = respond(session, frame);
        if (verdict.result !== RESULT.ok) from.answer(verdict);
      },
    },
    [OP.message]: {
      run(session, frame, from) {
        const at = clock.now();
        const { id } = frame;
        from.answer({ ...(id === undefined ? {} : { id }), at, ...sendText(session, frame, at) });
      },
    },
    [OP.hand]: {
      run(session, { up, memIds }, from) {
        from.answer(setHand(session, up, memIds));
      },
    },
    [OP.annotate]: {
      run(session, frame, from) {
        from.answer(annotate(session, frame));
      },
    },
    [OP.copy]: {
      run(session, { annotations = false }, from) {
        const marks = annotations ? annotationsFor(session) : {};
        from.answer({ result: RESULT.ok, ...snapshot(session.conference), ...marks });
      },
    },
    [OP.leave]: {
      run(session, _, from) {
        from.answer({ result: RESULT.ok });
        remove(session, END_REASON.hangup);
        from.left();
      },
    },
    [OP.closeConference]: {
      refusal: ({ member }) =>
        member.role === CONFERENCE_ROLE.admin
          ? null
          : { result: RESULT.notAllowed, msg: "需要管理员角色" },
      run({ conference }, _, from) {
        from.answer({ result: RESULT.ok });
        end(conference, END_REASON.closed);
      },
    },
  };
}
