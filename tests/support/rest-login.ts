/**
 * A login by the server's REST call. It imports no more of the server than the credentials, because each process of Playwright loads
 * every module that a test imports.
 */
import { CLIENTS } from "../../src/server/modules/accounts/clients.ts";
import { SYSTEM_HEADER_VALUE as SYSTEM } from "../../src/shared/protocol/config.ts";
import type { TokenGrant } from "../../src/shared/protocol/rest/auth.ts";

export interface RestLogin {
  readonly grant: TokenGrant;
  /** The lines of the Set-Cookie headers. */
  readonly cookies: readonly string[];
}

/** @throws Error when the server refuses the login */
export async function restLogin(
  url: string,
  username: string,
  password: string,
): Promise<RestLogin> {
  const { id, secret } = CLIENTS[SYSTEM];
  const answer = await fetch(`${url}/uaa/login/username`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
    body: new URLSearchParams({ username, password, grant_type: "password" }),
  });
  const { code, data } = (await answer.json()) as { code: number; data: TokenGrant };
  if (code !== 0) throw new Error(`the login of ${username} was answered with ${code}`);
  return { grant: data, cookies: answer.headers.getSetCookie() };
}
