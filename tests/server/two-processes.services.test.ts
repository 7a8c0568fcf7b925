/** Two server processes on one PostgreSQL and one Redis must act as one platform (docs/server.md#several-processes). */
import { describe, expect, it } from "vitest";
import type { TestServer } from "../support/server.ts";
import { json, twoProcesses } from "./two-processes.ts";

describe("Two server processes", () => {
  const { servers, signIn } = twoProcesses();

  it("share a session, a chat message, a ring, presence and the end of a session", async () => {
    const [a, b] = servers;
    const lina = await signIn(a, "lina");
    const wei = await signIn(b, "zhangwei");
    const asWei = { headers: { authorization: `Bearer ${wei.token}` } };

    // A session of one process is valid at the other.
    const account = await json(await fetch(`${a?.url}/uaa/api/account`, asWei));
    expect(account.data["username"]).toBe("zhangwei");

    // A person online at one process is shown online at the other.
    await expect
      .poll(async () => {
        const contacts = await json(await fetch(`${b?.url}/dc-im/api/friend/hx/page`, asWei));
        const records = contacts.data["records"] as { userName: string; online: boolean }[];
        return records.find((record) => record.userName === "lina")?.online;
      })
      .toBe(true);

    // The status text that a person chose at one process is read at the other.
    const atProvider = async (
      server: typeof a,
      { chatToken }: typeof lina,
      path: string,
      given: object,
    ): Promise<unknown> => {
      const answer = await fetch(`${server?.url}/hyzh/console/users/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${chatToken}` },
        body: JSON.stringify(given),
      });
      return answer.json();
    };
    await atProvider(a, lina, "lina/presence/web/1", { ext: "外出检查" });
    expect(await atProvider(b, wei, "zhangwei/presence", { usernames: ["lina"] })).toMatchObject({
      result: [{ uid: "lina", ext: "外出检查" }],
    });

    expect((await lina.client.text("1", "zhangwei", "在吗")).status?.errorCode).toBe(0);
    await wei.client.until("the message", () => wei.client.received.length === 1);
    expect(wei.client.received[0]).toMatchObject({ from: "lina", text: "在吗" });

    expect((await wei.client.cmd("2", "lina", "sendRing")).status?.errorCode).toBe(0);
    await lina.client.until("the ring", () => lina.client.received.length === 1);
    expect(lina.client.received[0]).toMatchObject({ from: "zhangwei", action: "sendRing" });

    // A change at one process reaches members of the company at the other, but not the login that made it.
    const adminAt = (server: TestServer | undefined) => signIn(server, "admin");
    const [here, there] = [await adminAt(a), await adminAt(b)];
    const asAdmin = {
      authorization: `Bearer ${here.token}`,
      "supplier-id": "1",
      "content-type": "application/json",
    };
    const wang = await signIn(b, "wangfang");
    const saved = await fetch(`${a?.url}/system/config`, {
      method: "POST",
      headers: asAdmin,
      body: JSON.stringify({ configName: "live", configKey: "live.test", configValue: "1" }),
    });
    expect(saved.status).toBe(200);
    await there.client.until("the change", () => there.client.received.length === 1);
    expect(there.client.received[0]).toMatchObject({ from: "@platform", action: "dataChanged" });
    expect([here.client.received.length, wang.client.received.length]).toEqual([0, 0]);

    // A logout at one process closes the socket at the other.
    await fetch(`${b?.url}/uaa/logout`, {
      method: "POST",
      headers: { authorization: `Bearer ${lina.token}` },
    });
    await lina.client.until("the end", () => lina.client.closed !== null);
    expect(lina.client.closed?.code).toBe(4401);
    const ended = await fetch(`${a?.url}/uaa/api/account`, {
      headers: { authorization: `Bearer ${lina.token}` },
    });
    expect(ended.status).toBe(401);
  }, 60_000);
});
