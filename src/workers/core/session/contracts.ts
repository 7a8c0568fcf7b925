/** The session module's dependencies and interface. */
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { CoreEnv, FileHttp, Http, Session, Stats, Store, TabInfo } from "../contracts.ts";
import type { Transport } from "../http/index.ts";

export interface SessionDeps {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "locks" | "online" | "config" | "log">;
  readonly store: Store;
  readonly stats: Pick<Stats, "refreshed" | "error">;
  readonly transport: Transport;
  /** Server time minus local time, ms. */
  readonly offset: () => number;
  /** Called after login, logout or refusal, because cores of other builds share the storage. */
  readonly onChanged: () => void;
  /** Path of the page that the person looks at; the menu-id header names its menu entry. */
  readonly path: () => string | null;
  /** Language of that page, which each request names. */
  readonly language: () => string | null;
  /** Sorted: the tab that the person looks at comes first. */
  readonly tabs: () => readonly TabInfo[];
  /** A call or conference is running; no question may interrupt it. */
  readonly busy: () => boolean;
}

export interface SessionModule {
  readonly session: Session;
  readonly http: Http & FileHttp;
  readonly handlers: Handlers<"session">;
  /** Reads the storage into the slice, then fetches the info. Commands wait for it. */
  restore(): Promise<void>;
  /** Resolves when the login is known and the running load of the info has ended; null when that is already so. */
  settled(): Promise<void> | null;
  /** The person came to a company, or left one. @param left the company that the person has left; null: not known */
  membershipsChanged(left: string | null): void;
  /** Somebody changed roles or menus. @param company null: in every company */
  rightsChanged(company: string | null): void;
  /** Changes of companies, roles and menus may have been missed. */
  changesMissed(): void;
  /** Reads the storage again after another core changed it. */
  reread(): Promise<void>;
  stop(): void;
}
