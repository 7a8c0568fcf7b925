/** The provider's REST calls about conversations: list, marks, deletion, pinned messages, reports (docs/chat.md#provider-calls). */
import type { Context, Hono } from "hono";
import { z } from "zod";
import { hasNoNul } from "../../../../shared/protocol/rest/call.ts";
import { chatUserNameSchema } from "../../../../shared/protocol/rest/entities.ts";
import { type ActDeps, tellConversation } from "./acts.ts";
import type { CallParts } from "./contacts-rest.ts";
import type { ConversationList, ConversationRow } from "../conversations/conversation-list.ts";
import type { Erasures } from "../conversations/erasures.ts";
import type { GroupReads } from "../groups/index.ts";
import { PINNED_MAX, type PinnedMessages } from "../conversations/pinned-messages.ts";
import { body, type Env, ProviderError } from "./provider-app.ts";
import { groupKey } from "../wire/records.ts";
import type { Reports } from "../conversations/reports.ts";
import { restMessage } from "./rest-message.ts";
import type { ConversationSettings } from "../conversations/settings.ts";

const groupId = z.string().regex(/^\d{1,20}$/);
const messageId = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform((text, c) => {
    const id = BigInt(text);
    if (id < 1n << 63n) return id;
    c.addIssue("not a message id");
    return z.NEVER;
  });
/** A conversation under the names that calls give its parts. */
const peerSchema = z.union([
  z.object({ type: z.literal("chat"), to: chatUserNameSchema }).transform(({ to }) => to),
  z
    .object({ type: z.string().regex(/^(groupchat|group)$/i), to: groupId })
    .transform(({ to }) => groupKey(to)),
]);
const markSchema = z
  .string()
  .regex(/^mark_(\d|1\d)$/)
  .transform((text) => Number(text.slice(5)));
const marksBody = z.object({ mark: markSchema, targets: z.array(peerSchema).min(1).max(20) });
const deleteBody = z.object({
  channel: z.string(),
  type: z.string(),
  delete_roam: z.boolean().nullish(),
});
/** The last message of a page of pinned ones: when it was pinned, and its id. */
const pinCursor = z
  .string()
  .regex(/^\d{1,15}_\d{1,19}$/)
  .transform((text) => {
    const [at = "", id = ""] = text.split("_");
    return { at: Number(at), id };
  })
  .pipe(z.object({ at: z.number(), id: messageId }));
const pinBody = z.object({ to: z.string(), type: z.string(), pin_msg_id: messageId });
const reportBody = z.object({
  reportType: z.string().max(50).refine(hasNoNul),
  reportReason: z.string().min(1).max(512).refine(hasNoNul),
});

/** A value of the query. An unset one is sent as a word. */
const given = (c: Context<Env>, name: string): string | undefined => {
  const value = c.req.query(name);
  return value === "undefined" || value === "null" || value === "" ? undefined : value;
};

export function addConversationCalls(
  app: Hono<Env>,
  deps: CallParts & {
    readonly acts: ActDeps;
    readonly list: ConversationList;
    readonly erasures: Erasures;
    readonly pinned: PinnedMessages;
    readonly reports: Reports;
    readonly settings: Pick<ConversationSettings, "pinned">;
    readonly groups: Pick<GroupReads, "groupsOf" | "joined">;
  },
): void {
  const { answer, self, erasures, pinned } = deps;
  const actor = (c: Context<Env>) => ({
    userName: self(c),
    resource: c.req.query("resource") ?? "",
  });
  const parse = <T extends z.ZodType>(schema: T, value: unknown): z.infer<T> => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new ProviderError(400, "illegal_argument", "invalid parameter");
  };

  async function page(c: Context<Env>, filter: { readonly mark?: number; readonly top?: boolean }) {
    const userName = self(c);
    const limit = Math.min(Math.max(Number(given(c, "limit")) || 20, 1), 50);
    const cursor = given(c, "cursor");
    const tops = new Map(
      (await deps.settings.pinned(userName)).map(({ peer, pinnedAt }) => [peer, pinnedAt]),
    );
    const groups = await deps.groups.joined(userName);
    let rows: ConversationRow[];
    let next = "";
    if (filter.top === true) {
      // They stand in the order of the pins, so the cursor is a place in that order.
      const at = cursor === undefined ? 0 : parse(z.coerce.number().int().nonnegative(), cursor);
      const peers = [...tops.keys()].slice(at, at + limit);
      rows = await deps.list.list(userName, groups, { peers, before: null, limit });
      if (at + limit < tops.size) next = String(at + limit);
    } else {
      rows = await deps.list.list(userName, groups, {
        ...(filter.mark === undefined ? {} : { mark: filter.mark }),
        before: cursor === undefined ? null : parse(messageId, cursor),
        limit,
      });
      // A conversation that the person emptied may end a page too.
      if (rows.length === limit) next = String(rows.at(-1)?.newest ?? "");
    }
    return answer(c, {
      data: {
        channel_infos: rows.map((row) => ({
          session_to: row.peer.replace(/^#/, ""),
          session_type: row.peer.startsWith("#") ? "groupchat" : "chat",
          is_top: tops.has(row.peer),
          update_top_status_time: tops.get(row.peer) ?? 0,
          unread_num: row.unread,
          marks: row.marks.map((mark) => `mark_${mark}`),
          meta: row.last === null ? {} : restMessage(row.last),
        })),
        cursor: next,
      },
    });
  }
  const S = "/sdk/user/:me";
  app.get(`${S}/user_channels/list`, (c) => page(c, { top: c.req.query("is_top") === "true" }));
  app.get(`${S}/user_channels/mark/search`, (c) =>
    page(c, { mark: parse(markSchema, given(c, "mark")) }),
  );
  for (const on of [true, false]) {
    app.on(on ? "POST" : "DELETE", `${S}/user_channels/mark`, async (c) => {
      const { mark, targets } = await body(c, marksBody);
      const who = actor(c);
      if (!(await deps.list.mark(who.userName, targets, mark, on))) {
        throw new ProviderError(403, "exceed_limit", "too many marks");
      }
      for (const peer of targets) {
        const op = on ? "mark" : "mark_delete";
        await tellConversation(deps.acts, who, peer, op, { ext: `mark_${mark}` });
      }
      return answer(c, { data: { mark: `mark_${mark}` } });
    });
  }

  app.delete("/user/:me/user_channel", async (c) => {
    const { channel, type, delete_roam: andMessages } = await body(c, deleteBody);
    await erasures.conversation(
      actor(c),
      parse(peerSchema, { type, to: channel }),
      andMessages === true,
    );
    return answer(c, { data: { result: "ok" } });
  });
  app.post("/sdk/message/roaming/user/:me/delete/all", async (c) => {
    await erasures.everything(actor(c));
    return answer(c, { data: { result: "ok" } });
  });
  const peerIn = (c: Context<Env>): string => {
    const group = c.req.param("kind") === "group";
    const to = group ? given(c, "groupId") : given(c, "userId");
    return parse(peerSchema, { type: c.req.param("kind"), to });
  };
  app.delete("/sdk/message/roaming/:kind{chat|group}/user/:me", async (c) => {
    const ids = parse(
      z.array(messageId).min(1).max(50),
      (given(c, "msgIdList") ?? "").split(",").filter((one) => one !== ""),
    );
    await erasures.messages(actor(c), peerIn(c), ids);
    return answer(c, { data: { result: "ok" } });
  });
  app.delete("/sdk/message/roaming/:kind{chat|group}/user/:me/time", async (c) => {
    const at = parse(z.coerce.number().int().positive(), given(c, "delTime"));
    await erasures.until(actor(c), peerIn(c), at);
    return answer(c, { data: { result: "ok" } });
  });

  for (const on of [true, false]) {
    app.on(on ? "POST" : "DELETE", `${S}/user_channel/pin`, async (c) => {
      const { to, type, pin_msg_id: id } = await body(c, pinBody);
      const peer = parse(peerSchema, { type, to });
      await (on ? pinned.pin(actor(c), peer, id) : pinned.unpin(actor(c), peer, id));
      return answer(c, { data: { result: "ok" } });
    });
  }
  app.get(`${S}/user_channel/pin`, async (c) => {
    const peer = parse(peerSchema, { type: given(c, "type"), to: given(c, "to") });
    const limit = Math.min(Math.max(Number(given(c, "limit")) || 10, 1), PINNED_MAX);
    const cursor = given(c, "cursor");
    const before = cursor === undefined ? null : parse(pinCursor, cursor);
    const rows = await pinned.list(self(c), peer, before, limit);
    const last = rows.length < limit ? undefined : rows.at(-1);
    return answer(c, {
      data: {
        msg_infos: rows.map(({ meta, operator, at }) => ({
          message: restMessage(meta),
          pin_opt_at: at,
          pin_operator: operator,
        })),
        cursor: last === undefined ? "" : `${last.at}_${last.id}`,
      },
    });
  });

  app.post("/user/:me/moderation/report/message/:id", async (c) => {
    const id = parse(messageId, c.req.param("id"));
    const { reportType: kind, reportReason: reason } = await body(c, reportBody);
    await deps.reports.add(self(c), id, kind, reason);
    return answer(c, { data: { result: "ok" } });
  });
}
