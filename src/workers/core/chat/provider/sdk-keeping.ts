/** The provider's calls about pinned and silent conversations, for sdk.ts. */
import { z } from "../../../../shared/zod.ts";
import { groupChatId } from "../../../../shared/domain/group-chat.ts";
import type { KeepingCalls, ListedConversation } from "./port.ts";
import { addressOf, GROUP, toReceived } from "./sdk-messages.ts";

export interface SdkKeepingMethods {
  getServerPinnedConversations(options: object): Promise<unknown>;
  pinConversation(options: object): Promise<unknown>;
  getSilentModeRemindTypeConversations(options: object): Promise<unknown>;
  setSilentModeForConversation(options: object): Promise<unknown>;
  clearRemindTypeForConversation(options: object): Promise<unknown>;
  getSilentModeForAll(): Promise<unknown>;
  setSilentModeForAll(options: object): Promise<unknown>;
  getServerConversations(options: object): Promise<unknown>;
  deleteConversation(options: object): Promise<unknown>;
}

/** Conversations of one request, and requests: more than anybody pins. */
const PAGE = 50;
const PAGES = 20;
/** Pages of the conversations that a device begins with. */
const LISTED_PAGES = 4;

const cursorSchema = z.string().nullish().catch(null);
const pinnedSchema = z.object({
  conversationId: z.string(),
  conversationType: z.string(),
  pinnedTime: z.number().catch(0),
});
const listedSchema = z.object({
  conversationId: z.string(),
  conversationType: z.string(),
  unReadCount: z.number().int().nonnegative().catch(0),
  lastMessage: z.unknown(),
});
const silentSchema = z.object({
  conversationId: z.string(),
  type: z.string(),
  remindType: z.string(),
});
/** Without entries the SDK gives no list. */
const pageOf = <T extends z.ZodType>(entry: T) =>
  z.object({
    data: z
      .object({ conversations: z.array(entry), cursor: cursorSchema })
      .catch({ conversations: [], cursor: null }),
  });
const allSchema = z.object({ data: z.object({ type: z.string().optional() }).catch({}) });

/** An address in this list has no secret, so nobody could open the file. */
const lastOf = (message: unknown): ListedConversation["last"] => {
  const last = toReceived(message);
  return last === null || last.file === null
    ? last
    : { ...last, file: { ...last.file, url: null, thumb: null } };
};
export const keptChatId = (id: string, type: string): string =>
  GROUP.test(type) ? groupChatId(id) : id;
const remind = (on: boolean) => ({ paramType: 0, remindType: on ? "NONE" : "ALL" });

export function createKeepingCalls(
  conn: SdkKeepingMethods,
  /** Makes any rejection a ChatFailure. */
  guard: <T>(run: () => Promise<T>) => Promise<T>,
): KeepingCalls {
  const place = (chatId: string) => {
    const { to, chatType } = addressOf(chatId);
    return { conversationId: to, type: chatType };
  };
  async function readAll<T extends z.ZodType>(
    entry: T,
    ask: (options: object) => Promise<unknown>,
    pages = PAGES,
  ): Promise<z.infer<T>[]> {
    const found: z.infer<T>[] = [];
    let cursor = "";
    for (let page = 0; page < pages; page += 1) {
      const { data } = pageOf(entry).parse(await ask({ pageSize: PAGE, cursor }));
      found.push(...(data.conversations as z.infer<T>[]));
      cursor = data.cursor ?? "";
      if (cursor === "") break;
    }
    return found;
  }
  return {
    read: () =>
      guard(async () => {
        const [pinned, silent, all] = await Promise.all([
          readAll(pinnedSchema, (options) => conn.getServerPinnedConversations(options)),
          readAll(silentSchema, (options) => conn.getSilentModeRemindTypeConversations(options)),
          conn.getSilentModeForAll(),
        ]);
        return {
          pinned: Object.fromEntries(
            pinned.map((p) => [keptChatId(p.conversationId, p.conversationType), p.pinnedTime]),
          ),
          muted: Object.fromEntries(
            silent
              .filter(({ remindType }) => remindType === "NONE")
              .map((s) => [keptChatId(s.conversationId, s.type), true as const]),
          ),
          quiet: allSchema.parse(all).data.type === "NONE",
        };
      }),
    list: () =>
      guard(async () => {
        const rows = await readAll(
          listedSchema,
          (options) => conn.getServerConversations(options),
          LISTED_PAGES,
        );
        return rows.map((row) => ({
          chatId: keptChatId(row.conversationId, row.conversationType),
          unread: row.unReadCount,
          last: lastOf(row.lastMessage),
        }));
      }),
    forget: (chatId) =>
      guard(async () => {
        const { conversationId: channel, type: chatType } = place(chatId);
        await conn.deleteConversation({ channel, chatType, deleteRoam: false });
      }),
    pin: (chatId, isPinned) =>
      guard(async () => {
        const { conversationId, type } = place(chatId);
        await conn.pinConversation({ conversationId, conversationType: type, isPinned });
      }),
    mute: (chatId, on) =>
      guard(async () => {
        if (chatId === null) await conn.setSilentModeForAll({ options: remind(on) });
        else if (on) {
          await conn.setSilentModeForConversation({ ...place(chatId), options: remind(on) });
        } else await conn.clearRemindTypeForConversation(place(chatId));
      }),
  };
}
