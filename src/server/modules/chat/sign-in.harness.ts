/** For tests: the way of a console into the chat of a running platform, from the access token to the connection. */
import { randomUUID } from "node:crypto";
import { envelopeSchema } from "../../../shared/protocol/rest/call.ts";
import { chatUserSchema } from "../../../shared/protocol/rest/entities.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { openClient, type TestClient } from "./client.harness.ts";

export interface ChatAccount {
  readonly accountId: string;
  readonly userName: string;
  readonly chatToken: string;
}
export interface ChatLogin extends ChatAccount {
  readonly client: TestClient;
}

/**
 * Asks for the chat account of a login, and for its token at the chat.
 *
 * @param origin of the server
 * @param token the access token
 */
export async function chatAccountOf(origin: string, token: string): Promise<ChatAccount> {
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
    return envelopeSchema.parse(await response.json()).data;
  };
  const { id } = restCalls.account.data.parse(await read(restCalls.account.path));
  const query = new URLSearchParams({ accountId: id, source: "环信", systemName: "hyzh#console" });
  const { userName, password } = chatUserSchema.parse(
    await read(`${restCalls.chatAccount.path}?${query.toString()}`),
  );
  // The provider's calls have no envelope.
  const response = await fetch(`${origin}/hyzh/console/token`, {
    method: "POST",
    body: JSON.stringify({ grant_type: "password", username: userName, password }),
  });
  const { access_token: chatToken } = (await response.json()) as { access_token: string };
  return { accountId: id, userName, chatToken };
}

/** As `chatAccountOf`, and connects. @param resource names the device; by default a new one. @throws Error when the gateway refuses */
export async function signInToChat(
  origin: string,
  token: string,
  resource = `web_${randomUUID()}`,
): Promise<ChatLogin> {
  const account = await chatAccountOf(origin, token);
  const client = await openClient(new URL(origin).host);
  const { status } = await client.login(account.userName, resource, account.chatToken);
  if (status?.errorCode !== 0) throw new Error(`the chat refuses ${account.userName}`);
  return { ...account, client };
}
