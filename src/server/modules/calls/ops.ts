/** The operations of a call's signalling (docs/calls.md#operations): entering by ticket, relaying, leaving, ending. */
import type { Ticket } from "../../../shared/protocol/rest/rtc.ts";
import {
  type ClientSignal,
  clientSignalSchema,
  OP,
  RESULT,
  type ServerSignal,
} from "../../../shared/protocol/signalling.ts";
import type { Admitted, NotAdmitted, SignallingProtocol } from "../../base/signalling/contracts.ts";
import type { OpenCalls, Session } from "./open-calls.ts";

export interface CallAdmission extends Admitted {
  readonly role: 7 | 3;
}

export const CALL_OVER = { result: RESULT.conferenceGone, msg: "通话已结束" } as const;

/** @param deps.admit checks a ticket; rejects when the database cannot be queried */
export function createCallProtocol(deps: {
  readonly calls: OpenCalls;
  readonly admit: (ticket: Ticket) => Promise<CallAdmission | NotAdmitted>;
}): SignallingProtocol<Session, ClientSignal, ServerSignal, CallAdmission> {
  const { calls, admit } = deps;
  return {
    schema: clientSignalSchema,
    texts: { entered: "had joined confr", tooMany: "同时进行的通话过多" },
    ticketOf: ({ ticket }) => ticket,
    admit,
    linksBeside: ({ ticket }) => calls.linksOf(ticket.memName, ticket.confrId),
    enter({ ticket, nickName, sessId }, { role }, link, client) {
      const { confrId, memName } = ticket;
      const member = { memId: memName, memName, nickName, role };
      const entered = calls.enter({ confrId, member, sessId, link });
      if (entered === null) return CALL_OVER;
      const { session, mems, resumed } = entered;
      const answer = {
        result: RESULT.ok,
        memId: session.member.memId,
        role: session.member.role,
        mems,
        yourIp: client.address,
        resumed,
      };
      return { session, answer, missed: [] };
    },
    drop: (session, link) => calls.drop(session, link),
    confrIdOf: ({ confrId }) => confrId,
    operations: {
      [OP.ping]: {
        run: (_, { tsxId, sessId }, from) => from.send({ op: OP.pong, tsxId, sessId }),
      },
      [OP.relay]: {
        run(session, { to, body }, from) {
          from.answer({ result: calls.relay(session, to, body) });
        },
      },
      [OP.terminate]: {
        run(session, { reason }, from) {
          from.answer({ result: RESULT.ok });
          calls.terminate(session, reason);
        },
      },
      [OP.leave]: {
        run(session, _, from) {
          from.answer({ result: RESULT.ok });
          calls.leave(session);
          from.left();
        },
      },
    },
  };
}
