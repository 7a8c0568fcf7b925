/** The provider's REST call that reads the history of a conversation (docs/chat.md#provider-calls). */
import type { Context, Hono } from "hono";
import { z } from "zod";
import { chatUserNameSchema } from "../../../../shared/protocol/rest/entities.ts";
import type { Groups } from "../groups/index.ts";
import type { ChatArchive } from "../conversations/history.ts";
import { CHAT_LIMITS } from "../limits.ts";
import { body, type Env, ProviderError } from "./provider-app.ts";
import type { Reactions } from "../messages/reactions.ts";
import { withMarks } from "../conversations/reads.ts";
import { groupKey } from "../wire/records.ts";
import { GROUP_DOMAIN } from "../wire/wire.ts";

/** The message id after which a page starts. -1, "" and null start at the first message in the direction of reading. */
const cursor = z
  .union([z.string().regex(/^(-1|\d{0,19})$/), z.number().int(), z.null()])
  .default(null)
  .transform((v, c) => {
    const text = String(v ?? "");
    if (text === "" || text === "-1") return null;
    const id = BigInt(text);
    if (id >= 0n && id < 1n << 63n) return id;
    c.addIssue("not a message id");
    return z.NEVER;
  });
const time = z.number().int().nonnegative().nullable().optional().default(null);
const roamingBody = z.object({
  queue: z.string().regex(/^([a-z0-9_-]{1,64}@easemob\.com|\d{1,20}@conference\.easemob\.com)$/),
  start: cursor,
  pull_number: z.number().int().min(1).max(CHAT_LIMITS.historyPage).default(20),
  is_positive: z.boolean().default(false),
  startTime: time,
  endTime: time,
  /** Kinds of messages, by comma. */
  msgType: z.string().max(100).nullish(),
  /** Of a group: whose messages alone. */
  userId: chatUserNameSchema.nullish(),
});
/** The words by which the SDK names kinds of messages. */
const CONTENT_TYPES: Readonly<Record<string, number>> = {
  txt: 0,
  img: 1,
  video: 2,
  loc: 3,
  audio: 4,
  file: 5,
  cmd: 6,
  custom: 7,
  combine: 0,
};
function contentTypes(words: string | null | undefined): readonly number[] | null {
  if (words === null || words === undefined || words === "") return null;
  return words.split(",").flatMap((word) => CONTENT_TYPES[word.trim()] ?? []);
}
export function addHistoryCalls(
  app: Hono<Env>,
  deps: {
    readonly archive: Pick<ChatArchive, "history">;
    readonly groups: Pick<Groups, "load">;
    readonly reactions: Pick<Reactions, "list">;
    /** Requires the user in the path to be the token's user. */
    readonly self: (c: Context<Env>) => string;
    readonly answer: (c: Context<Env>, fields: Record<string, unknown>) => Response;
  },
): void {
  const { archive, self, answer } = deps;
  /** When the user joined the group, ms since the epoch. @throws ProviderError for others than members */
  const membership = async (userName: string, groupId: string): Promise<number> => {
    const found = await deps.groups.load(groupId);
    const me = found?.members.find((m) => m.chatUserName === userName);
    if (me === undefined) {
      throw new ProviderError(403, "forbidden_op", "users are not members of this group!");
    }
    return me.joinedAt;
  };

  app.post("/users/:me/messageroaming", async (c) => {
    const userName = self(c);
    const q = await body(c, roamingBody);
    const [name = "", domain] = q.queue.split("@");
    // A member sees what was written while in the group.
    const joinedAt = domain === GROUP_DOMAIN ? await membership(userName, name) : null;
    const page = await archive.history(
      userName,
      joinedAt === null ? name : groupKey(name),
      q.start,
      q.is_positive,
      q.pull_number,
      {
        from: joinedAt === null ? q.startTime : Math.max(q.startTime ?? 0, joinedAt),
        to: q.endTime,
        types: contentTypes(q.msgType),
        sender: q.userId ?? null,
      },
    );
    const reactions = await deps.reactions.list(
      userName,
      page.metas.map(({ id }) => id),
    );
    const shown = page.metas.map(({ id, meta }) => {
      const reaction = reactions.get(id);
      return reaction === undefined ? meta : withMarks(meta, { reaction });
    });
    return answer(c, {
      data: {
        msgs: shown.map((meta) => ({ msg: Buffer.from(meta).toString("base64") })),
        next_key: String(page.metas.at(-1)?.id ?? ""),
        is_last: page.isLast,
      },
    });
  });
}
