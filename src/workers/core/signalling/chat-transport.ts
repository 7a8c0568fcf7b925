/**
 * The chat connection as the transport of a call's session (docs/calls.md#signalling-over-chat). There is no server: this side answers
 * its own enter, the two sides tell each other who is inside, and a request that nobody answers counts as a success.
 */
import { syntheticAnswerTo } from "../../../shared/domain/synthetic-answers.ts";
import {
  type CallSignal,
  type HostedRequest,
  hostedRequestSchema,
  type SignalBody,
} from "../../../shared/protocol/call-signal.ts";
import { END_REASON, OP, RESULT, type ServerSignal } from "../../../shared/protocol/signalling.ts";
import type { ConnectionState } from "../../../shared/protocol/state.ts";
import type { ChatSignals, CoreEnv, Timer } from "../contracts.ts";
import { createSyntheticAnswers } from "./synthetic-answers.ts";
import type { ConnectTransport } from "./transport.ts";

/** Roles of a call's sides (docs/calls.md#entering). */
const CALLER = 7;
const CALLEE = 3;

export interface ChatTransportDeps {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "log">;
  readonly signals: ChatSignals;
  /** ms between two pings. */
  readonly pingIntervalMillis: number;
  /** ms between two messages that this side is inside, until the other side is. */
  readonly retryMillis: number;
  readonly call: {
    readonly callId: string;
    readonly caller: boolean;
    readonly me: string;
    readonly device: string;
    /** Chat user name of the other side. */
    readonly peer: string;
    /** The one device of the other side that has the call; "" before the answer. */
    readonly chosen: () => string;
  };
}

export function chatTransport(deps: ChatTransportDeps): ConnectTransport {
  const { env, signals, call } = deps;
  return (user) => {
    let state: ConnectionState = "closed";
    /** Of the entered session. */
    let sessId: string | null = null;
    /** The device of the other side that is inside. */
    let other: string | null = null;
    /** The other side has ended the call: nothing more is said to it. */
    let over = false;
    let beat: Timer | null = null;
    let announcing: Timer | null = null;
    let ends: readonly (() => void)[] = [];

    const emit = (signal: ServerSignal): void => user.onMessage(signal);
    const answer = (tsxId: string, result: number): void =>
      emit({ op: OP.response, tsxId, ...(sessId === null ? {} : { sessId }), result });
    const synthetic = createSyntheticAnswers({ clock: env.clock, answer });

    const sendSignal = (toUserDevId: string, body: SignalBody): Promise<boolean> =>
      signals
        .send({
          callId: call.callId,
          fromUser: call.me,
          toUser: call.peer,
          fromUserDevId: call.device,
          toUserDevId,
          body,
        })
        .then(
          () => true,
          () => false,
        );
    const greet = (device: string, known: boolean): void =>
      void sendSignal(device, { op: OP.enter, tsxId: env.newId(), known });
    const member = (device: string) =>
      ({
        memId: device,
        memName: call.peer,
        nickName: "",
        role: call.caller ? CALLEE : CALLER,
      }) as const;

    const stopTimers = (): void => {
      beat?.cancel();
      announcing?.cancel();
      beat = null;
      announcing = null;
      synthetic.clear();
    };
    /** Says to the other side that this one is inside, until that one says the same. */
    function announce(): void {
      announcing?.cancel();
      announcing = null;
      if (state !== "open" || other !== null || over) return;
      const device = call.chosen();
      if (device !== "") greet(device, false);
      announcing = env.clock.after(deps.retryMillis, announce);
    }
    function beatLater(): void {
      beat = env.clock.after(deps.pingIntervalMillis, () => {
        beatLater();
        user.onBeat();
      });
    }
    function up(): void {
      state = "open";
      beatLater();
      user.onOpen();
    }
    function down(): void {
      stopTimers();
      state = "waiting";
      sessId = null;
      other = null;
      if (user.onLoss({ why: "failed", attempts: 0 }) === "stop") close();
    }
    function close(): void {
      stopTimers();
      state = "closed";
      for (const end of ends) end();
      ends = [];
    }

    /** Says a last thing, and answers the request when chat has taken it. */
    function sayLast(tsxId: string, body: SignalBody): void {
      const device = other ?? call.chosen();
      if (over || device === "") return answer(tsxId, RESULT.ok);
      over = true;
      void sendSignal(device, body).then((sent) => {
        if (state === "open") answer(tsxId, sent ? RESULT.ok : RESULT.clientFailure);
      });
    }
    function relay({ tsxId, body }: HostedRequest): void {
      if (body === undefined) return;
      if (other === null) return answer(tsxId, RESULT.notFound);
      synthetic.expect({ op: OP.relay, tsxId, body });
      void sendSignal(other, { op: OP.relay, tsxId, body }).then((sent) => {
        if (!sent) synthetic.settle(tsxId, RESULT.clientFailure);
      });
    }
    function request(asked: HostedRequest): void {
      const { op, tsxId, reason = END_REASON.hangup } = asked;
      switch (op) {
        case OP.enter: {
          const resumed = asked.sessId !== undefined;
          sessId = asked.sessId ?? env.newId();
          const role = call.caller ? CALLER : CALLEE;
          const mems = other === null ? [] : [member(other)];
          const own = { memId: call.device, role, mems, resumed };
          emit({ op: OP.response, tsxId, sessId, result: RESULT.ok, ...own });
          return announce();
        }
        case OP.ping:
          if (other !== null) return void sendSignal(other, { op: OP.ping, tsxId });
          // nobody is there who could answer
          return emit({ op: OP.pong, tsxId, sessId: sessId ?? "" });
        case OP.leave:
          return sayLast(tsxId, { op: OP.leave, reason });
        case OP.terminate:
          if (reason === END_REASON.local) return answer(tsxId, RESULT.ok);
          return sayLast(tsxId, { op: OP.terminate, reason });
        case OP.relay:
          return relay(asked);
        default:
          return synthetic.expect(asked);
      }
    }

    /** The call is with another device of that person. */
    function turnAway(device: string, body: SignalBody): void {
      if (body.op !== OP.enter && body.op !== OP.relay) return;
      const { tsxId } = body;
      void sendSignal(device, { op: OP.response, tsxId, result: RESULT.otherDevice });
      void sendSignal(device, { op: OP.terminate, reason: END_REASON.otherDevice });
    }
    function received({ callId, fromUser, fromUserDevId: from, body }: CallSignal): void {
      if (callId !== call.callId || fromUser !== call.peer) return;
      if (state !== "open" || sessId === null) return;
      const chosen = call.chosen();
      // Before the answer no device has the call. The one that gets it says again that it is inside.
      if (chosen === "") return;
      if (chosen !== from) return turnAway(from, body);
      switch (body.op) {
        case OP.enter: {
          const knew = other === from;
          other = from;
          announcing?.cancel();
          announcing = null;
          if (!body.known) greet(from, true);
          if (!knew || !body.known) emit({ op: OP.memberEntered, sessId, mem: member(from) });
          return;
        }
        case OP.leave:
          if (other !== from) return;
          other = null;
          return emit({ op: OP.memberExited, sessId, memId: from, endReason: body.reason });
        case OP.terminate:
          over = body.reason !== END_REASON.republish;
          return emit({ op: OP.terminate, sessId, from, endReason: body.reason });
        case OP.ping:
          if (other === from) void sendSignal(from, { op: OP.pong, tsxId: body.tsxId });
          return;
        case OP.pong:
          return emit({ op: OP.pong, sessId, tsxId: body.tsxId });
        case OP.response:
          return synthetic.settle(body.tsxId, body.result);
        case OP.relay:
          return relayed(from, body);
        default:
      }
    }
    function relayed(from: string, relay: Extract<SignalBody, { op: typeof OP.relay }>): void {
      const { tsxId, body } = relay;
      const known = other === from;
      if (!known || syntheticAnswerTo(relay)?.answered === true) {
        const result = known ? RESULT.ok : RESULT.notFound;
        void sendSignal(from, { op: OP.response, tsxId, result });
      }
      if (known && sessId !== null) emit({ op: OP.relay, sessId, from, body });
    }

    return {
      get state() {
        return state;
      },
      open() {
        if (state !== "closed") return;
        state = "waiting";
        ends = [
          signals.onSignal(received),
          signals.onOpen((open) => {
            if (open && state === "waiting") up();
            else if (!open && state === "open") down();
          }),
        ];
        if (signals.open()) up();
      },
      send(frame) {
        if (state !== "open") return false;
        const asked = hostedRequestSchema.safeParse(frame);
        if (!asked.success) return false;
        request(asked.data);
        return true;
      },
      reconnect() {
        if (state !== "open") return;
        down();
        // Still waiting: the session did not end with the loss.
        if ((state as ConnectionState) === "waiting" && signals.open()) up();
      },
      close,
    };
  };
}
