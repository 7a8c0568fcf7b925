/**
 * The provider's REST calls about groups, as its SDK makes them (docs/chat.md#provider-calls): making, listing, changing and leaving
 * them. What concerns members, files and lists of a group is in the files beside this one.
 */
import type { Context, Hono } from "hono";
import { z } from "zod";
import { chatUserNameSchema } from "../../../../shared/protocol/rest/entities.ts";
import { GROUP_LIMITS } from "../../../../shared/protocol/rest/im-groups.ts";
import { body, type Env, ProviderError } from "../rest/provider-app.ts";
import type { Actor, Group, Member } from "./index.ts";
import { GroupRefusal, groupMissing } from "./refusal.ts";
import type { ChatFiles } from "../files/chat-files.ts";
import { addGroupFiles } from "./rest-files.ts";
import { addGroupLists } from "./rest-lists.ts";
import { addGroupMembers } from "./rest-members.ts";
import {
  GROUP_PATH,
  type GroupAnswers,
  type GroupCallParts,
  names,
  numberOf,
  text,
} from "./rest-parts.ts";

const flag = z.boolean().nullish();
const createBody = z.object({
  groupname: text(64).trim().min(1),
  desc: text(500).nullish(),
  members: names.nullish(),
  public: flag,
  approval: flag,
  allowinvites: flag,
  invite_need_confirm: flag,
  custom: text(1024).nullish(),
});
const modifyBody = z.union([
  z.object({ newowner: chatUserNameSchema }),
  z.object({
    groupname: text(64).trim().min(1).optional(),
    description: text(500).optional(),
    custom: text(1024).optional(),
  }),
]);
/** The company in which the group is made: the console sends it as the group's `ext`. */
const customSchema = z.object({ supplierId: z.string().regex(/^\d{1,19}$/) });

function companyOf(custom: string): string | null {
  try {
    const parsed = customSchema.safeParse(JSON.parse(custom));
    return parsed.success ? parsed.data.supplierId : null;
  } catch {
    return null;
  }
}

const describe = (group: Group, members: readonly Member[]) => ({
  id: group.id,
  name: group.name,
  description: group.description,
  owner: members.find((m) => m.owner)?.chatUserName ?? "",
  affiliations: members.map((m) => ({ [m.owner ? "owner" : "member"]: m.chatUserName })),
  affiliations_count: members.length,
  membersonly: group.approval,
  allowinvites: group.allowInvites,
  invite_need_confirm: group.inviteConfirm,
  maxusers: GROUP_LIMITS.members,
  public: group.public,
  mute: group.muted,
  custom: group.custom,
  created: group.createdAt.getTime(),
});

export function addGroupCalls(
  app: Hono<Env>,
  deps: GroupAnswers & {
    readonly blobs: ChatFiles["blobs"];
    readonly now: GroupCallParts["now"];
    /** Silences the group for this person alone, or no longer. */
    readonly silence: (who: Actor, groupId: string, on: boolean) => Promise<unknown>;
    /** Requires the user in the path to be the token's user. */
    readonly self: (c: Context<Env>) => string;
  },
): void {
  const { groups, self, answer } = deps;
  const handle =
    (run: (c: Context<Env>) => Promise<Response>) =>
    async (c: Context<Env>): Promise<Response> => {
      try {
        return await run(c);
      } catch (error) {
        throw error instanceof GroupRefusal ? new ProviderError(...error.answer) : error;
      }
    };
  const actor = (c: Context<Env>): Actor => ({
    userName: c.get("identity").userName,
    resource: c.req.query("resource") ?? "",
  });
  const idOf = (c: Context<Env>): string => c.req.param("id") ?? "";
  /** The names in a path, which the SDK joins by commas. */
  const namesIn = (c: Context<Env>): string[] => {
    const parsed = names.min(1).safeParse((c.req.param("names") ?? "").split(","));
    if (!parsed.success) throw new ProviderError(400, "illegal_argument", "invalid user names");
    return parsed.data;
  };
  /** The group, for its members alone. */
  const seen = async (c: Context<Env>, id: string) => {
    const found = await groups.load(id);
    const { userName } = c.get("identity");
    if (found === null || !found.members.some((m) => m.chatUserName === userName)) {
      throw groupMissing();
    }
    return found;
  };
  const done = (c: Context<Env>, fields: Record<string, unknown> = {}): Response =>
    answer(c, { data: { result: true, groupid: idOf(c), ...fields } });

  app.post(
    "/chatgroups",
    handle(async (c) => {
      const given = await body(c, createBody);
      const group = await groups.create(actor(c), {
        name: given.groupname,
        description: given.desc ?? "",
        members: given.members ?? [],
        public: given.public ?? false,
        approval: given.approval ?? false,
        allowInvites: given.allowinvites ?? false,
        inviteConfirm: given.invite_need_confirm ?? false,
        custom: given.custom ?? "",
        companyId: companyOf(given.custom ?? ""),
      });
      return answer(c, { data: { groupid: group.id } });
    }),
  );

  const ownGroups = async (c: Context<Env>) => {
    const all = await groups.groupsOf(self(c));
    const size = numberOf(c.req.query("pagesize"), 20, 500);
    const at = numberOf(c.req.query("pagenum"), 0, 1000) * size;
    return all.slice(at, at + size);
  };
  app.get(
    "/users/:me/joined_chatgroups",
    handle(async (c) => {
      const page = await ownGroups(c);
      return answer(c, {
        data: page.map((g) => ({ id: g.id, name: g.name, groupid: g.id, groupname: g.name })),
      });
    }),
  );
  app.get(
    "/chatgroups/user/:me",
    handle(async (c) => {
      const page = await ownGroups(c);
      const entities = await Promise.all(
        page.map(async (g) => {
          const { members } = (await groups.load(g.id)) ?? { members: [] };
          const me = members.find((m) => m.chatUserName === c.get("identity").userName);
          const { id, ...rest } = describe(g, members);
          const permission = me?.owner === true ? "owner" : me?.admin === true ? "admin" : "member";
          return { ...rest, groupId: id, permission };
        }),
      );
      return answer(c, { entities });
    }),
  );
  app.get(
    "/publicchatgroups",
    handle(async (c) => {
      const size = Math.max(numberOf(c.req.query("limit"), 20, 200), 1);
      const cursor = c.req.query("cursor") ?? "";
      const after = /^\d{1,20}$/.test(cursor) ? cursor : "";
      const page = await groups.open(c.get("identity").userName, after, size);
      const last = page.length === size ? page.at(-1) : undefined;
      return answer(c, {
        data: page.map((g) => ({ groupid: g.id, groupname: g.name, id: g.id, name: g.name })),
        cursor: last?.id ?? "",
      });
    }),
  );
  app.get(
    "/chatgroups/user/:me/joined_count",
    handle(async (c) => answer(c, { data: (await groups.groupsOf(self(c))).length })),
  );

  app.get(
    "/chatgroups/:ids{[0-9,]+}",
    handle(async (c) => {
      const found = await Promise.all(
        (c.req.param("ids") ?? "")
          .split(",")
          .slice(0, 20)
          .map((id) => seen(c, id)),
      );
      return answer(c, { data: found.map(({ group, members }) => describe(group, members)) });
    }),
  );
  app.put(
    GROUP_PATH,
    handle(async (c) => {
      const given = await body(c, modifyBody);
      if ("newowner" in given) {
        await groups.transfer(actor(c), idOf(c), given.newowner);
        return done(c, { newowner: true });
      }
      const { groupname: name, description, custom } = given;
      await groups.modify(actor(c), idOf(c), { name, description, custom });
      return done(c, { groupname: true, description: true });
    }),
  );
  app.delete(
    GROUP_PATH,
    handle(async (c) => {
      await groups.dissolve(actor(c), idOf(c));
      return done(c, { success: true });
    }),
  );
  app.delete(
    `${GROUP_PATH}/quit`,
    handle(async (c) => {
      await groups.leave(actor(c), idOf(c));
      return done(c);
    }),
  );

  for (const [method, on] of [
    ["POST", true],
    ["DELETE", false],
  ] as const) {
    app.on(
      method,
      `${GROUP_PATH}/shield`,
      handle(async (c) => {
        await seen(c, idOf(c));
        await deps.silence(actor(c), idOf(c), on);
        return done(c);
      }),
    );
  }

  const { now } = deps;
  const parts: GroupCallParts = { groups, handle, actor, idOf, namesIn, seen, now, done, answer };
  addGroupMembers(app, parts);
  addGroupFiles(app, { ...parts, shared: groups.files, blobs: deps.blobs });
  addGroupLists(app, parts);
}
