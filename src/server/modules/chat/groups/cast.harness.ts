/** For tests of groups: the platform, people with the unmodified SDK, and short ways to act and to look. */
import { accountCall } from "../../../../shared/protocol/rest/auth.ts";
import { chatAccountCall } from "../../../../shared/protocol/rest/im.ts";
import { systemClock } from "../../../base/clock.ts";
import { startTestPlatform, type TestPlatform } from "../../../platform.harness.ts";
import { loadSdk, sdkUser, type SdkUser } from "./sdk.harness.ts";

export interface GroupCast {
  readonly platform: TestPlatform;
  readonly sdk: ReturnType<typeof loadSdk>;
  /** Bearer tokens and account ids by user name. */
  readonly token: Readonly<Record<string, string>>;
  readonly accountId: Readonly<Record<string, string>>;
  /** Connects a person with the SDK. `device` names one of several devices of a person. */
  login(name: string, device?: string): Promise<SdkUser>;
  /** Closes the connections of all people. */
  closeAll(): void;
  /** Calls the SDK. @returns the answer's `data` */
  call(user: SdkUser, method: string, given: object): Promise<unknown>;
  /** The type by which the SDK names a refusal. */
  refused(user: SdkUser, method: string, given: object): Promise<unknown>;
  refusedText(user: SdkUser, groupId: string): Promise<unknown>;
  /** @returns the new group's id */
  make(owner: SdkUser, members: readonly string[], more?: Record<string, unknown>): Promise<string>;
  /** The members' names as the SDK sees them, in order. */
  members(user: SdkUser, groupId: string): Promise<string[]>;
  /** The members' names as the console's own calls show them, in order. */
  mirror(who: string, groupId: string): Promise<string[]>;
  /** Asks the console's own calls. @returns the answer's `data` */
  ask(who: string, method: string, path: string, json?: unknown): Promise<unknown>;
}

/** @param names of accounts; 张伟, 李娜 and the guest are of 华安, 王芳 is of 城南, as is 张伟 */
export async function createGroupCast(
  names: readonly string[],
  options: Parameters<typeof startTestPlatform>[0] = {},
): Promise<GroupCast> {
  // The SDK compares times with its own clock.
  const platform = await startTestPlatform({ clock: systemClock, ...options });
  // After the database, which would take this process for a browser.
  const sdk = loadSdk();
  const token: Record<string, string> = {};
  const accountId: Record<string, string> = {};
  const password: Record<string, string> = {};
  for (const name of names) {
    token[name] = (await platform.login(name)).access_token;
    const login = { token: token[name] ?? "" };
    const { id } = (await platform.ask("GET", accountCall.path, login)).body.data as { id: string };
    accountId[name] = id;
    const query = new URLSearchParams({
      accountId: id,
      source: "环信",
      systemName: "hyzh#console",
    });
    const path = `${chatAccountCall.path}?${query.toString()}`;
    const account = (await platform.ask("GET", path, login)).body.data as { password: string };
    password[name] = account.password;
  }
  const open: SdkUser[] = [];
  const call: GroupCast["call"] = async (user, method, given) =>
    (await user.conn[method]?.(given))?.data;
  const typeOf = (done: Promise<unknown>): Promise<unknown> =>
    done.then(
      () => "not refused",
      (error: { type?: unknown }) => error.type,
    );
  const ask: GroupCast["ask"] = async (who, method, path, json) => {
    const { body } = await platform.ask(method, `/dc-im/api${path}`, {
      token: token[who] ?? "",
      ...(json === undefined ? {} : { json }),
    });
    return body.data;
  };
  return {
    platform,
    sdk,
    token,
    accountId,
    async login(name, device) {
      const user = await sdkUser(sdk, platform.origin, {
        name,
        password: password[name] ?? "",
        ...(device === undefined ? {} : { device }),
      });
      open.push(user);
      return user;
    },
    closeAll() {
      for (const user of open.splice(0)) user.close();
    },
    call,
    refused: (user, method, given) => typeOf(call(user, method, given)),
    refusedText: (user, groupId) => typeOf(user.sendText(groupId, "x")),
    async make(owner, members, more = {}) {
      const data = {
        groupname: "消防联络",
        desc: "值班",
        members,
        public: true,
        approval: false,
        allowinvites: true,
        ...more,
      };
      return ((await call(owner, "createGroup", { data })) as { groupid: string }).groupid;
    },
    async members(user, groupId) {
      const rows = (await call(user, "getGroupMembers", { groupId, limit: 50 })) as
        | Record<string, string>[]
        | { members?: Record<string, string>[] };
      const list = Array.isArray(rows) ? rows : (rows.members ?? []);
      return list
        .map((row) => row["owner"] ?? row["admin"] ?? row["member"] ?? row["userId"] ?? "")
        .sort();
    },
    async mirror(who, groupId) {
      const page = await ask(who, "GET", `/groupUsers?groupId=${groupId}`);
      const { records } = (page ?? {}) as { records?: { userName: string }[] };
      return (records ?? []).map((r) => r.userName).sort();
    },
    ask,
  };
}
