/**
 * Conferences of many on the server (docs/conferences.md): who may make and enter one, who is inside with which role,
 * which streams there are, and the routing of their media through the media nodes.
 */
import { randomInt, randomUUID } from "node:crypto";
import type { Context, Hono } from "hono";
import { MEETING_NUMBERS } from "../../../shared/domain/meeting-number.ts";
import { CONFR_SOCKET_LIMITS } from "../../../shared/protocol/confr-signalling.ts";
import { END_REASON, RESULT, WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import type { Ticket, TicketRequest, TicketResponse } from "../../../shared/protocol/rest/rtc.ts";
import type { MediaNode } from "../media-node/contracts.ts";
import type { PlaceOfPerson } from "../../base/cluster/access.ts";
import type { HttpEnv, Principal, ServerDeps } from "../../base/module.ts";
import type { NotAdmitted } from "../../base/signalling/contracts.ts";
import { createSignallingSockets, type SignallingSockets } from "../../base/signalling/sockets.ts";
import { createKeptFailures } from "../../base/limits/kept-failures.ts";
import { createTokenBuckets } from "../../base/limits/token-bucket.ts";
import type { QualityTickets } from "../tickets/quality-tickets.ts";
import type { Tickets } from "../tickets/tickets.ts";
import { createAccess } from "./access.ts";
import { registerAdminRoutes } from "./admin-rest.ts";
import { iceServers } from "../tickets/ice-servers.ts";
import { bestNode } from "./connections.ts";
import { createEngine } from "./engine.ts";
import { type ConferenceAdmission, createConferenceProtocol } from "./ops.ts";
import { remove } from "./membership.ts";
import {
  type ConferenceRestDeps,
  createConferenceTickets,
  registerConferenceRoutes,
} from "./rest.ts";
import { createCallNews } from "../tickets/call-news.ts";
import { createGroupCallRecords } from "./group-call-records.ts";
import { registerGroupCallRoutes } from "./group-call-rest.ts";
import { createGroupCallStore } from "./group-call-store.ts";
import { createStanding } from "./standing.ts";
import { createRoleTokens } from "./role-tokens.ts";
import { createConferenceStore } from "./store.ts";
import type { Kept } from "./types.ts";

/** ms in which the comings and goings of a conference are gathered for the lobbies. A large meeting fills within minutes. */
export const LOBBY_NEWS_MS = 1000;

/** Calls other than for tickets per account: this many at once, refilled at this many per second. */
export const CONFERENCE_CALLS = { burst: 60, perSecond: 5 } as const;

export interface Conferences {
  readonly ticket: (
    principal: Principal,
    request: TicketRequest,
    c: Context<HttpEnv>,
  ) => Promise<TicketResponse>;
  routes(app: Hono<HttpEnv>): void;
  /** Whether this person may enter the group call of this number; null when no such call goes on. */
  mayEnterCall(conferenceId: string, userName: string): Promise<boolean | null>;
  readonly sockets: SignallingSockets;
  /**
   * Starts a media node if the members of an open conference may come back, as after a restart of the server.
   *
   * @param since ms since the epoch: conferences in which a member was seen later than this
   */
  start(since: number): Promise<void>;
  members(): ReadonlyMap<string, number>;
  readonly memberCount: number;
  activeIds(): string[];
  /**
   * Puts out members who may not be inside any more.
   *
   * @param memName only this person; null: everybody
   * @returns whom it has put out of what, one after the other
   */
  putOutForbidden(memName: string | null): AsyncIterable<PlaceOfPerson>;
  /** Call when the end of a conference is in the database. */
  ended(conferenceId: string): Promise<void>;
  /** Deletes expired entries, and records group calls that another process has ended. */
  sweep(): Promise<void>;
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
  deps: Pick<ServerDeps, "bus" | "config" | "clock" | "db" | "directory" | "log"> & {
    readonly nodes: readonly MediaNode[];
    readonly tickets: Tickets;
    readonly qualityTickets: Pick<QualityTickets, "sign">;
    readonly isEnding: (conferenceId: string) => boolean;
    readonly end: (conferenceId: string, reason: number) => void;
    readonly track: (work: Promise<void>) => void;
    readonly isAlive: (sessionId: string) => Promise<boolean>;
  } & Pick<ConferenceRestDeps, "address" | "elsewhere" | "identify" | "membersElsewhere"> & {
      /** Rejects when another process is the conference's home. */
      readonly atHome: (conferenceId: string) => Promise<void>;
    },
): Conferences {
  const { config, clock, log, nodes, tickets, qualityTickets } = deps;
  const newId = (): string => randomUUID();
  const store = createConferenceStore(deps.db);
  const roleTokens = createRoleTokens(config.APP_SECRET, clock);
  const groupCalls = createGroupCallStore(deps.db);
  const access = createAccess({
    store,
    mayEnterCall: groupCalls.mayEnter,
    directory: deps.directory,
    roleTokens,
    clock,
    failures: createKeptFailures({ db: deps.db, secret: config.APP_SECRET }),
    newNumber: () => String(randomInt(MEETING_NUMBERS.from, MEETING_NUMBERS.below)),
  });
  const calls = createTokenBuckets(clock, CONFERENCE_CALLS);
  const onError = (error: unknown, what: string): void =>
    log.error({ err: error, what }, "a conference operation failed");
  const callNews = createCallNews({
    ...deps,
    tag: "groupCalls",
    people: groupCalls.concerned,
    onError,
  });
  const lobbyNews = createCallNews({
    ...deps,
    tag: "conferences",
    gatherMs: LOBBY_NEWS_MS,
    people: (conferenceId) => access.whoMayFind(conferenceId),
    onError,
  });
  const callRecords = createGroupCallRecords({ ...deps, people: groupCalls.concerned, onError });
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
    onMembers(spec) {
      if (spec.groupCall !== true) {
        lobbyNews.changed(spec.id);
        return;
      }
      callNews.changed(spec.id);
      const sessions = [...(conferences.get(spec.id)?.sessions.values() ?? [])];
      callRecords.changed(spec.id, new Set(sessions.map(({ member }) => member.memName)));
    },
    onEnded(conferenceId, reason) {
      const isCall = conferences.get(conferenceId)?.spec.groupCall === true;
      deps.end(conferenceId, reason);
      (isCall ? callNews : lobbyNews).changed(conferenceId);
    },
    onError,
  });
  const { conferences, media } = engine;
  const standing = createStanding(deps.directory);
  const insideOf = (conferenceId: string): string[] =>
    [...(conferences.get(conferenceId)?.sessions.values() ?? [])].map(
      ({ member }) => member.memName,
    );

  async function admit(ticket: Ticket): Promise<ConferenceAdmission | NotAdmitted> {
    const bad: NotAdmitted = { result: RESULT.badTicket, msg: "会议票据无效" };
    const claims = await tickets.verify(ticket.tktId);
    if (claims?.confrId !== ticket.confrId || claims.memName !== ticket.memName) return bad;
    await deps.atHome(claims.confrId);
    const found = await store.find(claims.confrId);
    // Check last, because the session may have ended meanwhile.
    if (!(await deps.isAlive(claims.sessionId)) || found === null) return bad;
    if (found.ended || deps.isEnding(found.id)) {
      return { result: RESULT.conferenceGone, msg: "会议已结束" };
    }
    const { id, type, creator, companyId, limits, vcodes, kept, groupCall } = found;
    const spec = { id, type, creator, companyId, limits, vcodes, groupCall: groupCall === true };
    const person = { memName: claims.memName, loginSession: claims.sessionId };
    if (!(await standing.mayStay(spec, person, insideOf(id)))) {
      return { result: RESULT.notAllowed, msg: "会议不存在或无权进入" };
    }
    return {
      result: RESULT.ok,
      spec,
      memName: claims.memName,
      kept,
      role: claims.role,
      loginSession: claims.sessionId,
    };
  }

  const protocol = createConferenceProtocol({
    conferences,
    media,
    clock,
    roleToken: roleTokens.sign,
    rtcCfg: (memName) => ({ iceServers: iceServers(config, memName, clock.now()) }),
    admit,
  });
  const sockets = createSignallingSockets(protocol, {
    clock,
    limits: CONFR_SOCKET_LIMITS,
    onError,
  });
  /** Starts a media node. Otherwise the first publisher would wait for it; if it fails, that publisher gets the error. */
  function warm(): void {
    void bestNode(nodes, false)
      ?.warm?.()
      .catch((error: unknown) => onError(error, "warm"));
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
    identify: deps.identify,
    admit: calls.tryConsume,
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
      registerGroupCallRoutes(app, {
        ...restDeps,
        calls: groupCalls,
        changed: callNews.changed,
        past: callRecords.past,
      });
    },
    async mayEnterCall(conferenceId, userName) {
      const found = await store.find(conferenceId);
      const isOver = found === null || found.ended || deps.isEnding(found.id);
      return isOver || found.call === undefined ? null : groupCalls.mayEnter(found, userName);
    },
    async start(since) {
      if (await store.someOpen(since)) warm();
    },
    sockets,
    members: () =>
      new Map(
        conferences.activeIds().map((id) => [id, conferences.get(id)?.sessions.size ?? 0] as const),
      ),
    get memberCount() {
      return conferences.memberCount;
    },
    activeIds: () => conferences.activeIds(),
    async *putOutForbidden(memName) {
      for (const session of conferences.sessions(memName)) {
        const { member, loginSession, conference } = session;
        const person = { memName: member.memName, loginSession };
        const { spec } = conference;
        if (await standing.mayStay(spec, person, insideOf(spec.id))) continue;
        remove(session, END_REASON.noAccess, WS_CLOSE.forbidden);
        yield { userName: member.memName, confrId: spec.id };
      }
    },
    ended: callRecords.ended,
    async sweep() {
      calls.sweep();
      await callRecords.sweep();
    },
    stop() {
      callNews.stop();
      lobbyNews.stop();
      engine.stop();
      sockets.stop();
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
