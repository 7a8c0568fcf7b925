/** The directory: answers other modules' questions about people and logins. */
import { AppError, type ErrorCode } from "../../../shared/errors.ts";
import { ACCESS_END, accessEndSchema } from "../../base/cluster/access.ts";
import type { Bus, Clock, Directory, Principal } from "../../base/module.ts";
import type { MissedEnds } from "./missed-ends.ts";
import type { AccountStore } from "./store.ts";
import type { TokenClaims, Tokens } from "./tokens.ts";

/** What a device reads whose login has ended. */
const END_CODES: Readonly<Record<string, ErrorCode>> = {
  "signed-out": "auth.signed-out",
  dismissed: "auth.dismissed",
  "company-locked": "auth.company-locked",
  disabled: "auth.account-disabled",
};
/** @param end the reason that AccountStore.endOf returns */
export const endCode = (end: string | null): ErrorCode | undefined => END_CODES[end ?? ""];

export interface AccountDirectory extends Directory {
  /**
   * Like authenticate, but accepts an expired token. For the logout only.
   *
   * @throws AppError auth.expired for a session that has ended, auth.required for an invalid token
   */
  authenticateLate(token: string): Promise<Principal>;
}

export function createDirectory(deps: {
  readonly store: AccountStore;
  readonly tokens: Tokens;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly mayTalk: Directory["mayTalk"];
  readonly missedEnds: Pick<MissedEnds, "add">;
}): AccountDirectory {
  const { store, tokens, bus, clock } = deps;
  const holderOf = async ({
    sid,
    sub,
  }: Pick<TokenClaims, "sid" | "sub">): Promise<Principal | null> => {
    const session = await store.liveSession(sid, sub);
    if (session === null) return null;
    return {
      accountId: sub,
      username: session.username,
      sessionId: sid,
      supplierIds: session.supplierIds,
      supplierId: null,
      grants: session.grants,
      permissions: [],
      chatUserName: session.chatUserName,
    };
  };
  const principalOf = async (claims: TokenClaims): Promise<Principal> => {
    const principal = await holderOf(claims);
    if (principal === null) {
      throw new AppError(endCode(await store.endOf(claims.sid)) ?? "auth.expired");
    }
    return principal;
  };
  return {
    async authenticate(token) {
      const claims = await tokens.verify("access", token);
      if (claims === "expired") throw new AppError("auth.expired");
      if (claims === null) throw new AppError("auth.required");
      return principalOf(claims);
    },
    async authenticateLate(token) {
      const claims = await tokens.verifyLate("access", token);
      if (claims === null) throw new AppError("auth.required");
      return principalOf(claims);
    },
    async principalOf(sessionId) {
      const row = await store.session(sessionId);
      if (row === null || row.expiresAt.getTime() <= clock.now()) return null;
      return holderOf({ sid: sessionId, sub: row.accountId });
    },
    async personByChatName(userName) {
      const row = await store.byChatName(userName);
      return row === null
        ? null
        : { accountId: row.id, userName: row.chatUserName, name: row.nickname, avatar: row.avatar };
    },
    mayTalk: deps.mayTalk,
    colleagues: (userName) => store.colleagues(userName),
    async sessionAlive(sessionId) {
      const row = await store.session(sessionId);
      return row !== null && row.expiresAt.getTime() > clock.now();
    },
    onAccessEnd(handler, open) {
      const stop = bus.subscribe(ACCESS_END, (message) => {
        const parsed = accessEndSchema.safeParse(message);
        if (parsed.success) handler(parsed.data);
      });
      const stopLooking = open === undefined ? undefined : deps.missedEnds.add(handler, open);
      return () => {
        stop();
        stopLooking?.();
      };
    },
  };
}
