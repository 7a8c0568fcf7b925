/** Calls of two on the server (docs/calls.md): who may enter one, who is inside, and what the sides send each other. */
import { randomUUID } from "node:crypto";
import type { Ticket } from "../../../shared/protocol/rest/rtc.ts";
import { END_REASON, RESULT, SIGNALLING_LIMITS } from "../../../shared/protocol/signalling.ts";
import type { PlaceOfPerson } from "../../base/cluster/access.ts";
import type { Directory, ServerDeps } from "../../base/module.ts";
import type { NotAdmitted } from "../../base/signalling/contracts.ts";
import { createSignallingSockets, type SignallingSockets } from "../../base/signalling/sockets.ts";
import { createCallNews } from "../tickets/call-news.ts";
import type { Tickets } from "../tickets/tickets.ts";
import { createOpenCalls } from "./open-calls.ts";
import { CALL_OVER, type CallAdmission, createCallProtocol } from "./ops.ts";
import type { CallStore } from "./store.ts";

export interface Calls {
  readonly sockets: SignallingSockets;
  members(): ReadonlyMap<string, number>;
  readonly memberCount: number;
  activeIds(): string[];
  /**
   * Ends the calls of a person with people whom the person may not talk to any more.
   *
   * @param userName null: everybody's
   * @returns who was in which call, one after the other as they are put out
   */
  endForbidden(userName: string | null): AsyncIterable<PlaceOfPerson>;
  /** Idempotent. Closes all sockets. */
  stop(): void;
}

/**
 * @param deps.isEnding whether a call has ended, though perhaps not yet in the database
 * @param deps.end writes an end
 * @param deps.isAlive whether a login session is valid
 * @param deps.atHome rejects when another process is the call's home
 */
export function createCalls(
  deps: Pick<ServerDeps, "bus" | "clock" | "log"> & {
    readonly store: Pick<CallStore, "find">;
    readonly tickets: Pick<Tickets, "verify">;
    readonly isEnding: (conferenceId: string) => boolean;
    readonly end: (conferenceId: string, reason: number) => void;
    readonly isAlive: (sessionId: string) => Promise<boolean>;
    readonly atHome: (conferenceId: string) => Promise<void>;
    readonly directory: Pick<Directory, "mayTalk">;
  },
): Calls {
  const { clock, log, store, tickets } = deps;
  const news = createCallNews({
    bus: deps.bus,
    clock,
    tag: "ownCalls",
    async people(conferenceId) {
      const call = await store.find(conferenceId);
      return call === null ? [] : [call.caller, call.callee];
    },
    onError: (error, what) => log.error({ err: error, what }, "a call could not be announced"),
  });
  const calls = createOpenCalls({
    clock,
    newId: randomUUID,
    onEnded: deps.end,
    onMembers: news.changed,
  });

  async function admit(ticket: Ticket): Promise<CallAdmission | NotAdmitted> {
    const bad: NotAdmitted = { result: RESULT.badTicket, msg: "通话票据无效" };
    const claims = await tickets.verify(ticket.tktId);
    if (claims?.confrId !== ticket.confrId || claims.memName !== ticket.memName) return bad;
    await deps.atHome(claims.confrId);
    const call = await store.find(claims.confrId);
    // Check last, because the session may have ended meanwhile.
    if (!(await deps.isAlive(claims.sessionId))) return bad;
    if (call === null || call.endedAt !== null || deps.isEnding(call.id)) return CALL_OVER;
    if (!(await deps.directory.mayTalk(call.caller, call.callee))) return CALL_OVER;
    const { confrId, memName, sessionId } = claims;
    const sides = [call.caller, call.callee] as const;
    const admitted = { result: 0, loginSession: sessionId, confrId, memName, sides } as const;
    if (memName === call.caller) return { ...admitted, role: 7 };
    if (memName === call.callee) return { ...admitted, role: 3 };
    return bad;
  }

  const sockets = createSignallingSockets(createCallProtocol({ calls, admit }), {
    clock,
    limits: SIGNALLING_LIMITS,
    onError: (error, what) => log.error({ err: error, what }, "a call operation failed"),
  });

  return {
    sockets,
    members: () => calls.members(),
    get memberCount() {
      return calls.memberCount;
    },
    activeIds: () => calls.activeIds(),
    async *endForbidden(userName) {
      const ids = userName === null ? calls.activeIds() : calls.callIdsOf(userName);
      for (const conferenceId of ids) {
        // Kept in memory: the other side waits for this, and a busy database answers late.
        const sides = calls.sidesOf(conferenceId);
        if (sides === null || (await deps.directory.mayTalk(...sides))) continue;
        calls.abort(conferenceId, END_REASON.noAccess);
        for (const name of userName === null ? sides : [userName]) {
          yield { userName: name, confrId: conferenceId };
        }
      }
    },
    stop() {
      news.stop();
      calls.stop();
      sockets.stop();
    },
  };
}
