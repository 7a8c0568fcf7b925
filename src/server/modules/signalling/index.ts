/**
 * Joins calls and conferences into one module (docs/server.md#signalling): their tickets by REST, their WebSockets, and what
 * they share: ended logins, the end in the database, the sweep, and homes when there are several processes.
 */
import { randomUUID } from "node:crypto";
import { Gauge } from "prom-client";
import {
  END_REASON,
  RESULT,
  SIGNALLING_LIMITS,
  SIGNALLING_PATH,
} from "../../../shared/protocol/signalling.ts";
import { CONFR_PATH, CONFR_SOCKET_LIMITS } from "../../../shared/protocol/confr-signalling.ts";
import type { MediaNode } from "../media-node/contracts.ts";
import type { ServerDeps, ServerModule, SocketRoute } from "../../base/module.ts";
import { carryCall } from "../../base/cluster/carry.ts";
import { ALONE, HOME_OF, type Homes } from "../../base/cluster/index.ts";
import { createMarks } from "../../base/cluster/trust.ts";
import { createQualityTickets } from "../tickets/quality-tickets.ts";
import { createTokenBuckets } from "../../base/limits/token-bucket.ts";
import { createEndPlaces } from "./end-places.ts";
import { createConferences } from "../conferences/index.ts";
import { createCalls } from "../calls/index.ts";
import { createIdentify, Refusal } from "../tickets/provider.ts";
import { type Elsewhere, registerTicketRoutes, TICKET_BURST } from "../calls/rest.ts";
import { registerAgoraRoute } from "../calls/agora-rest.ts";
import { registerOwnCallsRoute } from "../calls/own-calls.ts";
import { createChannels } from "../calls/channels.ts";
import { createCallStore } from "../calls/store.ts";
import { createTickets, TICKET_TTL } from "../tickets/tickets.ts";

/** Milliseconds between two updates that mark a conference as active. */
export const TOUCH_MS = 5 * 60_000;
/** Milliseconds without such an update after which a conference is ended: three updates missed, or never entered. */
export const STALE_MS = 15 * 60_000;
/** Attempts to write an end to the database, and ms between them. */
const END_TRIES = 5;
const END_RETRY_MS = 2000;
/** Longest time that a query of the database takes, ms (STATEMENT_TIMEOUT). */
const QUERY_MS = 60_000;

/**
 * @param options.blocks whether the first person blocks the other, who then cannot call
 * @param options.chatLogin reads a chat token, by which clients of the chat SDK identify themselves
 * @param options.nodes carry the media of conferences; without nodes there are no media. The caller closes them after this
 *   module
 * @param options.homes of the conferences, when there are several server processes; started and stopped with this module
 */
export function createSignallingModule(
  deps: ServerDeps,
  options: {
    readonly nodes?: readonly MediaNode[];
    readonly homes?: Homes;
    readonly blocks?: (by: string, other: string) => Promise<boolean>;
    readonly chatLogin?: Parameters<typeof createIdentify>[1];
  } = {},
): ServerModule {
  const { config, clock, db, directory, log, metrics } = deps;
  const { nodes = [], homes = ALONE } = options;
  const { blocks = () => Promise.resolve(false) } = options;
  const { chatLogin = () => Promise.resolve(null) } = options;
  const identify = createIdentify(directory, chatLogin);
  const marks = createMarks(config.APP_SECRET, clock);
  const store = createCallStore(db);
  const tickets = createTickets(config.APP_SECRET, clock);
  const qualityTickets = createQualityTickets(config.APP_SECRET, clock);
  /**
   * Conferences that have ended here: null until the database has it, then the time since when it has. They stay for a while,
   * because a query that began earlier may still answer that the conference is open.
   */
  const ending = new Map<string, number | null>();
  /** Running database work, which the stop waits for. Never rejects. */
  const working = new Set<Promise<void>>();
  const retries = new Set<{ cancel(): void }>();
  /** Login sessions that ended, with the time. Their tickets are invalid although the signature is correct. */
  const endedSessions = new Map<string, number>();
  const ticketBuckets = createTokenBuckets(clock, { burst: TICKET_BURST, perSecond: 1 });
  let sweep: { cancel(): void } = { cancel: () => undefined };
  let stopped = false;

  function end(conferenceId: string, reason: number): void {
    ending.set(conferenceId, null);
    track(writeEnd(conferenceId, reason, 1));
  }

  const isEnding = (conferenceId: string): boolean => ending.has(conferenceId);
  async function isAlive(sessionId: string): Promise<boolean> {
    if (endedSessions.has(sessionId)) return false;
    const alive = await directory.sessionAlive(sessionId);
    // Check again, because the session may have ended during the query.
    return alive && !endedSessions.has(sessionId);
  }

  const { bus } = deps;
  const calls = createCalls({
    bus,
    clock,
    directory,
    log,
    store,
    tickets,
    isEnding,
    end,
    isAlive,
    atHome,
  });
  const conferences = createConferences({
    bus,
    config,
    clock,
    db,
    directory,
    log,
    nodes,
    tickets,
    qualityTickets,
    isEnding,
    end,
    track,
    isAlive,
    atHome,
    address: homes.address,
    elsewhere,
    identify,
    membersElsewhere: homes.membersElsewhere,
  });

  async function atHome(conferenceId: string): Promise<void> {
    if ((await homes.claim(conferenceId)) !== null)
      throw new Error("another process is the home of the conference");
  }

  async function elsewhere(
    ...[c, conferenceId, body]: Parameters<Elsewhere>
  ): Promise<Response | null> {
    const { pathname, search } = new URL(c.req.url);
    const { method } = c.req;
    const url = pathname + search;
    // A relayed request stays here. Otherwise two processes that each believe the other is the home would relay it back and
    // forth.
    if (marks.read({ method, url, headers: c.req.header() }) !== null) return null;
    const home = await homes.find(conferenceId);
    if (home === null) return null;
    try {
      return await carryCall(home, c, body, marks, "");
    } catch (error) {
      log.warn({ err: error, home }, "a call could not be relayed to the conference's home");
      throw new Refusal(RESULT.clientFailure, "服务暂不可用，请稍后重试");
    }
  }

  function track(work: Promise<void>): void {
    working.add(work);
    void work.finally(() => working.delete(work));
  }

  async function writeEnd(conferenceId: string, reason: number, attempt: number): Promise<void> {
    try {
      // If the conference has found another home meanwhile, this process must not end it.
      if ((await homes.find(conferenceId)) === null) {
        await store.end(conferenceId, reason, clock.now());
        ending.set(conferenceId, clock.now());
        await recordEnd(conferenceId);
      } else ending.delete(conferenceId);
    } catch (error) {
      log.error(
        { err: error, conferenceId, attempt },
        "the end of a conference could not be stored",
      );
      if (attempt >= END_TRIES || stopped) return;
      const retry = clock.setTimeout(() => {
        retries.delete(retry);
        track(writeEnd(conferenceId, reason, attempt + 1));
      }, END_RETRY_MS * attempt);
      retries.add(retry);
    }
  }

  /** The next sweep records what fails here. */
  const recordEnd = (conferenceId: string): Promise<void> =>
    conferences.ended(conferenceId).catch((error: unknown) => {
      log.error({ err: error, conferenceId }, "a group call could not be recorded");
    });

  async function runSweep(): Promise<void> {
    const now = clock.now();
    for (const [id, at] of endedSessions) {
      if (now - at > TICKET_TTL * 1000) endedSessions.delete(id);
    }
    for (const [id, at] of ending) {
      if (at !== null && now - at > QUERY_MS) ending.delete(id);
    }
    ticketBuckets.sweep();
    try {
      await store.touch([...calls.activeIds(), ...conferences.activeIds()], now);
      const ended = await store.endStale(now - STALE_MS, END_REASON.offline, now);
      if (ended > 0) log.info({ ended }, "ended empty conferences");
      await conferences.sweep();
    } catch (error) {
      log.error({ err: error }, "conferences could not be swept");
    }
    scheduleSweep();
  }

  function scheduleSweep(): void {
    if (!stopped) sweep = clock.setTimeout(() => track(runSweep()), TOUCH_MS);
  }

  const homeOf = (url: URL): Promise<string | null> => {
    const conferenceId = url.searchParams.get(HOME_OF);
    return conferenceId === null ? Promise.resolve(null) : homes.claim(conferenceId);
  };

  metrics.registerMetric(
    new Gauge({
      name: "signalling_sockets",
      help: "Open signalling websockets",
      registers: [],
      collect() {
        this.set(calls.sockets.size + conferences.sockets.size);
      },
    }),
  );
  metrics.registerMetric(
    new Gauge({
      name: "conference_members",
      help: "Members inside conferences, those included whose socket is lost and may come back",
      registers: [],
      collect() {
        this.set(calls.memberCount + conferences.memberCount);
      },
    }),
  );

  const endPlaces = createEndPlaces({ bus, clock, log, calls, conferences, track });
  const stopListening = directory.onAccessEnd((end) => {
    if (end.of === "login") endedSessions.set(end.sessionId, clock.now());
    endPlaces.end(end);
  }, endPlaces.logins);

  return {
    name: "conferences",
    routes(app) {
      registerTicketRoutes(app, {
        config,
        clock,
        directory,
        log,
        store,
        tickets,
        qualityTickets,
        identify,
        newId: randomUUID,
        blocks,
        admit: ticketBuckets.tryConsume,
        address: homes.address,
        elsewhere,
        conference: conferences.ticket,
      });
      registerAgoraRoute(app, {
        config,
        clock,
        directory,
        channels: createChannels(db, directory),
        mayEnterCall: conferences.mayEnterCall,
        admit: ticketBuckets.tryConsume,
      });
      registerOwnCallsRoute(app, {
        directory,
        store,
        members: calls.members,
        membersElsewhere: homes.membersElsewhere,
        isEnding,
      });
      conferences.routes(app);
    },
    sockets: [
      ...(config.CALL_SIGNALLING === "chat"
        ? []
        : [
            {
              path: SIGNALLING_PATH,
              maxPayload: SIGNALLING_LIMITS.frameBytes,
              elsewhere: homeOf,
              accept: (socket, _request, _url, client) => calls.sockets.accept(socket, client),
            } satisfies SocketRoute,
          ]),
      {
        path: CONFR_PATH,
        maxPayload: CONFR_SOCKET_LIMITS.frameBytes,
        elsewhere: homeOf,
        accept: (socket, _request, _url, client) => conferences.sockets.accept(socket, client),
      },
    ],
    async start() {
      await homes.start({
        members: () => new Map([...calls.members(), ...conferences.members()]),
        lost(conferenceIds) {
          calls.sockets.letGo(conferenceIds);
          conferences.sockets.letGo(conferenceIds);
        },
      });
      await conferences.start(clock.now() - STALE_MS);
      // Do not sweep immediately: after a restart, members need a moment to reconnect.
      scheduleSweep();
    },
    async stop() {
      stopped = true;
      stopListening();
      const placesEnded = endPlaces.stop();
      sweep.cancel();
      calls.stop();
      conferences.stop();
      for (const retry of retries) retry.cancel();
      await Promise.all([...working, placesEnded]);
      await homes.stop();
    },
  };
}
