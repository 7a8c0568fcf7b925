/** The operations of a call's signalling (docs/calls.md#operations): entering by ticket, relaying, leaving, ending. */
import type { Ticket } from "../../../shared/protocol/rest/rtc.ts";
import {
  type ClientSignal,
  clientSignalSchema,
  END_REASON,
  OP,
  RESULT,
  type ServerSignal,
} from "../../../shared/protocol/signalling.ts";
import type { Admitted, NotAdmitted, SignallingProtocol } from "../../base/signalling/contracts.ts";
import type { Session, Sides } from "./arriving.ts";
import type { OpenCalls } from "./open-calls.ts";

export interface CallAdmission extends Admitted {
  readonly confrId: string;
  readonly memName: string;
  readonly role: 7 | 3;
  readonly sides: Sides;
}

export const CALL_OVER = { result: RESULT.conferenceGone, msg: "通话已结束" } as const;

const NO_DEVICE = { result: RESULT.notFound, msg: "没有设备正在通话中" } as const;

/** @param deps.admit checks a ticket; rejects when the database cannot be queried */
export function createCallProtocol(deps: {
  readonly calls: OpenCalls;
  readonly admit: (ticket: Ticket) => Promise<CallAdmission | NotAdmitted>;
}): SignallingProtocol<Session, ClientSignal, ServerSignal, CallAdmission> {
  const { calls, admit } = deps;
  return {
    schema: clientSignalSchema,
    texts: { entered: "had joined confr", tooMany: "同时进行的通话过多" },
    ticketOf: ({ tkt, ticket }) => tkt ?? ticket ?? null,
    admit,
    socketsBeside: (_, { confrId, memName }) => calls.countSockets(memName, confrId),
    enter({ nickName, sessId, beside }, { confrId, memName, role, sides }, socket, client) {
      const member = { memId: memName, memName, nickName, role };
      const entry = { conferenceId: confrId, sides, member, sessId, socket };
      const entered = beside === true ? calls.enterBeside(entry) : calls.enter(entry);
      if (entered === null) return beside === true ? NO_DEVICE : CALL_OVER;
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
    drop: (session, socket) => calls.drop(session, socket),
    putOut(session) {
      // The device that has the call goes on with it.
      if (calls.isArriving(session)) calls.leave(session);
      else calls.abort(session.conferenceId, END_REASON.noAccess);
    },
    conferenceIdOf: ({ conferenceId }) => conferenceId,
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
        // The device that has the call goes on with it.
        refusal: (session) => (calls.isArriving(session) ? { result: RESULT.notAllowed } : null),
        run(session, { reason }, from) {
          from.answer({ result: RESULT.ok });
          calls.terminate(session, reason);
        },
      },
      [OP.move]: {
        run(session, { move }, from) {
          from.answer({ result: calls.move(session, move) });
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
