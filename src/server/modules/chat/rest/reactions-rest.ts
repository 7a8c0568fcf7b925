/** The provider's REST calls about reactions, as its SDK makes them (docs/chat.md#provider-calls). */
import type { Context, Hono } from "hono";
import { z } from "zod";
import { body, type Env, ProviderError } from "./provider-app.ts";
import type { ReactionCount, Reactions } from "../messages/reactions.ts";

/** Messages of one request. */
const LIST_MAX = 50;

const messageId = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform((text, c) => {
    const id = BigInt(text);
    if (id < 1n << 63n) return id;
    c.addIssue("not a message id");
    return z.NEVER;
  });
/** Some characters that are seen: an emoji is made of up to a dozen. */
const reaction = z
  .string()
  .min(1)
  .max(32)
  .regex(/^[^\p{Cc}\s]+$/u);
const change = z.object({ msgId: messageId, message: reaction });
const idList = z
  .string()
  .transform((text) => text.split(","))
  .pipe(z.array(messageId).min(1).max(LIST_MAX));

export function addReactionCalls(
  app: Hono<Env>,
  deps: {
    readonly reactions: Reactions;
    /** Requires the user in the path to be the token's user. */
    readonly self: (c: Context<Env>) => string;
    readonly answer: (c: Context<Env>, fields: Record<string, unknown>) => Response;
  },
): void {
  const { reactions, self, answer } = deps;
  const query = <T extends z.ZodType>(schema: T, value: unknown): z.infer<T> => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new ProviderError(400, "illegal_argument", "invalid parameter");
  };
  /** The SDK names its device in none of these calls, so each device of the person gets the notice. */
  const reactor = (c: Context<Env>) => ({ userName: self(c), resource: "" });
  const shown = ({ reaction: text, state, count, userList }: ReactionCount) => ({
    reaction: text,
    state,
    userCount: count,
    userList,
  });

  app.post("/reaction/user/:me", async (c) => {
    const given = await body(c, change);
    await reactions.add(reactor(c), given.msgId, given.message);
    return answer(c, { data: {} });
  });
  app.delete("/reaction/user/:me", async (c) => {
    const { msgId, message } = c.req.query();
    const given = query(change, { msgId, message });
    await reactions.remove(reactor(c), given.msgId, given.message);
    return answer(c, { data: {} });
  });
  app.get("/reaction/user/:me", async (c) => {
    const ids = query(idList, c.req.query("msgIdList"));
    const found = await reactions.list(self(c), ids);
    return answer(c, {
      data: ids.map((id) => ({
        msgId: String(id),
        reactionList: (found.get(id) ?? []).map(shown),
      })),
    });
  });
  app.get("/reaction/user/:me/detail", async (c) => {
    const { msgId, message } = c.req.query();
    const given = query(change, { msgId, message });
    const found = await reactions.list(self(c), [given.msgId]);
    const one = found.get(given.msgId)?.find((each) => each.reaction === given.message);
    const none = { reaction: given.message, count: 0, userList: [], state: false };
    return answer(c, { data: shown(one ?? none) });
  });
}
