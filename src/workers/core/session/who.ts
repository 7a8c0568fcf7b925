/** The logged-in person, for the tabs (session slice) and for other modules. */
import { AppError } from "../../../shared/errors.ts";
import type { SessionSlice } from "../../../shared/protocol/state.ts";
import type { Session, SessionUser, Stats, Store } from "../contracts.ts";

export interface Who extends Pick<Session, "user" | "onUser"> {
  slice(): Readonly<SessionSlice>;
  /** Replaces the session slice and sends it to the tabs at once. */
  put(next: SessionSlice): void;
  /** Sets the logged-in person, null for none, and informs the listeners. */
  setUser(user: SessionUser | null): void;
}

export function createWho(store: Store, stats: Pick<Stats, "error">): Who {
  const listeners = new Set<(user: SessionUser | null) => void>();
  let user: SessionUser | null = null;
  return {
    slice: () => store.get("session"),
    put(next) {
      store.set(["session"], next);
      store.flush();
    },
    setUser(next) {
      user = next;
      for (const listener of listeners) {
        try {
          listener(next);
        } catch (error) {
          stats.error(AppError.from(error));
        }
      }
    },
    user: () => user,
    onUser(handler) {
      listeners.add(handler);
      return () => listeners.delete(handler);
    },
  };
}
