/** The two identities of a person on the wire (docs/conferences.md#identities). */
import { CHAT_SOURCE } from "../../src/shared/protocol/rest/im.ts";
import { PASSWORD } from "../support/people.ts";
import { restLogin } from "../support/rest-login.ts";

export const APP_KEY = "hyzh#console";

export interface Identity {
  readonly name: string;
  readonly token: string;
}

/** The user name, and the access token of a login. */
export async function loginIdentity(origin: string, name: string): Promise<Identity> {
  return { name, token: (await restLogin(origin, name, PASSWORD)).grant.access_token };
}

/** The chat user name with the app key, and the token of the chat, as a client of the chat's SDK has them. */
export async function chatIdentity(origin: string, { token }: Identity): Promise<Identity> {
  const get = async <T>(path: string): Promise<T> => {
    const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { data: T }).data;
  };
  const { id } = await get<{ id: string }>("/uaa/api/account");
  const query = new URLSearchParams({
    accountId: id,
    source: CHAT_SOURCE,
    systemName: APP_KEY,
  });
  const { userName, password } = await get<{ userName: string; password: string }>(
    `/dc-im/api/user/hx/accountId?${query.toString()}`,
  );
  const answer = await fetch(`${origin}/${APP_KEY.replace("#", "/")}/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "password", username: userName, password }),
  });
  const granted = (await answer.json()) as { access_token: string };
  return { name: `${APP_KEY}_${userName}`, token: granted.access_token };
}
