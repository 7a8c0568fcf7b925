/**
 * Whether the person wants to be disturbed by calls (docs/calls.md#do-not-disturb). The preference is the server's; a copy in the
 * browser answers a ring that comes before the server has answered.
 */
import { z } from "../../../shared/zod.ts";
import {
  NOT_QUIET,
  parseQuietCalls,
  QUIET_CALLS,
  type QuietCalls,
  readQuietCalls,
} from "../../../shared/protocol/quiet-calls.ts";
import { preferencesCall } from "../../../shared/protocol/rest/preferences.ts";
import type { CoreEnv, Http, Session } from "../contracts.ts";

const COPY_KEY = "calls.quiet";
const copySchema = z.object({ accountId: z.string(), quiet: z.unknown() });

export interface QuietCallsReader {
  now(): QuietCalls;
  /** Asks the server: the preferences have changed, or a change may have been missed. */
  changed(): void;
  stop(): void;
}

export function createQuietCalls(deps: {
  readonly env: Pick<CoreEnv, "kv" | "log">;
  readonly http: Pick<Http, "call">;
  readonly session: Pick<Session, "user" | "onUser">;
}): QuietCallsReader {
  const { http, session } = deps;
  const { kv, log } = deps.env;
  let known: { readonly accountId: string; readonly quiet: QuietCalls } | null = null;
  /** Raised with every request, so that an earlier answer does not replace a later one. */
  let turn = 0;

  async function ask(): Promise<void> {
    const accountId = session.user()?.accountId;
    if (accountId === undefined) return;
    const ownTurn = (turn += 1);
    try {
      const { preferences } = await http.call(preferencesCall);
      if (ownTurn !== turn) return;
      const quiet = parseQuietCalls(preferences.find(({ key }) => key === QUIET_CALLS)?.value);
      known = { accountId, quiet };
      await kv.set(COPY_KEY, known);
    } catch {
      // Chat asks again when it is back; a platform without preferences has nobody who is quiet.
      log("calls", "warn", "the preference for do-not-disturb was not read");
    }
  }
  void kv
    .get(COPY_KEY)
    .catch(() => undefined)
    .then((stored) => {
      const parsed = copySchema.safeParse(stored);
      if (known !== null || !parsed.success) return;
      const { accountId, quiet } = parsed.data;
      known = { accountId, quiet: readQuietCalls(quiet) };
    });
  const end = session.onUser((user) => {
    if (user !== null) void ask();
  });
  void ask();

  return {
    now: () =>
      known !== null && known.accountId === session.user()?.accountId ? known.quiet : NOT_QUIET,
    changed: () => void ask(),
    stop() {
      turn += 1;
      end();
    },
  };
}
