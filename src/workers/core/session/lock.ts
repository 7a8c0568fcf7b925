/**
 * The lock of the console (docs/session.md#lock): the slice says so to all tabs, the storage to the next core. It hides pages; calls
 * and sockets go on.
 */
import { profileUnlockCall } from "../../../shared/protocol/rest/profile.ts";
import type { SessionSlice } from "../../../shared/protocol/state.ts";
import type { Http } from "../contracts.ts";
import type { Kept } from "./kept.ts";

export interface LockDeps {
  readonly http: Http;
  readonly kept: Pick<Kept, "locked" | "keepLocked">;
  readonly slice: () => Readonly<SessionSlice>;
  readonly put: (next: SessionSlice) => void;
  /** Informs the cores of other builds, which share the storage. */
  readonly onChanged: () => void;
}

export interface Lock {
  lock(): Promise<null>;
  /** @throws AppError auth.invalid-credentials, auth.locked; without an answer of the server the console stays locked */
  unlock(password: string): Promise<null>;
  /** Another core has locked or unlocked. */
  reread(): Promise<void>;
  /** The login has ended, or another one has begun. */
  forget(): Promise<void>;
}

export function createLock({ http, kept, slice, put, onChanged }: LockDeps): Lock {
  const show = (locked: boolean): void => {
    if (slice().status === "authenticated" && slice().locked !== locked) {
      put({ ...slice(), locked });
    }
  };
  return {
    async lock() {
      if (slice().status !== "authenticated") return null;
      show(true);
      await kept.keepLocked(true);
      onChanged();
      return null;
    },
    async unlock(password) {
      if (!slice().locked) return null;
      const { accountId } = slice();
      await http.call(profileUnlockCall, { body: { password } });
      // the login may have become another person's meanwhile
      if (slice().accountId !== accountId) return null;
      await kept.keepLocked(false);
      show(false);
      onChanged();
      return null;
    },
    reread: async () => show(await kept.locked().catch(() => slice().locked)),
    forget: () => kept.keepLocked(false),
  };
}
