/** Fetches the person's roles, permissions and menus again when the company changed them (docs/session.md#changed-rights). */
import { passes, pauseAfter } from "../../../shared/domain/retries.ts";
import { AppError } from "../../../shared/errors.ts";
import type { SessionSlice } from "../../../shared/protocol/state.ts";
import type { Clock, Timer } from "../contracts.ts";
import type { HttpClient } from "../http/index.ts";
import { fetchRights } from "./info.ts";

/** ms after which a refusal may mean that the rights have changed. */
const DOUBT_MS = 2000;

export interface Rights {
  /** The info was fetched as a whole just now. */
  loaded(): void;
  /** Somebody changed roles or menus. @param company null: in every company */
  changed(company: string | null): void;
  /**
   * The connection that brings changes is open, and those of before may have been missed: also those between the fetch at the login and
   * the first opening.
   */
  missed(): void;
  /** The platform refused something in the company of the session. */
  doubted(): void;
  stop(): void;
}

export function createRights(deps: {
  readonly clock: Clock;
  readonly http: () => Pick<HttpClient, "call">;
  readonly slice: () => Readonly<SessionSlice>;
  readonly showSlice: (next: SessionSlice) => void;
  /** Loads the whole info, because the person may have lost the company. */
  readonly reload: () => void;
}): Rights {
  const { clock, slice } = deps;
  let running = false;
  let again = false;
  let retry: Timer | null = null;
  let tries = 0;
  let at = 0;

  const here = (company: string | null): boolean => {
    const { status, infoLoaded, supplierId } = slice();
    return (
      status === "authenticated" &&
      infoLoaded &&
      supplierId !== null &&
      (company === null || company === supplierId)
    );
  };
  /** Whether the person belongs to the company only since a moment ago. */
  const isNew = (company: string): boolean => {
    const { status, infoLoaded, employees } = slice();
    return (
      status === "authenticated" &&
      infoLoaded &&
      !employees.some(({ supplierId }) => supplierId === company)
    );
  };
  const fetch = async (): Promise<void> => {
    const { accountId, supplierId, systemName } = slice();
    if (supplierId === null) return;
    const rights = await fetchRights(deps.http(), systemName, supplierId);
    const now = slice();
    // The answer belongs to a company, a system or a person that the session has left.
    if (!here(supplierId) || now.accountId !== accountId || now.systemName !== systemName) return;
    at = clock.now();
    tries = 0;
    deps.showSlice({ ...now, ...rights });
  };
  const failed = (thrown: unknown): void => {
    if (!passes(AppError.from(thrown), slice().status === "anonymous")) {
      if (here(null)) deps.reload();
      return;
    }
    retry = clock.after(pauseAfter(tries), refresh);
    tries += 1;
  };
  function refresh(): void {
    retry?.cancel();
    retry = null;
    if (!here(null)) return;
    if (running) {
      again = true;
      return;
    }
    running = true;
    void fetch()
      .catch(failed)
      .then(() => {
        running = false;
        if (!again) return;
        again = false;
        refresh();
      });
  }

  return {
    loaded() {
      at = clock.now();
    },
    changed(company) {
      if (here(company)) refresh();
      else if (company !== null && isNew(company)) deps.reload();
    },
    missed: refresh,
    doubted() {
      if (clock.now() - at > DOUBT_MS) refresh();
    },
    stop() {
      retry?.cancel();
    },
  };
}
