/** What members tell each other: requests for a role and their answers, an admin's mute of one, texts (ops 1001 to 1003). */
import { SERVER_WORDS, told } from "../../../shared/domain/notice-texts.ts";
import {
  CONFR_OP,
  type ConfrMember,
  type ConfrRole,
  type ConfrServerSignal,
  OP2,
} from "../../../shared/protocol/confr-signalling.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Store } from "../contracts.ts";
import type { Model } from "./model.ts";
import { ADMIN } from "./rules.ts";
import type { ConfrSessionLink } from "./session.ts";

export type RequestKind = "talker" | "admin";
const OP2_OF: Readonly<Record<RequestKind, number>> = {
  talker: OP2.talkerRequest,
  admin: OP2.adminRequest,
};
export const ROLE_OF: Readonly<Record<RequestKind, ConfrRole>> = { talker: 3, admin: ADMIN };

type Arg = { readonly op2: number; readonly [key: string]: unknown };

export interface People {
  requested(signal: Extract<ConfrServerSignal, { op: 1002 }>): void;
  answered(signal: Extract<ConfrServerSignal, { op: 1001 }>): void;
  message(signal: Extract<ConfrServerSignal, { op: 1003 }>): void;
  /** Who is gone asks and answers nothing any more. */
  gone(member: ConfrMember): void;
  /** A role that somebody has need not be asked for. */
  roleChanged(memId: string, role: ConfrRole): void;
  /** @returns an admin to ask, null when there is none */
  admin(): ConfrMember | null;
  /** Asks; what comes of it shows in the slice. */
  ask(kind: RequestKind, admin: ConfrMember): void;
  /** A request that waits; null: not any more. */
  request(id: string): { readonly kind: RequestKind; readonly memId: string } | null;
  /** @param result 0 agreed, 1 refused */
  answer(id: string, result: 0 | 1): void;
  /** Mutes one, or lets them speak. */
  mute(memId: string, on: boolean): void;
  reset(): void;
}

export function createPeople(deps: {
  readonly env: Pick<CoreEnv, "clock" | "newId">;
  readonly model: Model;
  readonly notice: Store["notice"];
  readonly wire: () => ConfrSessionLink | null;
  /** An admin has muted oneself, or lets speak again. */
  readonly silenced: (on: boolean) => void;
}): People {
  const { env, model } = deps;
  const slice = () => model.slice;
  const asked = new Map<string, { kind: RequestKind; to: string }>();
  const nameOf = (memId: string): string => slice().members[memId]?.nickName || memId;
  const say = (memId: string, tsxId: string, result: number, op2: number): void =>
    void deps.wire()?.say({ op: CONFR_OP.controlResponse, memId, result, arg: { op2 } }, tsxId);
  const drop = (id: string): void => {
    const { [id]: _gone, ...requests } = slice().requests;
    model.patch({ requests });
  };
  const tellAnswer = (agreed: boolean, kind: RequestKind): void => {
    const key = agreed ? "conference.request-agreed" : (`conference.${kind}-denied` as const);
    deps.notice({ style: agreed ? "success" : "warning", ...told(key) });
  };
  const unasked = (id: string): boolean => {
    if (!asked.delete(id)) return false;
    model.patch({ asked: null });
    return true;
  };
  /** Op 1002; only what the server itself refuses is answered by the same op. */
  async function control(memId: string, tsxId: string, arg: Arg): Promise<void> {
    const request = { op: CONFR_OP.controlRequest, memId, arg };
    const answer = await deps.wire()?.ask(request, { tsxId });
    const result = answer?.result ?? RESULT.clientFailure;
    if (result === RESULT.ok || result === RESULT.requestTimeout) return;
    unasked(tsxId);
    // the server's own words where it has some
    const text = answer?.signal == null ? "" : answer.msg;
    if (text === "") deps.notice({ style: "warning", ...told("conference.request-lost") });
    else deps.notice({ style: "warning", text, key: SERVER_WORDS });
  }

  return {
    requested({ tsxId, from, arg }) {
      if (from === undefined || arg === undefined) return;
      const { op2 } = arg;
      const sender = slice().members[from];
      if (op2 === OP2.mute || op2 === OP2.unmute) {
        // admins are not muted, and mute only as long as they are admins
        const may = sender?.role === ADMIN && slice().self?.role !== ADMIN;
        if (may) {
          model.patch({ mutedByAdmin: op2 === OP2.mute });
          deps.silenced(op2 === OP2.mute);
        }
        return say(from, tsxId, may ? RESULT.ok : RESULT.notAllowed, op2);
      }
      const kind = op2 === OP2.talkerRequest ? "talker" : op2 === OP2.adminRequest ? "admin" : null;
      // remote control and the like have their own issue
      if (kind === null || slice().self?.role !== ADMIN) {
        return say(from, tsxId, RESULT.notAllowed, op2);
      }
      const at = env.clock.now();
      const request = { id: tsxId, kind, memId: from, nickName: nameOf(from), at } as const;
      model.patch({ requests: { ...slice().requests, [tsxId]: request } });
    },
    answered({ tsxId, from, result }) {
      const mine = asked.get(tsxId);
      if (mine === undefined || from !== mine.to) return;
      unasked(tsxId);
      tellAnswer(result === RESULT.ok, mine.kind);
    },
    message({ id, from, to, text, at }) {
      if (text === undefined || from === undefined) return;
      model.message({
        id: id ?? env.newId(),
        from,
        nickName: nameOf(from),
        to: to ?? null,
        text,
        at: at ?? env.clock.now(),
        mine: false,
      });
    },
    gone({ memId }) {
      for (const one of Object.values(slice().requests)) if (one.memId === memId) drop(one.id);
      for (const [id, { to }] of asked) if (to === memId) unasked(id);
    },
    roleChanged(memId, role) {
      for (const one of Object.values(slice().requests)) {
        if (one.memId === memId && role >= ROLE_OF[one.kind]) drop(one.id);
      }
      if (memId !== slice().self?.memId) return;
      // the role may come before the answer, which then is nobody's
      for (const [id, { kind }] of asked) {
        if (role >= ROLE_OF[kind] && unasked(id)) tellAnswer(true, kind);
      }
      if (role !== ADMIN) model.patch({ requests: {} });
    },
    admin: () =>
      Object.values(slice().members).find(
        ({ memId, role }) => role === ADMIN && memId !== slice().self?.memId,
      ) ?? null,
    ask(kind, admin) {
      const { self } = slice();
      const { memId = "", memName = "", nickName = "" } = self ?? {};
      const id = env.newId();
      for (const other of asked.keys()) unasked(other);
      asked.set(id, { kind, to: admin.memId });
      model.patch({ asked: kind });
      void control(admin.memId, id, { op2: OP2_OF[kind], memId, memName, nickName });
    },
    request: (id) => slice().requests[id] ?? null,
    answer(id, result) {
      const request = slice().requests[id];
      if (request === undefined) return;
      say(request.memId, id, result, OP2_OF[request.kind]);
      drop(id);
    },
    mute: (memId, on) => void control(memId, env.newId(), { op2: on ? OP2.mute : OP2.unmute }),
    reset: () => asked.clear(),
  };
}
