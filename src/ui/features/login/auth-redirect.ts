/** What another system of the platform brings to /auth-redirect (docs/session.md#auth-redirect): tokens, and where to go with them. Pure. */
import {
  systemNameSchema,
  SYSTEM_HEADER_VALUE,
  type SystemName,
} from "../../../shared/protocol/config.ts";
import type { TokenGrant } from "../../../shared/protocol/rest/auth.ts";
import { safeRedirect } from "../../../shared/domain/guard.ts";

/** Lifetime in seconds of an access token whose address does not give one. */
const DEFAULT_LIFE = 1800;
/** Used when no refresh token came: the platform refuses it, and the person is asked to log in again. */
const NO_REFRESH_TOKEN = "none";

export interface BroughtLogin {
  readonly grant: TokenGrant;
  readonly systemName: SystemName;
  /** A path of this console; null: the home page. */
  readonly redirect: string | null;
}

const wholeNumber = (text: string | null): number | null =>
  text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;

/**
 * Reads the fragment first: it reaches no server and no log. Names are those of the token answer; `token` and `refreshToken`
 * are taken too.
 *
 * @param now ms since the epoch
 * @returns null when no token is there
 */
export function readAuthRedirect(search: string, hash: string, now: number): BroughtLogin | null {
  for (const text of [hash.replace(/^#\/?\??/, ""), search.replace(/^\?/, "")]) {
    const values = new URLSearchParams(text);
    const token = values.get("access_token") ?? values.get("token");
    if (token === null || token === "" || token.length > 8192) continue;
    const systemName = systemNameSchema.safeParse(values.get("systemName")?.trim());
    const life = wholeNumber(values.get("expires_in"));
    return {
      grant: {
        access_token: token,
        refresh_token:
          values.get("refresh_token") ?? values.get("refreshToken") ?? NO_REFRESH_TOKEN,
        iat: wholeNumber(values.get("iat")) ?? Math.floor(now / 1000),
        expires_in: life === null || life === 0 ? DEFAULT_LIFE : life,
      },
      systemName: systemName.success ? systemName.data : SYSTEM_HEADER_VALUE,
      redirect: safeRedirect(values.get("redirect")),
    };
  }
  return null;
}
