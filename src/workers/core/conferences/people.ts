/** Messages between members: requests for a role and their answers, an admin's mute of one member, texts (ops 1001 to 1003). */
import { SERVER_WORDS, noticeFields } from "../../../shared/domain/notice-texts.ts";
import {
  type ConferenceMember,
  type ConferenceRole,
} from "../../../shared/protocol/confr-model.ts";
import { type ConferenceServerSignal, OP2 } from "../../../shared/protocol/confr-signalling.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CoreEnv, Store, Timer } from "../contracts.ts";
import type { ConferenceConfig } from "./config.ts";
import type { MemberAnswer, MemberRequest, MemberRequests } from "./member-requests.ts";
import type { Model } from "./model.ts";
import { ADMIN } from "./rules.ts";

export type RequestKind = "talker" | "admin";
const OP2_OF: Readonly<Record<RequestKind, number>> = {
  talker: OP2.talkerRequest,
  admin: OP2.adminRequest,
};
export const ROLE_OF: Readonly<Record<RequestKind, ConferenceRole>> = { talker: 3, admin: ADMIN };

/** The outcome of the own request. `late`: no answer came while the server kept it. `lost`: it failed for another reason. */
type Outcome = "agreed" | "refused" | "late" | "lost";
const NOT_MUTED = "未能改变该成员的静音";
/** An admin refuses with this result (docs/conferences.md#requests). */
const REFUSED = 1;
export interface People {
  message(signal: Extract<ConferenceServerSignal, { op: 1003 }>): void;
  /** A member left: its requests are dropped, and an own request to it ends as lost. */
  gone(member: ConferenceMember): void;
  /** A member's role changed: requests for a role that it now has end. @returns whether this ended the own request */
  roleChanged(memId: string, role: ConferenceRole): boolean;
  /** @returns an admin other than this member, null when there is none */
  admin(): ConferenceMember | null;
  /** Sends a request. Its outcome appears in the slice. */
  ask(kind: RequestKind, admin: ConferenceMember): void;
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
  readonly config: Pick<ConferenceConfig, "requestLifeMillis" | "requestTimeout">;
  readonly model: Model;
  readonly notice: Store["notice"];
  readonly requests: MemberRequests;
}): People {
  const { env, model, requests } = deps;
  const slice = () => model.slice;
  const asked = new Map<string, RequestKind>();
  /** Timers that drop the requests of other members when they are too old to be answered. */
  const ends = new Map<string, Timer>();
  const muting = new Set<{
    readonly memId: string;
    readonly on: boolean;
    resolve(): void;
    reject(error: AppError): void;
  }>();
  const nameOf = (memId: string): string => slice().members[memId]?.nickName || memId;
  const drop = (id: string): void => {
    ends.get(id)?.cancel();
    ends.delete(id);
    const { [id]: _gone, ...others } = slice().requests;
    model.patch({ requests: others });
  };
  /** Ends the own request and notifies the person. @returns false when there is none of this id */
  function over(id: string, result: Outcome, words = ""): boolean {
    const kind = asked.get(id);
    if (kind === undefined) return false;
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
  const notMuted = ({ result, by, msg }: MemberAnswer): AppError =>
    new AppError("conference.refused", {
      message: by !== "server" || msg === "" ? NOT_MUTED : msg,
      details: { result, text: msg },
    });

  for (const op2 of [OP2.mute, OP2.unmute]) {
    requests.handle(op2, (request) => {
      // Admins cannot be muted, and only admins may mute.
      const may = slice().members[request.memId]?.role === ADMIN && slice().self?.role !== ADMIN;
      if (may) model.patch({ mutedByAdmin: op2 === OP2.mute });
      request.answer(may ? RESULT.ok : RESULT.notAllowed);
    });
  }
  /** An admin keeps a request for a role until the person decides. */
  const keep = (kind: RequestKind) => (request: MemberRequest) => {
    const { tsxId, memId } = request;
    if (slice().self?.role !== ADMIN) return request.answer(RESULT.notAllowed);
    const at = env.clock.now();
    const kept = { id: tsxId, kind, memId, nickName: nameOf(memId), at } as const;
    for (const one of Object.values(slice().requests)) {
      if (one.memId === memId && one.kind === kind) drop(one.id);
    }
    model.patch({ requests: { ...slice().requests, [tsxId]: kept } });
    ends.set(
      tsxId,
      env.clock.after(deps.config.requestLifeMillis, () => drop(tsxId)),
    );
  };
  requests.handle(OP2.talkerRequest, keep("talker"));
  requests.handle(OP2.adminRequest, keep("admin"));

  return {
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
    },
    roleChanged(memId, role) {
      for (const one of Object.values(slice().requests)) {
        if (one.memId === memId && role >= ROLE_OF[one.kind]) drop(one.id);
      }
      if (memId !== slice().self?.memId) return false;
      let answered = false;
      // The role can arrive before the answer. The answer is then ignored.
      for (const [id, kind] of asked) {
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
      asked.clear();
      asked.set(id, kind);
      model.patch({ asked: kind });
      const arg = { op2: OP2_OF[kind], memId, memName, nickName };
      void requests.ask(admin.memId, arg, { tsxId: id }).then(({ result, by, msg }) => {
        if (by === "member") {
          over(id, result === RESULT.ok ? "agreed" : result === REFUSED ? "refused" : "lost");
        } else {
          // Show the server's own message if it sent one.
          over(id, result === RESULT.requestTimeout ? "late" : "lost", msg);
        }
      });
    },
    request: (id) => slice().requests[id] ?? null,
    answer(id, result) {
      const request = slice().requests[id];
      if (request === undefined) return;
      requests.answer(request.memId, id, result, { op2: OP2_OF[request.kind] });
      drop(id);
    },
    mute: (memId, on) =>
      new Promise((resolve, reject) => {
        const one = { memId, on, resolve, reject };
        muting.add(one);
        const arg = { op2: on ? OP2.mute : OP2.unmute };
        const millis = deps.config.requestTimeout;
        void requests.ask(memId, arg, { millis }).then((answer) => {
          // The server has already confirmed it.
          if (!muting.delete(one)) return;
          // The server mutes; a client that does not know the request may answer what it likes.
          const done = answer.by === "member" && answer.result === RESULT.ok;
          if (done || slice().members[memId]?.muted === on) resolve();
          else reject(notMuted(answer));
        });
      }),
    mutedChanged(memId, muted) {
      for (const one of muting) {
        if (one.memId !== memId || one.on !== muted) continue;
        muting.delete(one);
        one.resolve();
      }
    },
    forgotten() {
      for (const id of asked.keys()) over(id, "lost");
      for (const id of Object.keys(slice().requests)) drop(id);
    },
    reset() {
      asked.clear();
      for (const timer of ends.values()) timer.cancel();
      ends.clear();
      for (const { reject } of muting)
        reject(new AppError("conference.refused", { message: NOT_MUTED }));
      muting.clear();
    },
  };
}
