/** Gives a person of the demo data a role of their own, by REST. */
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { callerOf, type Reply } from "./rest-caller.ts";

const data = <T>({ status, data: given }: Reply): T => {
  if (status !== 200) throw new Error(`a call for a role was answered ${status}`);
  return given as T;
};

/** @param permissions what the person may do in the first company, beside what they may already */
export async function giveRole(
  url: string,
  username: string,
  permissions: readonly string[],
): Promise<void> {
  const admin = await callerOf(url, "admin");
  const person = await callerOf(url, username);
  const { id: accountId } = data<{ id: string }>(await person("GET", restCalls.account.path));
  const { id, version } = data<{ id: string; version: number }>(
    await admin("POST", restCalls.roleCreate.path, { name: `${username}的权限` }),
  );
  data(await admin("PUT", restCalls.roleUpdate.path, { id, version, permissions }));
  data(await admin("PUT", restCalls.roleAssign.path, { roleId: id, accountIds: [accountId] }));
}
