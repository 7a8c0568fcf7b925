/**
 * Requests from one member to another (op 1002) and their answers (op 1001). Each kind of request (op2) has one handler: roles and mutes in
 * people.ts, cameras and shared screens in files of their own (docs/conferences.md#requests).
 */
import {
  type ConferenceAnswer,
  type ConferenceServerSignal,
  type ControlArg,
  readArg,
} from "../../../shared/protocol/confr-signalling.ts";
import { OP, RESULT } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import type { ConferenceConfig } from "./config.ts";
import { type ConferenceSession, LOST } from "./session.ts";

/** How a request ended. */
export interface MemberAnswer {
  /** RESULT or CONFR_RESULT; -408 when nobody answered in time. */
  readonly result: number;
  /** What the member sent with the answer; empty when none did. */
  readonly arg: ControlArg;
  /** `server`: it refused the request. `nobody`: no answer in time, or the member or the session is gone. */
  readonly by: "member" | "server" | "nobody";
  /** The server's words of a refusal, else ''. */
  readonly msg: string;
}

/** A request of another member. */
export interface MemberRequest {
  readonly memId: string;
  readonly tsxId: string;
  readonly arg: ControlArg;
  /** Answers it. Only the first answer is sent. @param arg fields beside op2, which is that of the request */
  answer(result: number, arg?: Readonly<Record<string, unknown>>): void;
}
/** What a request consists of: JSON fields beside its kind. */
type Arg = { readonly op2: number; readonly [key: string]: unknown };
type Requested = Extract<ConferenceServerSignal, { op: typeof OP.controlRequest }>;

export interface MemberRequests {
  /**
   * Sends a request. Never rejects.
   *
   * @param options.tsxId the id of the request; left out: a new one
   * @param options.millis how long to wait for the answer; left out: as long as the server keeps a request
   */
  ask(
    memId: string,
    arg: Arg,
    options?: { readonly tsxId?: string; readonly millis?: number },
  ): Promise<MemberAnswer>;
  /** Sends an answer to a request that was kept. */
  answer(memId: string, tsxId: string, result: number, arg: Arg): void;
  /** Names the handler of a kind of request. A kind without one is answered with -405. */
  handle(op2: number, handler: (request: MemberRequest) => void): void;
  requested(signal: Requested): void;
  answered(signal: ConferenceAnswer): void;
  /** A member left: requests to it end. */
  gone(memId: string): void;
  /** The session is lost or over: all requests end. */
  reset(): void;
}

/** Op 1001 has the sender's memId when a member answers; the server's own answers to op 1002 have none. */
const isOfMember = (signal: ConferenceServerSignal): signal is ConferenceAnswer =>
  signal.op === OP.response && signal.memId !== undefined;
const nobody = (result: number): MemberAnswer => ({ result, arg: {}, by: "nobody", msg: "" });

export function createMemberRequests(deps: {
  readonly env: Pick<CoreEnv, "clock" | "newId">;
  readonly config: Pick<ConferenceConfig, "requestLifeMillis">;
  readonly wire: () => ConferenceSession | null;
}): MemberRequests {
  const { env } = deps;
  const handlers = new Map<number, (request: MemberRequest) => void>();
  const waiting = new Map<
    string,
    { readonly memId: string; readonly timer: Timer; end(answer: MemberAnswer): void }
  >();
  function end(tsxId: string, answer: MemberAnswer): void {
    const one = waiting.get(tsxId);
    if (one === undefined) return;
    waiting.delete(tsxId);
    one.timer.cancel();
    one.end(answer);
  }
  function answered({ tsxId = "", memId, result, arg = "" }: ConferenceAnswer): void {
    // Only the member that was asked may answer.
    if (memId === undefined || waiting.get(tsxId)?.memId !== memId) return;
    end(tsxId, { result, arg: readArg(arg) ?? {}, by: "member", msg: "" });
  }
  function answer(memId: string, tsxId: string, result: number, arg: Arg): void {
    const response = { op: OP.response, memId, result, arg: JSON.stringify(arg) } as const;
    void deps.wire()?.sendWithoutAnswer(response, tsxId);
  }

  return {
    ask: (memId, arg, { tsxId = env.newId(), millis = deps.config.requestLifeMillis } = {}) =>
      new Promise((resolve) => {
        const timer = env.clock.after(millis, () => end(tsxId, nobody(RESULT.requestTimeout)));
        waiting.set(tsxId, { memId, timer, end: resolve });
        const request = { op: OP.controlRequest, memId, arg: JSON.stringify(arg) } as const;
        const sent = deps.wire()?.ask(request, { tsxId }) ?? Promise.resolve(LOST);
        void sent.then(({ result, msg, signal }) => {
          if (signal !== null && isOfMember(signal)) return answered(signal);
          // The server answers only to refuse. Without its answer the request is on its way.
          const onItsWay = result === RESULT.ok || result === RESULT.requestTimeout;
          if (onItsWay) return;
          end(tsxId, { result, arg: {}, by: signal === null ? "nobody" : "server", msg });
        });
      }),
    answer,
    handle: (op2, handler) => void handlers.set(op2, handler),
    requested({ tsxId, memId, arg: text }) {
      const arg = readArg(text) ?? {};
      const { op2 = 0 } = arg;
      let open = true;
      const request: MemberRequest = {
        memId,
        tsxId,
        arg,
        answer(result, more = {}) {
          if (open) answer(memId, tsxId, result, { ...more, op2 });
          open = false;
        },
      };
      const handler = handlers.get(op2);
      if (handler === undefined) request.answer(RESULT.notAllowed);
      else handler(request);
    },
    answered,
    gone(memId) {
      for (const [id, one] of waiting) if (one.memId === memId) end(id, nobody(RESULT.notFound));
    },
    reset() {
      for (const id of waiting.keys()) end(id, nobody(RESULT.clientFailure));
    },
  };
}
