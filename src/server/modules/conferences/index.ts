/**
 * Conferences of many on the server (docs/conferences.md): who may make and enter one, who is inside with which role,
 * which streams there are, and their media by way of the nodes.
 */
import { randomInt, randomUUID } from "node:crypto";
import type { Context, Hono } from "hono";
import type { WebSocket } from "ws";
import { MEETING_NUMBERS } from "../../../shared/domain/meeting-number.ts";
import { RESULT, WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import type { Ticket, TicketRequest, TicketResponse } from "../../../shared/protocol/rest/rtc.ts";
import type { MediaNode } from "../media-node/contracts.ts";
import type { HttpEnv, Principal, ServerDeps, SocketClient } from "../../base/module.ts";
import { createBuckets } from "../tickets/buckets.ts";
import type { QualityTickets } from "../quality/tickets.ts";
import type { Tickets } from "../tickets/tickets.ts";
import { createAccess } from "./access.ts";
import { registerAdminRoutes } from "./admin-rest.ts";
import { iceServers } from "../tickets/ice-servers.ts";
import { createEngine } from "./engine.ts";
import type { ConferenceAdmission, FrameHandlerDeps } from "./frame-handler.ts";
import {
  type ConferenceRestDeps,
  createConferenceTickets,
  registerConferenceRoutes,
} from "./rest.ts";
import { createRoleTokens } from "./role-tokens.ts";
import { type ConferenceSocket, createConferenceSocket } from "./socket.ts";
import { createConferenceStore } from "./store.ts";
import type { Kept } from "./types.ts";

/** Calls other than for tickets per account: this many at once, refilled at this many per second. */
export const CONFR_CALLS = { burst: 60, perSecond: 5 } as const;

export interface Conferences {
  readonly ticket: (
    principal: Principal,
    request: TicketRequest,
    c: Context,
  ) => Promise<TicketResponse>;
  routes(app: Hono<HttpEnv>): void;
  accept(socket: WebSocket, client: SocketClient): void;
  /**
   * Starts a media node if the members of an open conference may come back, as after a restart of the server.
   *
   * @param since ms since the epoch: conferences in which a member was seen later than this
   */
  start(since: number): Promise<void>;
  endSession(sessionId: string): void;
  /** Closes the sockets of these conferences, because another process is their home now. */
  letGo(confrIds: readonly string[]): void;
  members(): ReadonlyMap<string, number>;
  readonly memberCount: number;
  readonly socketCount: number;
  activeIds(): string[];
  /** Deletes expired entries. */
  sweep(): void;
  /** Idempotent. Closes all sockets; does not close the nodes. */
  stop(): void;
}

/**
 * @param deps.isEnding whether a conference has ended, though perhaps not yet in the database
 * @param deps.end writes an end
 * @param deps.track registers database work that a stop waits for
 * @param deps.isAlive whether a login session is valid
 */
export function createConferences(
  deps: Pick<ServerDeps, "config" | "clock" | "db" | "directory" | "log"> & {
    readonly nodes: readonly MediaNode[];
    readonly tickets: Tickets;
    readonly qualityTickets: Pick<QualityTickets, "sign">;
    readonly isEnding: (confrId: string) => boolean;
    readonly end: (confrId: string, reason: number) => void;
    readonly track: (work: Promise<void>) => void;
    readonly isAlive: (sessionId: string) => Promise<boolean>;
  } & Pick<ConferenceRestDeps, "address" | "elsewhere" | "membersElsewhere"> & {
      /** Rejects when another process is the conference's home. */
      readonly atHome: (confrId: string) => Promise<void>;
    },
): Conferences {
  const { config, clock, log, nodes, tickets, qualityTickets } = deps;
  const newId = (): string => randomUUID();
  const store = createConferenceStore(deps.db);
  const roleTokens = createRoleTokens(config.APP_SECRET, clock);
  const access = createAccess({
    store,
    directory: deps.directory,
    roleTokens,
    clock,
    newNumber: () => String(randomInt(MEETING_NUMBERS.from, MEETING_NUMBERS.below)),
  });
  const calls = createBuckets(clock, CONFR_CALLS);
  const sockets = new Set<ConferenceSocket>();
  const onError = (error: unknown, what: string): void =>
    log.error({ err: error, what }, "a conference operation failed");
  const engine = createEngine({
    clock,
    newId,
    nodes,
    roleToken: roleTokens.sign,
    onKept: createKeeper(
      async (id, kept) => {
        await deps.atHome(id);
        await store.keep(id, kept);
      },
      deps.track,
      onError,
    ),
    onEnded: deps.end,
    onError,
  });
  const { conferences, media } = engine;

  async function admit(ticket: Ticket): Promise<ConferenceAdmission> {
    const bad: ConferenceAdmission = { result: RESULT.badTicket, msg: "会议票据无效" };
    const claims = await tickets.verify(ticket.tktId);
    if (claims?.confrId !== ticket.confrId || claims.memName !== ticket.memName) return bad;
    await deps.atHome(claims.confrId);
    const found = await store.find(claims.confrId);
    // Check last, because the session may have ended meanwhile.
    if (!(await deps.isAlive(claims.sessionId)) || found === null) return bad;
    if (found.ended || deps.isEnding(found.id)) {
      return { result: RESULT.conferenceGone, msg: "会议已结束" };
    }
    const { id, type, creator, limits, vcodes, kept } = found;
    return {
      result: RESULT.ok,
      spec: { id, type, creator, limits, vcodes },
      kept,
      role: claims.role,
      loginSession: claims.sessionId,
    };
  }

  const peerDeps: FrameHandlerDeps = {
    conferences,
    media,
    clock,
    roleToken: roleTokens.sign,
    rtcCfg: (memName) => ({ iceServers: iceServers(config, memName, clock.now()) }),
    admit,
    onError,
  };
  /** Starts a media node. Otherwise the first publisher would wait for it; if it fails, that publisher gets the error. */
  function warm(): void {
    const best = nodes.filter(({ up }) => up).toSorted((a, b) => a.load - b.load)[0];
    void best?.warm?.().catch((error: unknown) => onError(error, "warm"));
  }
  const restDeps: ConferenceRestDeps = {
    config,
    clock,
    directory: deps.directory,
    log,
    conferences,
    store,
    access,
    tickets,
    qualityTickets,
    roleTokens,
    admit: calls.admit,
    isEnding: deps.isEnding,
    address: deps.address,
    elsewhere: deps.elsewhere,
    membersElsewhere: deps.membersElsewhere,
    onMade: warm,
  };

  return {
    ticket: createConferenceTickets(restDeps),
    routes(app) {
      registerConferenceRoutes(app, restDeps);
      registerAdminRoutes(app, { ...restDeps, endConference: deps.end });
    },
    async start(since) {
      if (await store.someOpen(since)) warm();
    },
    accept(socket, client) {
      sockets.add(createConferenceSocket(socket, client, peerDeps, (gone) => sockets.delete(gone)));
    },
    endSession(sessionId) {
      for (const socket of sockets) {
        if (socket.loginSession === sessionId) {
          socket.close(WS_CLOSE.unauthorised, "login session ended");
        }
      }
    },
    letGo(confrIds) {
      for (const socket of sockets) {
        if (socket.confrId !== null && confrIds.includes(socket.confrId)) {
          socket.close(WS_CLOSE.tryAgain, "at another process");
        }
      }
    },
    members: () =>
      new Map(
        conferences.activeIds().map((id) => [id, conferences.get(id)?.sessions.size ?? 0] as const),
      ),
    get memberCount() {
      return conferences.memberCount;
    },
    get socketCount() {
      return sockets.size;
    },
    activeIds: () => conferences.activeIds(),
    sweep: () => calls.sweep(),
    stop() {
      engine.stop();
      for (const socket of sockets) socket.close(WS_CLOSE.shutdown, "server is stopping");
    },
  };
}

/** Writes the persistent state of a conference, one write at a time and only the latest. */
function createKeeper(
  write: (id: string, kept: Kept) => Promise<void>,
  track: (work: Promise<void>) => void,
  onError: (error: unknown, what: string) => void,
): (id: string, kept: Kept) => void {
  const next = new Map<string, Kept>();
  const writing = new Set<string>();
  async function run(id: string): Promise<void> {
    for (let kept = next.get(id); kept !== undefined; kept = next.get(id)) {
      next.delete(id);
      try {
        await write(id, kept);
      } catch (error) {
        onError(error, "keep");
      }
    }
    writing.delete(id);
  }
  return (id, kept) => {
    next.set(id, kept);
    if (writing.has(id)) return;
    writing.add(id);
    track(run(id));
  };
}
