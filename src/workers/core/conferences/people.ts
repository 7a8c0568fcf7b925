/** Messages between members: requests for a role and their answers, an admin's mute of one member, texts (ops 1001 to 1003). */
import { SERVER_WORDS, noticeFields } from "../../../shared/domain/notice-texts.ts";
import { type ConfrMember, type ConfrRole } from "../../../shared/protocol/confr-model.ts";
import {
  type ConfrAnswer,
  type ConfrServerSignal,
  OP2,
  readArg,
} from "../../../shared/protocol/confr-signalling.ts";
import { RESULT, OP } from "../../../shared/protocol/signalling.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CoreEnv, Store, Timer } from "../contracts.ts";
import type { ConferenceConfig } from "./config.ts";
import type { Model } from "./model.ts";
import { type Answer, LOST } from "./session.ts";
import { ADMIN } from "./rules.ts";
import type { ConferenceSession } from "./session.ts";

export type RequestKind = "talker" | "admin";
const OP2_OF: Readonly<Record<RequestKind, number>> = {
  talker: OP2.talkerRequest,
  admin: OP2.adminRequest,
};
export const ROLE_OF: Readonly<Record<RequestKind, ConfrRole>> = { talker: 3, admin: ADMIN };

/** The outcome of the own request. `late`: no answer came while the server kept it. `lost`: it failed for another reason. */
type Outcome = "agreed" | "refused" | "late" | "lost";
/** An admin refuses with this result (docs/conferences.md#requests). */
const REFUSED = 1;
/** Op 1001 has the sender's memId when a member answers; the server's own answers to op 1002 have none. */
const isOfMember = (signal: ConfrServerSignal): signal is ConfrAnswer =>
  signal.op === OP.response && signal.memId !== undefined;
type Arg = { readonly op2: number; readonly [key: string]: unknown };

export interface People {
  requested(signal: Extract<ConfrServerSignal, { op: 1002 }>): void;
  answered(signal: ConfrAnswer): void;
  message(signal: Extract<ConfrServerSignal, { op: 1003 }>): void;
  /** A member left: its requests are dropped, and an own request to it ends as lost. */
  gone(member: ConfrMember): void;
  /** A member's role changed: requests for a role that it now has end. @returns whether this ended the own request */
  roleChanged(memId: string, role: ConfrRole): boolean;
  /** @returns an admin other than this member, null when there is none */
  admin(): ConfrMember | null;
  /** Sends a request. Its outcome appears in the slice. */
  ask(kind: RequestKind, admin: ConfrMember): void;
  /** A request that still waits for an answer; null when there is none of this id. */
  request(id: string): { readonly kind: RequestKind; readonly memId: string } | null;
  /** @param result 0 agreed, 1 refused */
  answer(id: string, result: 0 | 1): void;
  /** Mutes a member or lifts the mute. Rejects with AppError conference.refused when the mute did not change. */
  mute(memId: string, on: boolean): Promise<void>;
  /** The server reported whether a member is muted. */
  mutedChanged(memId: string, muted: boolean): void;
  /** The server lost the session, and the requests with it. */
  forgotten(): void;
  reset(): void;
}

export function createPeople(deps: {
  readonly env: Pick<CoreEnv, "clock" | "newId">;
  readonly config: Pick<ConferenceConfig, "requestLifeMillis">;
  readonly model: Model;
  readonly notice: Store["notice"];
  readonly wire: () => ConferenceSession | null;
}): People {
  const { env, model } = deps;
  const slice = () => model.slice;
  const asked = new Map<string, { kind: RequestKind; to: string; timer: Timer }>();
  /** Timers that drop the requests of other members when they are too old to be answered. */
  const ends = new Map<string, Timer>();
  const muting = new Map<
    string,
    { memId: string; on: boolean; resolve(): void; reject(error: AppError): void }
  >();
  const nameOf = (memId: string): string => slice().members[memId]?.nickName || memId;
  const answerRequest = (memId: string, tsxId: string, result: number, op2: number): void =>
    void deps
      .wire()
      ?.sendWithoutAnswer({ op: OP.response, memId, result, arg: JSON.stringify({ op2 }) }, tsxId);
  const drop = (id: string): void => {
    ends.get(id)?.cancel();
    ends.delete(id);
    const { [id]: _gone, ...requests } = slice().requests;
    model.patch({ requests });
  };
  /** Ends the own request and notifies the person. @returns false when there is none of this id */
  function over(id: string, result: Outcome, words = ""): boolean {
    const ownRequest = asked.get(id);
    if (ownRequest === undefined) return false;
    const { kind, timer } = ownRequest;
    timer.cancel();
    asked.delete(id);
    model.patch({ asked: null, reply: { id, kind, result } });
    const keys = {
      agreed: "conference.request-agreed",
      refused: `conference.${kind}-denied`,
      late: "conference.request-late",
      lost: "conference.request-lost",
    } as const;
    const style = result === "agreed" ? "success" : "warning";
    if (words === "") deps.notice({ style, ...noticeFields(keys[result]) });
    else deps.notice({ style, text: words, key: SERVER_WORDS });
    return true;
  }
  /** Sends op 1002. The server answers only to refuse. @returns null when the request was passed on, and perhaps answered */
  async function control(memId: string, tsxId: string, arg: Arg): Promise<Answer | null> {
    const request = { op: OP.controlRequest, memId, arg: JSON.stringify(arg) };
    const answer = (await deps.wire()?.ask(request, { tsxId })) ?? LOST;
    if (answer.signal !== null && isOfMember(answer.signal)) {
      answered(answer.signal);
      return null;
    }
    const onItsWay = answer.result === RESULT.ok || answer.result === RESULT.requestTimeout;
    return onItsWay ? null : answer;
  }
  const notMuted = (answer: Answer | null): AppError =>
    new AppError("conference.refused", {
      message: answer?.signal == null || answer.msg === "" ? "未能改变该成员的静音" : answer.msg,
      details: { result: answer?.result ?? RESULT.requestTimeout, text: answer?.msg ?? "" },
    });

  function answered({ tsxId = "", memId, result }: ConfrAnswer): void {
    const mute = muting.get(tsxId);
    if (mute !== undefined && memId === mute.memId) {
      muting.delete(tsxId);
      // The server mutes; a client that does not know the request may answer what it likes.
      const done = slice().members[memId]?.muted === mute.on;
      if (result === RESULT.ok || done) mute.resolve();
      else mute.reject(notMuted({ result, msg: "", signal: null }));
      return;
    }
    if (memId === undefined || memId !== asked.get(tsxId)?.to) return;
    over(tsxId, result === RESULT.ok ? "agreed" : result === REFUSED ? "refused" : "lost");
  }

  return {
    requested({ tsxId, memId: from, arg }) {
      const op2 = readArg(arg)?.op2 ?? 0;
      const sender = slice().members[from];
      if (op2 === OP2.mute || op2 === OP2.unmute) {
        // Admins cannot be muted, and only admins may mute.
        const may = sender?.role === ADMIN && slice().self?.role !== ADMIN;
        if (may) model.patch({ mutedByAdmin: op2 === OP2.mute });
        return answerRequest(from, tsxId, may ? RESULT.ok : RESULT.notAllowed, op2);
      }
      const kind = op2 === OP2.talkerRequest ? "talker" : op2 === OP2.adminRequest ? "admin" : null;
      // Other requests, such as remote control, are not supported.
      if (kind === null || slice().self?.role !== ADMIN) {
        return answerRequest(from, tsxId, RESULT.notAllowed, op2);
      }
      const at = env.clock.now();
      const request = { id: tsxId, kind, memId: from, nickName: nameOf(from), at } as const;
      for (const one of Object.values(slice().requests)) {
        if (one.memId === from && one.kind === kind) drop(one.id);
      }
      model.patch({ requests: { ...slice().requests, [tsxId]: request } });
      ends.set(
        tsxId,
        env.clock.after(deps.config.requestLifeMillis, () => drop(tsxId)),
      );
    },
    answered,
    message({ id = env.newId(), memId: from, to, arg: text, at }) {
      model.message({
        id,
        from,
        nickName: nameOf(from),
        to: to ?? null,
        text,
        at,
        mine: false,
      });
    },
    gone({ memId }) {
      for (const one of Object.values(slice().requests)) if (one.memId === memId) drop(one.id);
      for (const [id, { to }] of asked) if (to === memId) over(id, "lost");
    },
    roleChanged(memId, role) {
      for (const one of Object.values(slice().requests)) {
        if (one.memId === memId && role >= ROLE_OF[one.kind]) drop(one.id);
      }
      if (memId !== slice().self?.memId) return false;
      let answered = false;
      // The role can arrive before the answer. The answer is then ignored.
      for (const [id, { kind }] of asked) {
        if (role >= ROLE_OF[kind]) answered = over(id, "agreed") || answered;
      }
      if (role !== ADMIN) for (const id of Object.keys(slice().requests)) drop(id);
      return answered;
    },
    admin: () =>
      Object.values(slice().members).find(
        ({ memId, role }) => role === ADMIN && memId !== slice().self?.memId,
      ) ?? null,
    ask(kind, admin) {
      const { self } = slice();
      const { memId = "", memName = "", nickName = "" } = self ?? {};
      const id = env.newId();
      // A new request replaces the earlier one.
      for (const [other, { timer }] of asked) {
        timer.cancel();
        asked.delete(other);
      }
      const timer = env.clock.after(deps.config.requestLifeMillis, () => over(id, "late"));
      asked.set(id, { kind, to: admin.memId, timer });
      model.patch({ asked: kind });
      const arg = { op2: OP2_OF[kind], memId, memName, nickName };
      void control(admin.memId, id, arg).then((answer) => {
        // Show the server's own message if it sent one.
        if (answer !== null) over(id, "lost", answer.signal === null ? "" : answer.msg);
      });
    },
    request: (id) => slice().requests[id] ?? null,
    answer(id, result) {
      const request = slice().requests[id];
      if (request === undefined) return;
      answerRequest(request.memId, id, result, OP2_OF[request.kind]);
      drop(id);
    },
    mute: (memId, on) =>
      new Promise((resolve, reject) => {
        const id = env.newId();
        muting.set(id, { memId, on, resolve, reject });
        void control(memId, id, { op2: on ? OP2.mute : OP2.unmute }).then((answer) => {
          // The member or the server has already confirmed or refused it.
          if (!muting.delete(id)) return;
          if (answer === null && slice().members[memId]?.muted === on) resolve();
          else reject(notMuted(answer));
        });
      }),
    mutedChanged(memId, muted) {
      for (const [id, one] of muting) {
        if (one.memId !== memId || one.on !== muted) continue;
        muting.delete(id);
        one.resolve();
      }
    },
    forgotten() {
      for (const id of asked.keys()) over(id, "lost");
      for (const id of Object.keys(slice().requests)) drop(id);
    },
    reset() {
      for (const { timer } of asked.values()) timer.cancel();
      asked.clear();
      for (const timer of ends.values()) timer.cancel();
      ends.clear();
      for (const { reject } of muting.values()) reject(notMuted(LOST));
      muting.clear();
    },
  };
}
