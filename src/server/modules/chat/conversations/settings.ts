/** How a person keeps conversations (docs/chat.md#settings): pinned, and silent. Each change is sent to the person's other devices. */
import { and, desc, eq, isNotNull, ne, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { chatSetting } from "../../../base/database/schema/chat.ts";
import { noticeMessage } from "../wire/notify.ts";
import { ProviderError } from "../rest/provider-app.ts";
import type { Outgoing } from "../wire/records.ts";

/** Pinned and silent conversations of a person. */
const SETTINGS_MAX = 1000;
/** The peer of the setting of all conversations. */
export const EVERYTHING = "";

export interface Actor {
  readonly userName: string;
  readonly resource: string;
}
export interface Silence {
  /** ALL, AT or NONE; null: nothing of its own. */
  readonly remind: string | null;
  /** ms since the epoch */
  readonly quietUntil: number | null;
  readonly quietDaily: string | null;
}
export interface ConversationSettings {
  /** @param peer as the store names it. @returns when it was pinned, ms since the epoch */
  pin(who: Actor, peer: string, pinned: boolean): Promise<number>;
  /** Pinned conversations, the last pinned first. */
  pinned(userName: string): Promise<{ peer: string; pinnedAt: number }[]>;
  /** Changes the given parts; all null takes the setting away. */
  silence(who: Actor, peer: string, silence: Partial<Silence>): Promise<Silence>;
  /** The silence of one conversation, or of EVERYTHING. */
  silenceOf(userName: string, peer: string): Promise<Silence>;
  /** Conversations that have a silence of their own. */
  silent(userName: string): Promise<{ peer: string; remind: string }[]>;
}

const NONE: Silence = { remind: null, quietUntil: null, quietDaily: null };
const target = (peer: string) => {
  const group = peer.startsWith("#");
  return { id: peer.replace(/^#/, ""), group };
};

/** The silence in the provider's form. */
export const silenceData = ({ remind, quietUntil, quietDaily }: Silence) => ({
  ...(remind === null ? {} : { type: remind }),
  ...(quietUntil === null ? {} : { ignoreDuration: quietUntil }),
  ...(quietDaily === null ? {} : { ignoreInterval: quietDaily }),
});

export function createSettings(deps: {
  readonly db: NodePgDatabase;
  readonly appKey: string;
  readonly nextId: () => bigint;
  readonly now: () => number;
  readonly write: (outgoing: Outgoing) => Promise<unknown>;
}): ConversationSettings {
  const { db, appKey, nextId, now } = deps;
  const { userName: owner, peer: about } = chatSetting;

  async function sendToOwnDevices(
    who: Actor,
    value: Readonly<Record<string, unknown>> & { readonly type: string },
  ): Promise<void> {
    const notice = { to: who.userName, audience: [], value };
    await deps.write(noticeMessage(appKey, nextId, who, notice));
  }
  async function save(
    who: Actor,
    peer: string,
    fields: Partial<Omit<typeof chatSetting.$inferInsert, "userName" | "peer">>,
  ): Promise<typeof chatSetting.$inferSelect> {
    return await db.transaction(async (tx) => {
      const [count] = await tx
        .select({ n: sql<number>`count(*)::int` })
        .from(chatSetting)
        .where(and(eq(owner, who.userName), ne(about, peer)));
      if ((count?.n ?? 0) >= SETTINGS_MAX) {
        throw new ProviderError(403, "exceed_limit", "too many settings");
      }
      const [row] = await tx
        .insert(chatSetting)
        .values({ userName: who.userName, peer, ...fields })
        .onConflictDoUpdate({ target: [owner, about], set: fields })
        .returning();
      if (row === undefined) throw new Error("no setting was stored");
      const { pinnedAt, remind, quietUntil, quietDaily } = row;
      if ([pinnedAt, remind, quietUntil, quietDaily].every((each) => each === null)) {
        await tx.delete(chatSetting).where(and(eq(owner, who.userName), eq(about, peer)));
      }
      return row;
    });
  }

  return {
    async pin(who, peer, pinned) {
      const at = now();
      await save(who, peer, { pinnedAt: pinned ? at : null });
      const { id, group } = target(peer);
      await sendToOwnDevices(who, {
        type: "conv",
        data: {
          op: pinned ? "top" : "not_top",
          id,
          type: group ? "groupchat" : "chat",
          ts: at,
          from: who.userName,
          res: who.resource,
        },
      });
      return at;
    },
    async pinned(userName) {
      const rows = await db
        .select({ peer: about, pinnedAt: chatSetting.pinnedAt })
        .from(chatSetting)
        .where(and(eq(owner, userName), isNotNull(chatSetting.pinnedAt)))
        .orderBy(desc(chatSetting.pinnedAt), about);
      return rows.map(({ peer, pinnedAt }) => ({ peer, pinnedAt: pinnedAt ?? 0 }));
    },
    async silence(who, peer, silence) {
      const { remind, quietUntil, quietDaily } = await save(who, peer, silence);
      const after = { remind, quietUntil, quietDaily };
      const { id, group } = target(peer === EVERYTHING ? who.userName : peer);
      await sendToOwnDevices(who, {
        type: "user_notification_mute",
        values: [
          {
            operator_resource: who.resource,
            [group ? "group" : "user"]: id,
            data: silenceData(after),
          },
        ],
      });
      return after;
    },
    async silenceOf(userName, peer) {
      const [row] = await db
        .select({
          remind: chatSetting.remind,
          quietUntil: chatSetting.quietUntil,
          quietDaily: chatSetting.quietDaily,
        })
        .from(chatSetting)
        .where(and(eq(owner, userName), eq(about, peer)));
      return row ?? NONE;
    },
    async silent(userName) {
      const rows = await db
        .select({ peer: about, remind: chatSetting.remind })
        .from(chatSetting)
        .where(and(eq(owner, userName), ne(about, EVERYTHING), isNotNull(chatSetting.remind)))
        .orderBy(about);
      return rows.map(({ peer, remind }) => ({ peer, remind: remind ?? "" }));
    },
  };
}
