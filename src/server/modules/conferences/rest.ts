/** Conferences over REST (docs/conferences.md#rest): getting into one, by ticket, by list and by a conference name. */
import type { Context, Hono } from "hono";
import { withoutMixer } from "../../../shared/domain/conference-types.ts";
import { CONFERENCE_REFUSALS } from "../../../shared/domain/conference-refusals.ts";
import type { z } from "zod";
import { type ConferenceRole } from "../../../shared/protocol/confr-model.ts";
import { CONFR_PATH } from "../../../shared/protocol/confr-signalling.ts";
import {
  CONFR_REST,
  type ConferenceInfo,
  type hostsSchema,
  type joinRoomResponseSchema,
  joinRoomSchema,
  type selectResponseSchema,
  selectSchema,
} from "../../../shared/protocol/rest/confr.ts";
import type { TicketRequest, TicketResponse } from "../../../shared/protocol/rest/rtc.ts";
import { conferencesOpenCall } from "../../../shared/protocol/rest/conferences.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import { isHost } from "../../base/http/origins.ts";
import { AppError } from "../../../shared/errors.ts";
import { route } from "../../base/http/route.ts";
import type { HttpEnv, Principal, ServerDeps } from "../../base/module.ts";
import type { QualityTickets } from "../tickets/quality-tickets.ts";
import { iceServers } from "../tickets/ice-servers.ts";
import { qualityAddress, signallingAddress } from "../tickets/addresses.ts";
import {
  actsFor,
  companyOf,
  type Identify,
  ownName,
  parse,
  providerRoute,
  Refusal,
} from "../tickets/provider.ts";
import type { Elsewhere } from "../calls/rest.ts";
import { P2P } from "../calls/store.ts";
import type { Tickets } from "../tickets/tickets.ts";
import type { Access, Wish } from "./access.ts";
import { roleOf } from "./membership.ts";
import type { RoleTokens } from "./role-tokens.ts";
import type { OpenConferences } from "./open-conferences.ts";
import type { ConferenceRecord, ConferenceStore } from "./store.ts";

export interface ConferenceRestDeps extends Pick<
  ServerDeps,
  "config" | "clock" | "directory" | "log"
> {
  readonly conferences: OpenConferences;
  readonly store: ConferenceStore;
  readonly access: Access;
  readonly tickets: Tickets;
  readonly qualityTickets: Pick<QualityTickets, "sign">;
  readonly roleTokens: RoleTokens;
  readonly identify: Identify;
  /** Whether the account may make one more of these calls now. */
  readonly admit: (accountId: string) => boolean;
  /** Whether the conference has ended, though perhaps not yet in the database. */
  readonly isEnding: (conferenceId: string) => boolean;
  /** The path of a socket to this conference. */
  readonly address: (path: string, conferenceId: string) => string;
  /** Relays the call to the conference's home and returns its answer; null when this process is the home. */
  readonly elsewhere: Elsewhere;
  /** Member counts of conferences whose home is another process. */
  readonly membersElsewhere: (
    conferenceIds: readonly string[],
  ) => Promise<ReadonlyMap<string, number>>;
  /** Called when a conference was created, so that its media node can be started early. */
  readonly onMade: () => void;
}

export const throttled = (): Refusal => new Refusal(RESULT.notAllowed, "操作过于频繁，请稍后再试");

const typeOf = (type: number | undefined): Wish["type"] => {
  switch (type ?? 10) {
    case 10:
    case 11:
    case 12:
    case 14:
      return (type ?? 10) as Wish["type"];
    default:
      throw new Refusal(RESULT.notAllowed, CONFERENCE_REFUSALS.type);
  }
};

/** The role that this person has, or would have on entering. */
export function presentRole(
  conferences: OpenConferences,
  conference: ConferenceRecord,
  memName: string,
  wanted?: ConferenceRole,
): ConferenceRole {
  const open = conferences.get(conference.id);
  if (open !== undefined) return roleOf(open, memName, wanted);
  const roles = new Map(Object.entries(conference.kept.roles));
  return roleOf({ spec: conference, roles }, memName, wanted);
}

/** Creates tickets of conferences. The caller must be authenticated and within the rate limit. */
export function createConferenceTickets(deps: ConferenceRestDeps) {
  const { config, clock, conferences, access, tickets, roleTokens } = deps;

  async function conferenceOf(
    principal: Principal,
    request: TicketRequest,
    c: Context<HttpEnv>,
  ): Promise<ConferenceRecord> {
    const { confrId, password, roleToken } = request;
    if (confrId !== undefined) {
      const found = await access.find(principal, actsFor(c, principal), confrId);
      await access.checkPassword(principal, found, { password, roleToken });
      if (deps.isEnding(confrId)) throw new Refusal(RESULT.conferenceGone, "会议已结束");
      return found;
    }
    const { maxTalkerCount, maxAudienceCount, maxVideoCount, maxPubDesktopCount } = request;
    const made = await access.create(principal, {
      type: typeOf(request.confrType),
      companyId: companyOf(c, principal),
      name: request.name,
      password,
      limits: { maxTalkerCount, maxAudienceCount, maxVideoCount, maxPubDesktopCount },
      rec: request.rec,
      recMerge: request.recMerge,
      liveCfg: request.liveCfg,
      vcodes: request.useVCodes,
    });
    if (made === null) throw new Error("a conference without a conference name was refused for it");
    deps.onMade();
    return made;
  }

  return async (
    principal: Principal,
    request: TicketRequest,
    c: Context<HttpEnv>,
  ): Promise<TicketResponse> => {
    const conference = await conferenceOf(principal, request, c);
    const { id, creator } = conference;
    const { chatUserName: uid, sessionId } = principal;
    const confrType = typeOf(conference.type);
    const now = clock.now();
    const role = presentRole(conferences, conference, uid, request.role);
    const holder = { confrId: id, memName: uid, sessionId };
    const tktId = await tickets.sign({
      ...holder,
      ...(request.role === undefined ? {} : { role: request.role }),
    });
    return {
      error: RESULT.ok,
      confrId: id,
      type: withoutMixer(confrType),
      confrType,
      ticket: {
        confrId: id,
        memName: uid,
        tktId,
        url: signallingAddress(c, config.BASE_PATH, deps.address(CONFR_PATH, id)),
        type: "CONFR",
        caller: creator,
        qoeUpUrl: await qualityAddress(c, config.BASE_PATH, deps.qualityTickets, holder),
        timestamp: now,
      },
      roleToken: roleTokens.sign({ confrId: id, memName: uid, role, loginSession: sessionId }),
      rtcCfg: { iceServers: iceServers(config, uid, now) },
    };
  };
}

export function registerConferenceRoutes(app: Hono<HttpEnv>, deps: ConferenceRestDeps): void {
  const { config, directory, conferences, store, access } = deps;
  const provider = config.RTC_PROVIDER;

  async function infoOf(
    conference: ConferenceRecord,
    elsewhere: ReadonlyMap<string, number>,
  ): Promise<ConferenceInfo> {
    const { id, type, name, roomName, creator, createdAt, limits } = conference;
    const person = await directory.personByChatName(creator);
    return {
      confrId: id,
      type: type === P2P ? 10 : (type as Wish["type"]),
      name: name === "" ? (roomName ?? "") : name,
      hasPassword: conference.passwordHash !== null,
      createdBy: creator,
      createdByName: person?.name ?? creator,
      createdAt,
      members: conferences.get(id)?.sessions.size ?? elsewhere.get(id) ?? 0,
      limits,
    };
  }

  providerRoute(
    app,
    ["POST"],
    CONFR_REST.select(provider),
    deps,
    async ({ c, principal, body }) => {
      const { uid, confrId, password, roleToken } = parse(selectSchema, body);
      ownName(uid, principal, config.EASEMOB_APP_KEY, "uid");
      if (!deps.admit(principal.accountId)) throw throttled();
      const found = await access.find(principal, actsFor(c, principal), confrId);
      await access.checkPassword(principal, found, { password, roleToken });
      if (deps.isEnding(confrId)) throw new Refusal(RESULT.conferenceGone, "会议已结束");
      const elsewhere = await deps.membersElsewhere([confrId]);
      const answer: z.infer<typeof selectResponseSchema> = {
        error: RESULT.ok,
        confr: await infoOf(found, elsewhere),
      };
      return answer;
    },
  );

  route(app, conferencesOpenCall, deps, async ({ c, principal }) => {
    if (!deps.admit(principal.accountId)) throw new AppError("request.rate-limited");
    const { chatUserName } = principal;
    const found = await store.open(
      actsFor(c, principal),
      chatUserName,
      await directory.colleagues(chatUserName),
    );
    const open = found.filter(({ id }) => !deps.isEnding(id));
    const elsewhere = await deps.membersElsewhere(open.map(({ id }) => id));
    const listed = await Promise.all(open.map((one) => infoOf(one, elsewhere)));
    // an empty one ends soon, and before that its own people find it by its number
    return { conferences: listed.filter(({ members }) => members > 0) };
  });

  const [org = "", name = ""] = config.EASEMOB_APP_KEY.split("#");
  providerRoute(
    app,
    ["POST"],
    CONFR_REST.joinRoom(org, name),
    deps,
    async ({ c, principal, body }): Promise<z.infer<typeof joinRoomResponseSchema>> => {
      const request = parse(joinRoomSchema, body);
      const { roomName, password } = request;
      ownName(request.memName, principal, config.EASEMOB_APP_KEY, "memName");
      if (!deps.admit(principal.accountId)) throw throttled();
      const companyId = companyOf(c, principal);
      const wish: Wish = {
        type: typeOf(request.confrType),
        companyId,
        name: roomName,
        roomName,
        password,
        limits: request,
        rec: request.rec,
        recMerge: request.recMerge,
        vcodes: request.useVCodes,
      };
      // The conference is found, created, or found in the second round because another request created it first.
      for (let tries = 0; tries < 2; tries += 1) {
        const found = await access.findByName(principal, companyId, roomName);
        if (found !== null && !deps.isEnding(found.id)) {
          await access.checkPassword(principal, found, { password });
          const isCreator = found.creator === principal.chatUserName;
          return { error: RESULT.ok, confrId: found.id, isCreator };
        }
        const made = await access.create(principal, wish);
        if (made === null) continue;
        deps.onMade();
        return { error: RESULT.ok, confrId: made.id, isCreator: true };
      }
      throw new Refusal(RESULT.clientFailure, "服务暂不可用，请稍后重试");
    },
  );

  // No login needed, as in the provider's name service: a client with the app key learns the platform's host.
  app.get(CONFR_REST.hosts(provider), (c) => {
    c.header("cache-control", "no-store");
    const hosts: z.infer<typeof hostsSchema>["rest"]["hosts"] = [];
    const host = c.var.client.hosts[0] ?? "";
    if (decoded(c.req.query("app_key") ?? "") === config.EASEMOB_APP_KEY && isHost(host)) {
      // A host without TLS is reported as http; the client library ignores it.
      hosts.push({ protocol: c.var.client.secure ? "https" : "http", domain: host });
    }
    return c.json({ rest: { hosts } });
  });

  // Nothing needs rewriting: sockets are on this host, the node announces its candidates, TURN comes with each ticket.
  app.get(CONFR_REST.deploy(provider), (c) => {
    c.header("cache-control", "no-store");
    return c.json({});
  });
}

/** Some clients encode the app key before they put it into the query, which encodes it again. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
