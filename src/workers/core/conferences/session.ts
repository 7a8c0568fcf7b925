/**
 * The signalling session of a conference (docs/conferences.md#session): what a conference says when it enters, which of its requests wait
 * for a session, and its timings. The session itself is that of core/signalling; conference.ts interprets the frames.
 */
import { reconnectDelay } from "../../../shared/domain/backoff.ts";
import type { SessionEnd } from "../../../shared/domain/signalling-session.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { type VideoCodec } from "../../../shared/protocol/confr-model.ts";
import {
  type ConferenceClientSignal,
  confrServerSchema,
  type ConferenceServerSignal,
} from "../../../shared/protocol/confr-signalling.ts";
import type { Ticket } from "../../../shared/protocol/rest/rtc.ts";
import type { CoreEnv, Stats } from "../contracts.ts";
import type { Answer as AnswerOf } from "../signalling/pending.ts";
import {
  createSignallingSession,
  type AnswerFrame,
  type RequestOf,
  type SignallingSession,
} from "../signalling/session.ts";
import { socketTransport } from "../signalling/socket-transport.ts";
import type { ConferenceConfig } from "./config.ts";

export { LOST } from "../signalling/pending.ts";
export type Answer = AnswerOf<ConferenceServerSignal>;
export type ConferenceRequest = RequestOf<ConferenceClientSignal>;
export type Entered = AnswerFrame<ConferenceServerSignal>;
export type ConferenceSession = SignallingSession<ConferenceRequest, ConferenceServerSignal>;

export interface SessionDeps {
  readonly env: Pick<
    CoreEnv,
    "clock" | "openSocket" | "online" | "random" | "newId" | "config" | "home" | "log" | "rewrites"
  >;
  readonly stats: Pick<Stats, "socket" | "socketTraffic">;
  readonly config: ConferenceConfig;
  readonly ticket: Ticket;
  readonly nickName: string;
  readonly resource: string;
  readonly ext: string;
  readonly vcodes: readonly VideoCodec[];
  /** The ops that this member accepts from others at the moment. */
  readonly ops: () => number[];
  /** The id of the session that an earlier core had; null for a new one. */
  readonly sessId: string | null;
  /** Returns the last conference version that was applied. */
  readonly cver: () => number;
  /** Fetches a new ticket. Called once when the server refuses the current one. */
  readonly renew: () => Promise<Ticket>;
  readonly onEntered: (answer: Entered, resumed: boolean) => void;
  readonly onLost: () => void;
  readonly onRefused: (end: SessionEnd) => void;
  /** Receives every frame that does not answer an own request. */
  readonly onEvent: (signal: ConferenceServerSignal) => void;
  /** Receives the server's conference version with each pong. */
  readonly onVersion: (cver: number) => void;
}

export function createSession(deps: SessionDeps): ConferenceSession {
  const { env, config } = deps;
  return createSignallingSession<ConferenceRequest, ConferenceServerSignal>({
    env,
    name: "conference",
    timings: {
      enterMillis: Math.min(config.enterTimeout, config.requestTimeout),
      entry: { millis: config.enterTimeout, attempts: config.reconnect },
      requestMillis: config.requestTimeout,
      pingTimeoutMillis: config.pingTimeoutMillis,
      releaseMillis: config.bufferedReleaseMillis,
      wake: {
        everyMillis: config.checkConnectIntervalMillis,
        sleptMillis: config.sleptMillis,
      },
    },
    connect: socketTransport({
      ...deps,
      ...config,
      delays: (attempt) => Math.min(reconnectDelay(attempt, env.random()), config.reconnectDelay),
    }),
    ticket: deps.ticket,
    sessId: deps.sessId,
    renew: deps.renew,
    read(message) {
      const parsed = confrServerSchema.safeParse(message);
      return parsed.success ? parsed.data : null;
    },
    enterFrame: (ticket, sessId) => ({
      op: OP.enter,
      tkt: ticket,
      nickName: deps.nickName.slice(0, 64),
      resource: deps.resource.slice(0, 128),
      ext: deps.ext,
      res: { ops: deps.ops(), vcodes: [...deps.vcodes] },
      ...(sessId === null ? {} : { sessId, cver: deps.cver() }),
    }),
    // Connections repeat their own requests when there is a session again.
    mayHold: (request) => !("rtcId" in request),
    onEntered: deps.onEntered,
    onLost: deps.onLost,
    onRefused: deps.onRefused,
    onEvent: deps.onEvent,
    onPong(signal) {
      if (signal.op === OP.pong) deps.onVersion(signal.cver);
    },
  });
}
