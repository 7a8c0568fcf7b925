/** What the other modules may ask about people. */
import { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { Bus, Clock, Directory } from "../module.ts";
import { SESSION_END_TOPIC } from "./sessions.ts";
import type { AccountStore } from "./store.ts";
import type { Tokens } from "./tokens.ts";

const sessionEndSchema = z.object({ sessionId: z.string(), accountId: z.string() });

export function createDirectory(deps: {
  readonly store: AccountStore;
  readonly tokens: Tokens;
  readonly bus: Bus;
  readonly clock: Clock;
  /** Whether both added each other as friends. */
  readonly friends: (userA: string, userB: string) => Promise<boolean>;
}): Directory {
  const { store, tokens, bus, clock } = deps;
  return {
    async authenticate(token) {
      const claims = await tokens.verify("access", token);
      if (claims === "expired") throw new AppError("auth.expired");
      if (claims === null) throw new AppError("auth.required");
      const session = await store.liveSession(claims.sid, claims.sub);
      if (session === null) throw new AppError("auth.expired");
      return {
        accountId: claims.sub,
        username: session.username,
        sessionId: claims.sid,
        supplierIds: session.supplierIds,
        supplierId: null,
        grants: session.grants,
        permissions: [],
        chatUserName: session.chatUserName,
      };
    },
    async personByChatName(userName) {
      const row = await store.byChatName(userName);
      return row === null
        ? null
        : { accountId: row.id, userName: row.chatUserName, name: row.nickname, avatar: row.avatar };
    },
    async mayTalk(userA, userB) {
      if (userA === userB) return false;
      return (
        (await store.colleagues(userA, userB)).length > 0 || (await deps.friends(userA, userB))
      );
    },
    colleagues: (userName) => store.colleagues(userName),
    async sessionAlive(sessionId) {
      const row = await store.session(sessionId);
      return row !== null && row.expiresAt.getTime() > clock.now();
    },
    onSessionEnd(handler) {
      return bus.subscribe(SESSION_END_TOPIC, (message) => {
        const parsed = sessionEndSchema.safeParse(message);
        if (parsed.success) handler(parsed.data);
      });
    },
  };
}
