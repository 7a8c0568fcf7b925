/** What the session room needs of the core, and what it offers. */
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { CoreEnv, Http, Session, Stats, Store, TabInfo } from "../contracts.ts";
import type { Transport } from "../http/index.ts";

export interface SessionDeps {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "locks" | "online" | "config" | "report">;
  readonly store: Store;
  readonly stats: Pick<Stats, "refreshed" | "error">;
  readonly transport: Transport;
  /** Server time minus local time, ms. */
  readonly offset: () => number;
  /** Login, logout or refusal: cores of other builds share the storage. */
  readonly onChanged: () => void;
  /** Page that the person looks at: the menu-id header names its menu entry. */
  readonly path: () => string | null;
  /** The tab that the person looks at comes first. */
  readonly tabs: () => readonly TabInfo[];
  /** A call or a conference goes on: no question may interrupt it. */
  readonly busy: () => boolean;
}

export interface SessionRoom {
  readonly session: Session;
  readonly http: Http;
  readonly handlers: Handlers<"session">;
  /** Reads storage and shows what it holds; then fetches the info. Commands wait for it. */
  restore(): Promise<void>;
  /** Resolves when it is known who is logged in, and the loading of the info that runs now has ended; null: so it is. */
  settled(): Promise<void> | null;
  /** Another core has changed the storage: follows it. */
  reread(): Promise<void>;
  stop(): void;
}
