/** The provider's REST calls about announcement, block list, allow list, attributes of members and receipts (docs/chat.md#provider-calls). */
import type { Context, Hono } from "hono";
import { z } from "zod";
import { chatUserNameSchema } from "../../../../shared/protocol/rest/entities.ts";
import { GROUP_LIMITS } from "../../../../shared/protocol/rest/im-groups.ts";
import { body, type Env } from "../rest/provider-app.ts";
import { GROUP_PATH, type GroupCallParts, namesBody, text } from "./rest-parts.ts";
import { forbidden } from "./refusal.ts";
import { rules } from "./scene.ts";

const attributesBody = z.object({
  metaData: z.record(text(64).min(1), text(512)),
});
const wantedBody = z.object({
  targets: z.array(chatUserNameSchema).min(1).max(GROUP_LIMITS.invited),
  properties: z.array(text(64)).max(100).nullish(),
});

export function addGroupLists(app: Hono<Env>, parts: GroupCallParts): void {
  const { groups, handle, actor, idOf, namesIn, seen, done, answer } = parts;
  const results = (c: Context<Env>, names: readonly string[]): Response =>
    answer(c, { data: names.map((user) => ({ user, result: true })) });
  /** The group, for those who rule it. */
  const ruled = async (c: Context<Env>) => {
    const found = await seen(c, idOf(c));
    const me = found.members.find((m) => m.chatUserName === c.get("identity").userName);
    if (!rules(me)) throw forbidden("只有群主和管理员可以操作");
    return found;
  };

  for (const [list, add, remove] of [
    ["blocks", groups.block, groups.unblock],
    [
      "white",
      (...[who, id, names]: Parameters<typeof groups.block>) => groups.allow(who, id, names, true),
      (...[who, id, names]: Parameters<typeof groups.block>) => groups.allow(who, id, names, false),
    ],
  ] as const) {
    app.post(
      `${GROUP_PATH}/${list}/users`,
      handle(async (c) => {
        const { usernames } = await body(c, namesBody);
        await add(actor(c), idOf(c), usernames);
        return results(c, usernames);
      }),
    );
    app.post(
      `${GROUP_PATH}/${list}/users/:names`,
      handle(async (c) => {
        await add(actor(c), idOf(c), namesIn(c));
        return results(c, namesIn(c));
      }),
    );
    app.delete(
      `${GROUP_PATH}/${list}/users/:names`,
      handle(async (c) => {
        await remove(actor(c), idOf(c), namesIn(c));
        return results(c, namesIn(c));
      }),
    );
  }
  app.get(
    `${GROUP_PATH}/blocks/users`,
    handle(async (c) => {
      await ruled(c);
      return answer(c, { data: await groups.blocked(idOf(c)) });
    }),
  );
  app.get(
    `${GROUP_PATH}/white/users`,
    handle(async (c) => {
      const { members } = await ruled(c);
      return answer(c, { data: members.filter((m) => m.allowed).map((m) => m.chatUserName) });
    }),
  );
  app.get(
    `${GROUP_PATH}/white/users/:names`,
    handle(async (c) => {
      const { members } = await seen(c, idOf(c));
      const [name] = namesIn(c);
      const member = members.find((m) => m.chatUserName === name);
      return answer(c, {
        data: { white: member?.allowed === true || rules(member), member: name },
      });
    }),
  );

  const M = "/sdk/metadata/chatgroup/:id{[0-9]+}";
  app.put(
    `${M}/user/:names`,
    handle(async (c) => {
      const { metaData } = await body(c, attributesBody);
      const [name = ""] = namesIn(c);
      const data = await groups.describeMember(actor(c), idOf(c), name, metaData);
      return answer(c, { data });
    }),
  );
  app.post(
    `${M}/get`,
    handle(async (c) => {
      const { targets, properties } = await body(c, wantedBody);
      const { members } = await seen(c, idOf(c));
      const wanted = new Set(properties ?? []);
      const data = Object.fromEntries(
        members
          .filter((m) => targets.includes(m.chatUserName))
          .map((m) => [
            m.chatUserName,
            Object.fromEntries(
              Object.entries(m.attributes).filter(([key]) => wanted.size === 0 || wanted.has(key)),
            ),
          ]),
      );
      return answer(c, { data });
    }),
  );

  app.get(
    `${GROUP_PATH}/acks/:message{[0-9]{1,19}}`,
    handle(async (c) => {
      await seen(c, idOf(c));
      const ackmid = c.req.param("message") ?? "";
      const userlist = await groups.acks(idOf(c), c.get("identity").userName, BigInt(ackmid));
      return answer(c, {
        data: { ackmid, total: userlist.length, userlist, next_key: "", is_last: true },
      });
    }),
  );

  app.get(
    `${GROUP_PATH}/announcement`,
    handle(async (c) => {
      const { group } = await seen(c, idOf(c));
      return answer(c, { data: { announcement: group.announcement } });
    }),
  );
  app.post(
    `${GROUP_PATH}/announcement`,
    handle(async (c) => {
      const { announcement } = await body(c, z.object({ announcement: text(512) }));
      await groups.announce(actor(c), idOf(c), announcement);
      return done(c, { id: idOf(c) });
    }),
  );
}
