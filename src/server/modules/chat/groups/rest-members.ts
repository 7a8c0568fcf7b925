/** The provider's REST calls about the members of a group: joining and leaving, admins, mutes (docs/chat.md#provider-calls). */
import type { Hono } from "hono";
import { z } from "zod";
import { chatUserNameSchema } from "../../../../shared/protocol/rest/entities.ts";
import { GROUP_LIMITS } from "../../../../shared/protocol/rest/im-groups.ts";
import { body, type Env, ProviderError } from "../rest/provider-app.ts";
import type { Member } from "./index.ts";
import { isMuted } from "./scene.ts";
import { GROUP_PATH, type GroupCallParts, namesBody, numberOf, text } from "./rest-parts.ts";

const affiliation = (m: Member) => ({
  [m.owner ? "owner" : m.admin ? "admin" : "member"]: m.chatUserName,
  joined_time: m.joinedAt,
});

export function addGroupMembers(app: Hono<Env>, parts: GroupCallParts): void {
  const { groups, handle, actor, idOf, namesIn, seen, done, answer } = parts;

  app.get(
    `${GROUP_PATH}/users`,
    handle(async (c) => {
      const { members } = await seen(c, idOf(c));
      const { pagenum, pagesize, limit, cursor } = c.req.query();
      if (pagenum !== undefined) {
        const size = numberOf(pagesize, 100, 1000);
        const at = (Math.max(numberOf(pagenum, 1, 1000), 1) - 1) * size;
        return answer(c, {
          data: members.slice(at, at + size).map(affiliation),
          count: members.length,
        });
      }
      const size = Math.max(numberOf(limit, 50, 1000), 1);
      const at = numberOf(cursor, 0, GROUP_LIMITS.members);
      const next = at + size < members.length ? String(at + size) : "";
      return answer(c, { data: members.slice(at, at + size).map(affiliation), cursor: next });
    }),
  );
  app.post(
    `${GROUP_PATH}/invite`,
    handle(async (c) => {
      const { usernames } = await body(c, namesBody);
      const { invited, already, unwilling } = await groups.invite(actor(c), idOf(c), usernames);
      if (invited.length === 0 && unwilling.length > 0) {
        // The SDK knows this text alone as "these two may not chat" (221).
        throw new ProviderError(
          400,
          "illegal_argument",
          "updateRemark | they are not friends, please add as a friend first.",
        );
      }
      if (invited.length === 0) {
        throw new ProviderError(
          403,
          "forbidden_op",
          "invite users to join group failed, already in group",
        );
      }
      return answer(c, {
        data: [
          ...invited.map((user) => ({ user, result: true })),
          ...unwilling.map((user) => ({ user, result: false, reason: "permission denied" })),
          ...already.map((user) => ({ user, result: false, reason: "already in group" })),
        ],
      });
    }),
  );
  app.post(
    `${GROUP_PATH}/invite_verify`,
    handle(async (c) => {
      const { invitee, verifyResult } = await body(
        c,
        z.object({ invitee: chatUserNameSchema, verifyResult: z.boolean() }),
      );
      if (invitee !== c.get("identity").userName) {
        throw new ProviderError(403, "forbidden_op", "not your own user");
      }
      await groups.answerInvite(actor(c), idOf(c), verifyResult);
      return done(c);
    }),
  );
  app.post(
    `${GROUP_PATH}/apply`,
    handle(async (c) => {
      const { message } = await body(c, z.object({ message: text(500).nullish() }));
      await groups.join(actor(c), idOf(c), message ?? "");
      return done(c);
    }),
  );
  app.post(
    `${GROUP_PATH}/apply_verify`,
    handle(async (c) => {
      const { applicant, verifyResult, reason } = await body(
        c,
        z.object({
          applicant: chatUserNameSchema,
          verifyResult: z.boolean(),
          reason: text(500).nullish(),
        }),
      );
      await groups.answerApplication(actor(c), idOf(c), applicant, verifyResult, reason ?? "");
      return done(c);
    }),
  );
  app.delete(
    `${GROUP_PATH}/users/:names`,
    handle(async (c) => {
      const removed = await groups.remove(actor(c), idOf(c), namesIn(c));
      const rows = removed.map((user) => ({ user, result: true, action: "remove_member" }));
      return answer(c, { data: removed.length === 1 ? rows[0] : rows });
    }),
  );

  app.get(
    `${GROUP_PATH}/admin`,
    handle(async (c) => {
      const { members } = await seen(c, idOf(c));
      return answer(c, { data: members.filter((m) => m.admin).map((m) => m.chatUserName) });
    }),
  );
  app.post(
    `${GROUP_PATH}/admin`,
    handle(async (c) => {
      const { newadmin } = await body(c, z.object({ newadmin: chatUserNameSchema }));
      await groups.setAdmin(actor(c), idOf(c), newadmin, true);
      return done(c, { newadmin });
    }),
  );
  app.delete(
    `${GROUP_PATH}/admin/:names`,
    handle(async (c) => {
      const [oldadmin = ""] = namesIn(c);
      await groups.setAdmin(actor(c), idOf(c), oldadmin, false);
      return done(c, { oldadmin });
    }),
  );

  app.get(
    `${GROUP_PATH}/mute`,
    handle(async (c) => {
      const { members } = await seen(c, idOf(c));
      return answer(c, {
        data: members
          .filter((m) => isMuted(m, parts.now()))
          .map((m) => ({ user: m.chatUserName, expire: m.mutedUntil })),
      });
    }),
  );
  app.post(
    `${GROUP_PATH}/mute`,
    handle(async (c) => {
      const { usernames, mute_duration } = await body(
        c,
        namesBody.extend({ mute_duration: z.number().int() }),
      );
      const expire = await groups.mute(actor(c), idOf(c), usernames, mute_duration);
      return answer(c, { data: usernames.map((user) => ({ user, result: true, expire })) });
    }),
  );
  app.delete(
    `${GROUP_PATH}/mute/:names`,
    handle(async (c) => {
      const usernames = namesIn(c);
      await groups.mute(actor(c), idOf(c), usernames, null);
      return answer(c, { data: usernames.map((user) => ({ user, result: true })) });
    }),
  );
  app.get(
    "/sdk/chatgroups/:id{[0-9]+}/mute/:me",
    handle(async (c) => {
      const { userName } = c.get("identity");
      if (c.req.param("me") !== userName) {
        throw new ProviderError(403, "forbidden_op", "not your own user");
      }
      const { members } = await seen(c, idOf(c));
      const me = members.find((m) => m.chatUserName === userName);
      return answer(c, { data: me !== undefined && isMuted(me, parts.now()) });
    }),
  );
  for (const [method, mute] of [
    ["POST", true],
    ["DELETE", false],
  ] as const) {
    app.on(
      method,
      `${GROUP_PATH}/ban`,
      handle(async (c) => {
        await groups.muteAll(actor(c), idOf(c), mute);
        return done(c, { mute });
      }),
    );
  }
}
