/** What the server asks of Easemob's cloud, in the words of this project. */
import { z } from "zod";
import {
  type CloudGroup,
  COMMAND_BYTES,
  type commandRequestSchema,
  commandAnswerSchema,
  groupAnswerSchema,
  type GroupChange,
  groupMadeSchema,
  type groupMakeSchema,
  joinedAnswerSchema,
  MEMBERS_PAGE,
  membersAnswerSchema,
  namesAnswerSchema,
  registerAnswerSchema,
  type registerRequestSchema,
  type textRequestSchema,
  tokenAnswerSchema,
  type userTokenRequestSchema,
} from "../../../../shared/protocol/easemob-rest.ts";
import { GROUP_LIMITS } from "../../../../shared/protocol/rest/im-groups.ts";
import type { NewGroup } from "../groups/membership.ts";
import { CHAT_LIMITS } from "../limits.ts";
import { CloudRefusal, type CloudRest } from "./rest.ts";

const anyAnswer = z.object({});
const isMissing = (error: unknown): boolean =>
  error instanceof CloudRefusal && error.status === 404;
/** Extracts the user name from the cloud's spelling, which may add the app key, a domain and a device. */
export function cloudName(appKey: string, text: string): string {
  const name = text.startsWith(`${appKey}_`) ? text.slice(appKey.length + 1) : text;
  return name.replace(/@.*$/, "");
}

export type NewPerson = z.infer<typeof registerRequestSchema>[number];
export type CloudGroupValues = Pick<
  NewGroup,
  "name" | "description" | "members" | "public" | "approval" | "allowInvites" | "inviteConfirm"
>;
export interface CloudProvider {
  /** A token with which this person logs in; the cloud makes the user if there is none. */
  userToken(userName: string): Promise<string>;
  /** Registers people. Those who are there already stay as they are. */
  register(people: readonly NewPerson[]): Promise<void>;
  /** Sends a command message to the devices of these people that are connected. */
  command(
    from: string,
    to: readonly string[],
    action: string,
    ext: Record<string, string>,
  ): Promise<void>;
  /** Sends a text message, which waits for who is not connected. */
  text(from: string, to: string, msg: string): Promise<void>;
  /** null: there is no such group. */
  group(id: string): Promise<CloudGroup | null>;
  members(id: string): Promise<string[]>;
  admins(id: string): Promise<string[]>;
  joined(userName: string): Promise<string[]>;
  friends(userName: string): Promise<string[]>;
  /** @returns the id of the new group */
  createGroup(owner: string, group: CloudGroupValues): Promise<string>;
  befriend(one: string, other: string): Promise<void>;
  unfriend(one: string, other: string): Promise<void>;
  changeGroup(id: string, change: GroupChange): Promise<void>;
  deleteGroup(id: string): Promise<void>;
  addMember(id: string, userName: string): Promise<void>;
  removeMember(id: string, userName: string): Promise<void>;
}

/** Splits the receivers so that no request is larger than the cloud takes. */
export function commandBatches(names: readonly string[], restBytes: number): string[][] {
  const batches: string[][] = [];
  let spaceLeft = 0;
  for (const name of names) {
    const size = name.length + 3;
    const last = batches.at(-1);
    if (last === undefined || size > spaceLeft) {
      batches.push([name]);
      spaceLeft = COMMAND_BYTES - restBytes - size;
    } else {
      last.push(name);
      spaceLeft -= size;
    }
  }
  return batches;
}

export function createCloudProvider(rest: CloudRest, appKey: string): CloudProvider {
  const bare = (name: string): string => cloudName(appKey, name);
  const group = (id: string): string => `/chatgroups/${encodeURIComponent(id)}`;
  const user = (name: string): string => `/users/${encodeURIComponent(name)}`;

  /** All pages of a list. */
  async function pages<T>(page: (number: number) => Promise<T[]>): Promise<T[]> {
    const all: T[] = [];
    for (let number = 1; ; number += 1) {
      const got = await page(number);
      all.push(...got);
      if (got.length < MEMBERS_PAGE) return all;
    }
  }

  const registerSome = (people: readonly NewPerson[]): Promise<unknown> =>
    rest.ask("POST", "/users", registerAnswerSchema, people);
  const isDuplicate = (error: unknown): boolean =>
    error instanceof CloudRefusal && error.error === "duplicate_unique_property_exists";

  return {
    async userToken(userName) {
      const body: z.infer<typeof userTokenRequestSchema> = {
        grant_type: "inherit",
        username: userName,
        autoCreateUser: true,
        ttl: CHAT_LIMITS.tokenTtlSeconds,
      };
      return (await rest.ask("POST", "/token", tokenAnswerSchema, body)).access_token;
    },
    async register(people) {
      try {
        await registerSome(people);
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        // One name that exists refuses all of them.
        for (const person of people.length === 1 ? [] : people) {
          await registerSome([person]).catch((again: unknown) => {
            if (!isDuplicate(again)) throw again;
          });
        }
      }
    },
    async command(from, to, action, ext) {
      const body = (names: string[]): z.infer<typeof commandRequestSchema> => ({
        from,
        to: names,
        type: "cmd",
        body: { action },
        routetype: "ROUTE_ONLINE",
        ext,
      });
      const empty = Buffer.byteLength(JSON.stringify(body([])));
      for (const names of commandBatches(to, empty)) {
        await rest.ask("POST", "/messages/users", commandAnswerSchema, body(names));
      }
    },
    async text(from, to, msg) {
      const body: z.infer<typeof textRequestSchema> = {
        from,
        to: [to],
        type: "txt",
        body: { msg },
      };
      await rest.ask("POST", "/messages/users", commandAnswerSchema, body);
    },
    async group(id) {
      try {
        const answer = await rest.ask("GET", group(id), groupAnswerSchema);
        const [found] = answer.data;
        return found === undefined ? null : { ...found, owner: bare(found.owner) };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    members: async (id) =>
      (
        await pages(async (number) => {
          const query = `pagenum=${number}&pagesize=${MEMBERS_PAGE}`;
          return (await rest.ask("GET", `${group(id)}/users?${query}`, membersAnswerSchema)).data;
        })
      ).flatMap((row) => {
        const name = row["owner"] ?? row["admin"] ?? row["member"];
        return typeof name === "string" ? [bare(name)] : [];
      }),
    admins: async (id) => (await rest.ask("GET", `${group(id)}/admin`, namesAnswerSchema)).data,
    joined: (userName) =>
      pages(async (number) => {
        const query = `pagesize=${MEMBERS_PAGE}&pagenum=${number}`;
        const path = `${user(userName)}/joined_chatgroups?${query}`;
        return (await rest.ask("GET", path, joinedAnswerSchema)).data.map((one) => one.groupid);
      }),
    friends: async (userName) =>
      (await rest.ask("GET", `${user(userName)}/contacts/users`, namesAnswerSchema)).data,
    async createGroup(owner, values) {
      const body: z.infer<typeof groupMakeSchema> = {
        groupname: values.name,
        description: values.description,
        public: values.public,
        maxusers: GROUP_LIMITS.members,
        allowinvites: values.allowInvites,
        membersonly: values.approval,
        invite_need_confirm: values.inviteConfirm,
        owner,
        members: values.members.filter((name) => name !== owner),
      };
      return (await rest.ask("POST", "/chatgroups", groupMadeSchema, body)).data.groupid;
    },
    async befriend(one, other) {
      await rest.ask("POST", `${user(one)}/contacts${user(other)}`, anyAnswer);
    },
    async unfriend(one, other) {
      await rest.ask("DELETE", `${user(one)}/contacts${user(other)}`, anyAnswer);
    },
    async changeGroup(id, change) {
      await rest.ask("PUT", group(id), anyAnswer, change);
    },
    async deleteGroup(id) {
      await rest.ask("DELETE", group(id), anyAnswer);
    },
    async addMember(id, userName) {
      await rest.ask("POST", `${group(id)}${user(userName)}`, anyAnswer);
    },
    async removeMember(id, userName) {
      await rest.ask("DELETE", `${group(id)}${user(userName)}`, anyAnswer);
    },
  };
}
