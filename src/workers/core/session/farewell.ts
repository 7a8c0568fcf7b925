/**
 * Reports a logout to the platform (docs/session.md#logout). When the platform cannot be reached, the person is logged out here
 * nevertheless, and the access token is kept until the platform has ended the session. Otherwise the session would last for days.
 */
import { z } from "../../../shared/zod.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CoreEnv, Timer } from "../contracts.ts";

const STORAGE_KEY = "session.farewell";
const storedSchema = z.array(z.string());
/** Number of stored logouts; an older session ends when its token expires. */
const KEPT = 5;
/** ms between attempts while the platform is unreachable; the last value repeats. */
const RETRY_MS = [2_000, 5_000, 15_000, 60_000] as const;

/** Whether no answer came, so that the platform does not know about the logout yet. */
const isUnanswered = (error: AppError): boolean =>
  error.code.startsWith("network.") || error.code === "server.unavailable";

export interface Farewell {
  /**
   * Informs the platform now, or later when it does not answer.
   *
   * @throws AppError with the platform's message when it answered that the logout failed
   */
  informPlatform(token: string): Promise<void>;
  /** Sends the stored logouts. */
  retry(): void;
  /** Idempotent. */
  stop(): void;
}

export function createFarewell(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "online" | "log">;
  /** POST /uaa/logout with this token. */
  readonly logout: (token: string) => Promise<unknown>;
}): Farewell {
  const { clock, kv, online, log } = deps.env;
  let timer: Timer | null = null;
  let tries = 0;
  let stopped = false;
  let running = false;
  /** Logouts that came while the storage could not be read. */
  let unsaved: string[] = [];

  /** Null while the storage cannot be read, which is then not overwritten. */
  const load = async (): Promise<string[] | null> => {
    try {
      const parsed = storedSchema.safeParse(await kv.get(STORAGE_KEY));
      return parsed.success ? parsed.data : [];
    } catch {
      return null;
    }
  };
  const save = async (tokens: readonly string[]): Promise<void> => {
    try {
      if (tokens.length === 0) await kv.del(STORAGE_KEY);
      else await kv.set(STORAGE_KEY, tokens);
    } catch {
      log("session", "error", "the storage could not be written");
    }
  };
  const later = (): void => {
    timer?.cancel();
    if (stopped) return;
    timer = clock.after(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? 60_000, retry);
    tries += 1;
  };
  const send = async (): Promise<void> => {
    const stored = await load();
    for (const token of [...(stored ?? []), ...unsaved]) {
      try {
        await deps.logout(token);
      } catch (thrown) {
        const error = AppError.from(thrown);
        if (isUnanswered(error)) return later();
        log("session", "warn", `logout: ${error.code}`);
      }
      unsaved = unsaved.filter((other) => other !== token);
      const left = await load();
      if (left !== null) await save(left.filter((other) => other !== token));
    }
    if (stored === null) return later();
    tries = 0;
  };
  function retry(): void {
    if (running || stopped || !online.online) return;
    timer?.cancel();
    timer = null;
    running = true;
    void send().finally(() => {
      running = false;
    });
  }

  return {
    async informPlatform(token) {
      try {
        if (!online.online) throw new AppError("network.offline");
        await deps.logout(token);
      } catch (thrown) {
        const error = AppError.from(thrown);
        // 401: the platform has ended this session already
        if (error.details?.["status"] === 401) return;
        if (!isUnanswered(error)) throw error;
        const stored = await load();
        unsaved = [...unsaved, token].slice(-KEPT);
        if (stored !== null) {
          await save([...stored, ...unsaved].slice(-KEPT));
          unsaved = [];
        }
        later();
      }
    },
    retry,
    stop() {
      stopped = true;
      timer?.cancel();
      timer = null;
    },
  };
}
