/** The provider's REST calls about pinned and silent conversations, as its SDK makes them (docs/chat.md#provider-calls). */
import type { Context, Hono } from "hono";
import { z } from "zod";
import { chatUserNameSchema } from "../../../../shared/protocol/rest/entities.ts";
import { body, type Env, ProviderError } from "./provider-app.ts";
import { groupKey } from "../wire/records.ts";
import {
  type ConversationSettings,
  EVERYTHING,
  type Silence,
  silenceData,
} from "../conversations/settings.ts";

const groupId = z.string().regex(/^\d{1,20}$/);
const place = z.union([
  z
    .object({ type: z.literal("chat"), to: chatUserNameSchema })
    .transform(({ to }) => ({ peer: to })),
  z
    .object({ type: z.string().regex(/^groupchat$/i), to: groupId })
    .transform(({ to }) => ({ peer: groupKey(to) })),
]);
const clock = String.raw`([01]?\d|2[0-3]):[0-5]?\d`;
const silenceBody = z.union([
  z.object({ type: z.enum(["ALL", "AT", "NONE", "DEFAULT"]) }),
  z.object({
    ignoreDuration: z
      .number()
      .int()
      .min(0)
      .max(30 * 86_400_000),
  }),
  z.object({ ignoreInterval: z.string().regex(new RegExp(`^${clock}-${clock}$`)) }),
]);

export function addSettingCalls(
  app: Hono<Env>,
  deps: {
    readonly settings: ConversationSettings;
    readonly now: () => number;
    /** Requires the user in the path to be the token's user. */
    readonly self: (c: Context<Env>) => string;
    readonly answer: (c: Context<Env>, fields: Record<string, unknown>) => Response;
  },
): void {
  const { settings, self, answer } = deps;
  const actor = (c: Context<Env>) => ({
    userName: self(c),
    resource: c.req.query("resource") ?? "",
  });
  const refused = (): ProviderError =>
    new ProviderError(400, "illegal_argument", "invalid parameter");

  app.post("/sdk/user/:me/user_channel/top", async (c) => {
    const { peer } = await body(c, place);
    const at = await settings.pin(actor(c), peer, true);
    return answer(c, { data: { is_top: true, update_top_status_time: at } });
  });
  app.delete("/sdk/user/:me/user_channel/top", async (c) => {
    const given = place.safeParse(c.req.query());
    if (!given.success) throw refused();
    await settings.pin(actor(c), given.data.peer, false);
    return answer(c, { data: { is_top: false } });
  });

  /** The conversation of a path; the person's own name stands for all conversations. */
  const peerOf = (c: Context<Env>): string => {
    const id = c.req.param("id") ?? "";
    const kind = c.req.param("kind");
    if (kind === "chatgroup" && groupId.safeParse(id).success) return groupKey(id);
    if (kind !== "user" || !chatUserNameSchema.safeParse(id).success) throw refused();
    return id === self(c) ? EVERYTHING : id;
  };
  app.put("/users/:me/notification/:kind/:id", async (c) => {
    const peer = peerOf(c);
    const given = await body(c, silenceBody);
    const silence: Partial<Silence> =
      "type" in given
        ? given.type === "DEFAULT"
          ? { remind: null, quietUntil: null, quietDaily: null }
          : { remind: given.type }
        : "ignoreDuration" in given
          ? { quietUntil: deps.now() + given.ignoreDuration }
          : { quietDaily: given.ignoreInterval };
    return answer(c, { data: silenceData(await settings.silence(actor(c), peer, silence)) });
  });
  app.get("/users/:me/notification/mute/type", async (c) => {
    const silent = await settings.silent(self(c));
    return answer(c, {
      data: silent.map(({ peer, remind }) => ({
        [peer.startsWith("#") ? "group" : "user"]: peer.replace(/^#/, ""),
        value: remind,
      })),
      cursor: "",
    });
  });
  app.get("/users/:me/notification/:kind/:id", async (c) => {
    const silence = await settings.silenceOf(self(c), peerOf(c));
    return answer(c, { data: silenceData(silence) });
  });
  app.get("/users/:me/notification", async (c) => {
    const userName = self(c);
    const listed = (text: string | undefined): string[] =>
      (text ?? "").split(",").filter((id) => /^[\w-]{1,64}$/.test(id));
    const read = async (ids: readonly string[], key: (id: string) => string) =>
      Object.fromEntries(
        await Promise.all(
          ids
            .slice(0, 20)
            .map(async (id) => [id, silenceData(await settings.silenceOf(userName, key(id)))]),
        ),
      ) as Record<string, object>;
    return answer(c, {
      data: {
        user: await read(listed(c.req.query("user")), (id) => id),
        group: await read(listed(c.req.query("group")), groupKey),
      },
    });
  });
}
