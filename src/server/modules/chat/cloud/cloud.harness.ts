/**
 * For tests: a stand-in of Easemob's REST. It takes what doc.easemob.com describes and nothing else: each request that does not fit is
 * remembered in `wrong` and refused.
 */
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";
import {
  appTokenRequestSchema,
  COMMAND_BYTES,
  commandRequestSchema,
  groupChangeSchema,
  groupMakeSchema,
  registerRequestSchema,
  textRequestSchema,
  userTokenRequestSchema,
} from "../../../../shared/protocol/easemob-rest.ts";

export const CLIENT_ID = "YXA6client";
export const CLIENT_SECRET = "YXA6secret";
export const CALLBACK_SECRET = "callback-secret";

export interface StandInGroup {
  name: string;
  description: string;
  public: boolean;
  membersonly: boolean;
  allowinvites: boolean;
  invite_need_confirm: boolean;
  mute: boolean;
  owner: string;
  readonly admins: Set<string>;
  readonly members: Set<string>;
}
export interface CloudStandIn {
  readonly url: string;
  /** Requests that are not as documented. */
  readonly wrong: string[];
  /** `METHOD /path` of each request, without the application. */
  readonly asked: string[];
  readonly users: Map<string, { nickname: string }>;
  readonly groups: Map<string, StandInGroup>;
  /** Pairs, both ways. */
  readonly friends: Set<string>;
  readonly commands: z.infer<typeof commandRequestSchema>[];
  readonly texts: z.infer<typeof textRequestSchema>[];
  /** Answers instead of the usual ones, by `METHOD /path`. */
  readonly refuse: Map<string, { status: number; error: string }>;
  /** Issued application tokens; removing one takes it back. */
  readonly appTokens: Set<string>;
  /** What a person's token is. */
  userToken: (userName: string) => Promise<string>;
  addGroup(id: string, owner: string, members: readonly string[]): StandInGroup;
  close(): Promise<void>;
}

/** A callback as the cloud signs it. */
export function signed(fields: Record<string, unknown>, now: number, secret = CALLBACK_SECRET) {
  const callId = `hyzh#console_${randomUUID()}`;
  const security = createHash("md5").update(`${callId}${secret}${now}`).digest("hex");
  return { callId, security, appkey: "hyzh#console", timestamp: now, ...fields };
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}
class Refused extends Error {
  readonly status: number;
  constructor(status: number, error: string) {
    super(error);
    this.status = status;
  }
}

export async function startCloudStandIn(): Promise<CloudStandIn> {
  let serial = 66_000_000_000;
  const paged = <T>(all: readonly T[], query: URLSearchParams): T[] => {
    const [number, size] = [Number(query.get("pagenum")), Number(query.get("pagesize"))];
    if (!(number >= 1 && size >= 1 && size <= 100)) throw new Refused(400, "illegal_argument");
    return all.slice((number - 1) * size, number * size);
  };
  const fits = <T extends z.ZodType>(schema: T, value: unknown, where: string): z.infer<T> => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    standIn.wrong.push(`${where}: ${parsed.error.message}`);
    throw new Refused(400, "illegal_argument");
  };
  const groupOf = (id: string): StandInGroup => {
    const group = standIn.groups.get(id);
    if (group === undefined) throw new Refused(404, "resource_not_found");
    return group;
  };
  const shown = (id: string, group: StandInGroup) => {
    const { admins: _admins, members, ...rest } = group;
    const count = members.size + 1;
    return { id, ...rest, custom: "", created: 1_656_062_986_845, affiliations_count: count };
  };

  /** The documented calls, by method and pattern. */
  const calls: [string, RegExp, (asked: Asked, part: string[]) => unknown][] = [
    [
      "POST",
      /^\/users$/,
      ({ body }) => {
        const people = fits(registerRequestSchema, body, "register");
        if (people.some((p) => standIn.users.has(p.username))) {
          throw new Refused(400, "duplicate_unique_property_exists");
        }
        for (const p of people) standIn.users.set(p.username, { nickname: p.nickname });
        return { entities: people.map(({ username }) => ({ username, activated: true })) };
      },
    ],
    [
      "POST",
      /^\/messages\/users$/,
      ({ body }) => {
        const messages = z.discriminatedUnion("type", [commandRequestSchema, textRequestSchema]);
        const sent = fits(messages, body, "message");
        if (Buffer.byteLength(JSON.stringify(body)) > COMMAND_BYTES) {
          throw new Refused(413, "request_entity_too_large");
        }
        // The cloud's documents do not say that a sender may be unknown.
        if (!standIn.users.has(sent.from)) throw new Refused(404, "service_resource_not_found");
        if (sent.type === "cmd") standIn.commands.push(sent);
        else standIn.texts.push(sent);
        return { data: Object.fromEntries(sent.to.map((name) => [name, "1029457500870543736"])) };
      },
    ],
    [
      "POST",
      /^\/chatgroups$/,
      ({ body }) => {
        const {
          groupname: name,
          maxusers: _max,
          owner,
          members,
          ...rest
        } = fits(groupMakeSchema, body, "group");
        const groupid = String((serial += 1));
        Object.assign(standIn.addGroup(groupid, owner, members), { name, ...rest });
        return { data: { groupid } };
      },
    ],
    ["GET", /^\/chatgroups\/(\d+)$/, (_, [id = ""]) => ({ data: [shown(id, groupOf(id))] })],
    [
      "PUT",
      /^\/chatgroups\/(\d+)$/,
      ({ body }, [id = ""]) => {
        const { groupname, ...change } = fits(groupChangeSchema, body, "change of a group");
        Object.assign(groupOf(id), change, groupname === undefined ? {} : { name: groupname });
        return { data: {} };
      },
    ],
    [
      "DELETE",
      /^\/chatgroups\/(\d+)$/,
      (_, [id = ""]) => {
        groupOf(id);
        standIn.groups.delete(id);
        return { data: { success: true, groupid: id } };
      },
    ],
    [
      "GET",
      /^\/chatgroups\/(\d+)\/users$/,
      ({ query }, [id = ""]) => {
        const group = groupOf(id);
        const rows = [{ owner: group.owner }, ...[...group.members].map((member) => ({ member }))];
        return { data: paged<object>(rows, query) };
      },
    ],
    ["GET", /^\/chatgroups\/(\d+)\/admin$/, (_, [id = ""]) => ({ data: [...groupOf(id).admins] })],
    [
      "POST",
      /^\/chatgroups\/(\d+)\/users\/([\w.-]+)$/,
      (_, [id = "", name = ""]) => {
        groupOf(id).members.add(name);
        return { data: { result: true, groupid: id, action: "add_member", user: name } };
      },
    ],
    [
      "DELETE",
      /^\/chatgroups\/(\d+)\/users\/([\w.-]+)$/,
      (_, [id = "", name = ""]) => {
        if (!groupOf(id).members.delete(name)) throw new Refused(403, "forbidden_op");
        return { data: { result: true, groupid: id, action: "remove_member", user: name } };
      },
    ],
    [
      "GET",
      /^\/users\/([\w.-]+)\/joined_chatgroups$/,
      ({ query }, [name = ""]) => {
        const joined = [...standIn.groups].filter(
          ([, g]) => g.owner === name || g.members.has(name),
        );
        const rows = joined.map(([groupid, g]) => ({ groupid, groupname: g.name }));
        return { data: paged(rows, query) };
      },
    ],
    [
      "GET",
      /^\/users\/([\w.-]+)\/contacts\/users$/,
      (_, [name = ""]) => ({
        data: [...standIn.friends]
          .filter((pair) => pair.startsWith(`${name} `))
          .map((pair) => pair.slice(name.length + 1)),
      }),
    ],
    [
      "POST",
      /^\/users\/([\w.-]+)\/contacts\/users\/([\w.-]+)$/,
      (_, [a = "", b = ""]) => {
        standIn.friends.add(`${a} ${b}`).add(`${b} ${a}`);
        return { entities: [{ username: b }] };
      },
    ],
    [
      "DELETE",
      /^\/users\/([\w.-]+)\/contacts\/users\/([\w.-]+)$/,
      (_, [a = "", b = ""]) => {
        standIn.friends.delete(`${a} ${b}`);
        standIn.friends.delete(`${b} ${a}`);
        return { entities: [{ username: b }] };
      },
    ],
  ];

  async function token(body: unknown, bearer: string): Promise<unknown> {
    if ((body as { grant_type?: unknown }).grant_type === "client_credentials") {
      const asked = fits(appTokenRequestSchema, body, "application token");
      if (asked.client_id !== CLIENT_ID || asked.client_secret !== CLIENT_SECRET) {
        throw new Refused(400, "invalid_grant");
      }
      const value = `app-${randomUUID()}`;
      standIn.appTokens.add(value);
      return { access_token: value, expires_in: asked.ttl, application: randomUUID() };
    }
    if (!standIn.appTokens.has(bearer)) throw new Refused(401, "unauthorized");
    const { username, autoCreateUser, ttl } = fits(userTokenRequestSchema, body, "user token");
    if (!standIn.users.has(username)) {
      if (!autoCreateUser) throw new Refused(404, "resource_not_found");
      standIn.users.set(username, { nickname: "" });
    }
    const user = { uuid: randomUUID(), type: "user", username, activated: true };
    return { access_token: await standIn.userToken(username), expires_in: ttl, user };
  }

  async function answer(request: IncomingMessage): Promise<unknown> {
    const url = new URL(request.url ?? "/", "http://cloud");
    const path = url.pathname.replace("/hyzh/console", "");
    const asked = `${request.method} ${path}`;
    standIn.asked.push(asked);
    const raw = await text(request);
    const body: unknown = raw === "" ? undefined : JSON.parse(raw);
    const { accept, authorization = "", "content-type": type } = request.headers;
    if (accept !== "application/json" || type !== "application/json") {
      standIn.wrong.push(`${asked}: headers`);
    }
    const refused = standIn.refuse.get(asked);
    if (refused !== undefined) throw new Refused(refused.status, refused.error);
    const bearer = authorization.replace(/^Bearer /, "");
    if (asked === "POST /token") return await token(body, bearer);
    if (!standIn.appTokens.has(bearer)) throw new Refused(401, "unauthorized");
    for (const [method, pattern, run] of calls) {
      const found = method === request.method ? pattern.exec(path) : null;
      if (found !== null) {
        return run({ method, path, query: url.searchParams, body }, found.slice(1));
      }
    }
    standIn.wrong.push(`${asked}: not documented`);
    throw new Refused(404, "service_resource_not_found");
  }

  const server = createServer((request, response) => {
    const reply = (status: number, json: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(json));
    };
    answer(request).then(
      (json) => reply(200, json),
      (error: unknown) => {
        const status = error instanceof Refused ? error.status : 500;
        const message = error instanceof Error ? error.message : "";
        reply(status, { error: message, error_description: message });
      },
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const standIn: CloudStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    wrong: [],
    asked: [],
    users: new Map(),
    groups: new Map(),
    friends: new Set(),
    commands: [],
    texts: [],
    refuse: new Map(),
    appTokens: new Set(),
    userToken: (userName) => Promise.resolve(`user-${userName}`),
    addGroup(id, owner, members) {
      const group: StandInGroup = {
        name: "消防联络",
        description: "值班",
        public: false,
        membersonly: false,
        allowinvites: true,
        invite_need_confirm: false,
        mute: false,
        owner,
        admins: new Set(),
        members: new Set(members),
      };
      standIn.groups.set(id, group);
      return group;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return standIn;
}
