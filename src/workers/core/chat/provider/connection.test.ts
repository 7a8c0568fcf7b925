import { describe, expect, test } from "vitest";
import { AppError } from "../../../../shared/errors.ts";
import { createFakeEnv } from "../../core.fake.ts";
import { ChatFailure } from "./port.ts";
import { ALICE, createHarness, settle, type Harness } from "../chat.harness.ts";

const status = (h: Harness) => {
  const { connection, statusText } = h.store.get("chat");
  return [connection, statusText];
};
const loggedIn = async (over: Parameters<typeof createHarness>[0] = {}): Promise<Harness> => {
  const h = createHarness(over);
  await settle();
  return h;
};

describe("login", () => {
  test("A login looks up the account, opens the connection with its settings, and updates the slices", async () => {
    const h = await loggedIn({ auto: false });
    expect(status(h)).toEqual(["connecting", "logged-out"]);
    expect(h.conn().login).toEqual({ user: "alice", pwd: "pw" });
    expect(h.conn().options).toMatchObject({
      appKey: "hyzh#console",
      url: "ws://localhost:8080/websocket",
      apiUrl: "http://localhost:8080",
      isHttpDNS: false,
      delivery: true,
      autoReconnectNumMax: 5,
    });
    h.conn().accept();
    await settle();
    expect(status(h)).toEqual(["open", "logged-in"]);
    expect(h.store.get("session").chatUserName).toBe("alice");
    expect(h.chat.commands.me()).toBe("alice");
  });

  test("The device id is the same for every core of this browser", async () => {
    const h = await loggedIn();
    const again = await loggedIn({ env: h.env });
    expect(h.chat.commands.device()).toMatch(/^[\w-]+$/);
    expect(again.chat.commands.device()).toBe(h.chat.commands.device());
    expect(again.conn().options.deviceId).toBe(h.chat.commands.device());
  });

  test("Without a login there is no connection, and a logout closes it and empties the slice", async () => {
    const h = await loggedIn({ user: null });
    expect(h.connections).toHaveLength(0);
    h.user(ALICE);
    await settle();
    await h.chat.handlers.open({ chatId: "bob", name: "Bob" }, { tabId: "t", id: "1" });
    expect(Object.keys(h.store.get("chat").conversations)).toEqual(["bob"]);
    h.user(null);
    await settle();
    expect(h.conn().closed).toBe(true);
    expect(status(h)).toEqual(["closed", "logged-out"]);
    expect(h.store.get("chat").conversations).toEqual({});
    expect(h.store.get("session").chatUserName).toBeNull();
  });

  test("A company switch keeps the connection", async () => {
    const h = await loggedIn();
    h.user({ ...ALICE, supplierId: "s2" });
    await settle();
    expect(h.connections).toHaveLength(1);
    expect(h.conn().closed).toBe(false);
  });

  test("A logout during the login leaves no connection open", async () => {
    const h = await loggedIn({ auto: false });
    h.user(null);
    h.conn().accept();
    await settle();
    expect(h.conn().closed).toBe(true);
    expect(status(h)).toEqual(["closed", "logged-out"]);
  });

  test("A login without an answer is given up after 30 s, and another one starts", async () => {
    const h = await loggedIn({ auto: false });
    h.env.clock.advance(30_000);
    h.env.clock.advance(0);
    await settle();
    expect(h.connections[0]?.closed).toBe(true);
    expect(h.connections).toHaveLength(2);
  });
});

describe("losses", () => {
  test("The SDK's own reconnect keeps the connection object", async () => {
    const h = await loggedIn();
    h.conn().drop();
    expect(status(h)).toEqual(["connecting", "network-disconnected"]);
    h.conn().back();
    expect(status(h)).toEqual(["open", "logged-in"]);
    expect(h.connections).toHaveLength(1);
  });

  test("After the SDK gave up, new connections are tried with growing pauses, and old ones are closed", async () => {
    const h = await loggedIn({ env: createFakeEnv({ random: () => 0.5 }) });
    h.failAccount(new AppError("network.offline"));
    h.conn().giveUp();
    expect(status(h)).toEqual(["waiting", "network-disconnected"]);
    const waits: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) {
      const calls = h.accountCalls();
      let waited = 0;
      while (h.accountCalls() === calls && waited < 60_000) {
        h.env.clock.advance(100);
        waited += 100;
        await settle();
      }
      waits.push(waited);
    }
    expect(waits.slice(0, 6)).toEqual([100, 500, 1700, 3200, 5300, 7500]);
    expect(Math.max(...waits)).toBeLessThanOrEqual(8_000);
    h.failAccount(null);
    h.env.clock.advance(8_000);
    await settle();
    expect(status(h)).toEqual(["open", "logged-in"]);
    expect(h.connections).toHaveLength(2);
    expect(h.connections[0]?.closed).toBe(true);
  });

  test("Events of an old connection are dropped", async () => {
    const h = await loggedIn();
    const old = h.conn();
    old.giveUp();
    h.env.clock.advance(0);
    await settle();
    expect(h.connections).toHaveLength(2);
    old.events.disconnected(null);
    old.events.error(new ChatFailure(206, "other device"));
    expect(status(h)).toEqual(["open", "logged-in"]);
    expect(h.notices).toEqual([]);
  });

  test("An invalid token causes one login at once, and later ones with pauses", async () => {
    const h = await loggedIn();
    h.conn().events.error(new ChatFailure(28, "INVALID_TOKEN"));
    await settle();
    expect(h.connections).toHaveLength(2);
    expect(h.connections[0]?.closed).toBe(true);
    expect(status(h)).toEqual(["open", "logged-in"]);

    const stubborn = await loggedIn({
      auto: false,
      onCreate: (c) => void settle().then(() => c.refuse(new ChatFailure(28, "INVALID_TOKEN"))),
    });
    await settle(200);
    expect(stubborn.connections).toHaveLength(2);
    expect(status(stubborn)).toEqual(["waiting", "network-disconnected"]);
    expect(stubborn.notices).toEqual([]);
  });

  test("After a kick there is one notice, and no login until the person acts", async () => {
    const h = await loggedIn();
    h.conn().events.error(new ChatFailure(217, "kicked"));
    h.conn().events.disconnected(new ChatFailure(217, "kicked"));
    h.env.clock.advance(600_000);
    await settle();
    expect(h.connections).toHaveLength(1);
    expect(h.conn().closed).toBe(true);
    expect(status(h)).toEqual(["closed", "logged-out"]);
    expect(h.notices.map((n) => n.key)).toEqual(["chat.kicked"]);
    await h.send("bob", "again");
    await settle();
    expect(h.connections).toHaveLength(2);
    expect(status(h)).toEqual(["open", "logged-in"]);
  });

  test("Offline, no connection is tried until the browser is online", async () => {
    const h = await loggedIn();
    h.env.online.set(false);
    expect(status(h)).toEqual(["waiting", "network-disconnected"]);
    h.env.clock.advance(600_000);
    await settle();
    expect(h.connections).toHaveLength(1);
    h.env.online.set(true);
    expect(status(h)).toEqual(["connecting", "network-connected"]);
    await settle();
    expect(status(h)).toEqual(["open", "logged-in"]);
    expect(h.connections).toHaveLength(2);
  });

  test.each([
    [0, "", "chat.no-credentials", "请输入账号和密码"],
    [1, "user not found", "chat.user-not-found", "用户名不存在！"],
    [1, "invalid password", "chat.invalid-password", "密码无效！"],
    [1, "user not activated", "chat.user-banned", "用户已被封禁！"],
  ])("A refused account (%i %s) causes one notice with the fixed text", async (...row) => {
    const [type, message, key, text] = row;
    const h = await loggedIn({
      auto: false,
      onCreate: (c) => void settle().then(() => c.refuse(new ChatFailure(type, message))),
    });
    await settle(200);
    expect(h.connections).toHaveLength(2);
    h.env.clock.advance(60_000);
    await settle(200);
    expect(h.connections).toHaveLength(3);
    expect(h.notices.map((n) => [n.key, n.text])).toEqual([[key, text]]);
  });

  test("A refused password causes one question for the account at once, without a notice", async () => {
    let refusals = 0;
    const h = await loggedIn({
      auto: false,
      onCreate: (c) =>
        void settle().then(() => {
          refusals += 1;
          if (refusals === 1) c.refuse(new ChatFailure(1, "invalid password"));
          else c.accept();
        }),
    });
    await settle(200);
    expect(status(h)).toEqual(["open", "logged-in"]);
    expect([h.accountCalls(), h.connections.length, h.notices]).toEqual([2, 2, []]);
  });

  test("An open connection is probed every 20 s", async () => {
    const h = await loggedIn();
    h.env.clock.advance(60_000);
    expect(h.conn().probes).toBe(3);
  });
});

test("A loss is reported as a suspected outage, and a waiting attempt starts at once when the server is back", async () => {
  const h = createHarness();
  await settle();
  h.conn().giveUp();
  h.conn().giveUp();
  await settle();
  const tried = h.connections.length;
  expect(h.suspicions()).toBe(1);
  h.serverBack();
  await settle();
  expect(h.connections.length).toBe(tried + 1);
  expect(h.store.get("chat").connection).toBe("open");
});
