/** Who loses access loses it everywhere at once (docs/server.md#end-of-access): real logins, sockets, companies and database. */
import { afterAll, describe, expect, it } from "vitest";
import { openSocket } from "../../src/server/host.harness.ts";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { ticketPath, ticketResponseSchema } from "../../src/shared/protocol/rest/rtc.ts";
import { END_REASON, OP } from "../../src/shared/protocol/signalling.ts";
import { accessWorld } from "./access-world.ts";

const {
  host,
  open,
  query,
  logIn,
  employeeOf,
  dismiss,
  callBetween,
  meeting,
  expectAlive,
  importBy,
  ask,
  restText,
  textsOf,
  subscribe,
  heardOffline,
  contactsOf,
} = accessWorld();

describe.each([
  ["A dismissal", () => dismiss("lina")],
  [
    "An unbinding",
    async () => {
      const { access_token: token } = await host.login("admin");
      const employeeId = await employeeOf("lina");
      const path = restCalls.employeeGet.path.replace("{id}", employeeId);
      const { body } = await host.ask("GET", path, { token, supplierId: "1" });
      const { version } = restCalls.employeeGet.data.parse(body.data);
      const json = { employeeId, accountId: null, version };
      const bind = restCalls.employeeBindAccount.path;
      expect((await host.ask("PUT", bind, { token, supplierId: "1", json })).status).toBe(200);
    },
  ],
])("%s of a person without another company", (_, lose) => {
  afterAll(() =>
    query(
      "UPDATE employees SET account_id = (SELECT id FROM accounts WHERE username = 'lina') WHERE name = '李娜' AND account_id IS NULL",
    ),
  );

  it("closes all sockets, ends call and conference with a reason for both sides, stops the import, and refuses everything afterwards", async () => {
    const lina = await logIn("lina");
    const wei = await logIn("zhangwei");
    const call = await callBetween(wei, lina);
    const { host: meetingHost, guest } = await meeting(wei, lina);
    const job = await importBy(lina);
    expect((await lina.client.text("1", "zhangwei", "before")).status?.errorCode).toBe(0);
    expect(await contactsOf(wei)).toContain("lina");

    await lose();

    await lina.client.until("the end", () => lina.client.closed !== null);
    expect(lina.client.closed?.code).toBe(4401);
    expect(await call.callee.closed()).toBe(4401);
    expect(await guest.closed()).toBe(4401);
    for (const { quality } of [call.callee, guest]) expect(await quality.closed()).toBe(4401);
    for (const side of [call.caller, call.callee]) {
      expect(await side.waitForFrame({ op: OP.terminate })).toMatchObject({
        endReason: END_REASON.noAccess,
      });
    }
    for (const side of [meetingHost, guest]) {
      expect(await side.waitForFrame({ op: OP.memberExited })).toMatchObject({
        memId: "lina",
        reason: END_REASON.noAccess,
      });
    }
    await expectAlive(meetingHost);
    await expect.poll(job.state).toBe("cancelled");
    expect((await job.chunk(1)).code).toBe("auth.dismissed");
    for (const company of ["1", undefined]) {
      expect(await ask(lina, company)).toMatchObject({
        status: 401,
        body: { error: "auth.dismissed" },
      });
    }
    const seen = textsOf(wei);
    expect((await restText(lina, "zhangwei")).ok).toBe(false);
    expect(await contactsOf(wei)).not.toContain("lina");
    expect((await wei.client.text("2", "lina", "after")).status?.errorCode).not.toBe(0);
    expect(textsOf(wei)).toEqual(seen);
    expect(wei.client.closed).toBeNull();
  });
});

it("A dismissal from one of two companies ends what belongs to it, although the last message was allowed, and touches nothing of the other", async () => {
  const wei = await logIn("zhangwei");
  const [lina, wang] = [await logIn("lina"), await logIn("wangfang")];
  const lost = { call: await callBetween(lina, wei), meeting: await meeting(lina, wei) };
  const kept = {
    call: await callBetween(wang, wei, "2"),
    meeting: await meeting(wang, wei, "2"),
  };
  const job = await importBy(wei);
  for (const one of [lina, wang]) await subscribe(one, "zhangwei");
  expect((await wei.client.text("1", "lina", "before")).status?.errorCode).toBe(0);
  expect((await lina.client.text("2", "zhangwei", "before")).status?.errorCode).toBe(0);

  await dismiss("zhangwei");

  // The next messages, over the sockets of before.
  const seen = textsOf(lina);
  expect((await wei.client.text("3", "lina", "after")).status?.errorCode).not.toBe(0);
  expect((await wei.client.cmd("4", "lina", "sendRing")).status?.errorCode).not.toBe(0);
  expect((await lina.client.text("5", "zhangwei", "after")).status?.errorCode).not.toBe(0);
  expect((await restText(wei, "lina")).ok).toBe(false);
  expect(textsOf(lina)).toEqual(seen);

  expect(await lost.meeting.guest.closed()).toBe(4403);
  expect(await lost.meeting.guest.quality.closed()).toBe(4403);
  expect(await lost.meeting.host.waitForFrame({ op: OP.memberExited })).toMatchObject({
    memId: "zhangwei",
    reason: END_REASON.noAccess,
  });
  for (const side of [lost.call.caller, lost.call.callee]) {
    expect(await side.waitForFrame({ op: OP.terminate })).toMatchObject({
      endReason: END_REASON.noAccess,
    });
  }
  expect(await lost.call.callee.quality.closed()).toBe(4403);
  host.clock.advance(1000);
  expect(await lost.call.callee.closed()).toBe(1000);
  await expect.poll(job.state).toBe("cancelled");
  expect((await job.chunk(1)).status).toBe(403);
  expect((await ask(wei, "1")).status).toBe(403);
  expect(await contactsOf(lina)).not.toContain("zhangwei");

  // The person is still connected, and offline to those who may see the person no more.
  await lina.client.until("the presence", () => heardOffline(lina));
  expect(heardOffline(wang)).toBe(false);

  // The other company.
  for (const socket of [...Object.values(kept.call), ...Object.values(kept.meeting)]) {
    await expectAlive(socket);
  }
  expect(wei.client.closed).toBeNull();
  expect((await wei.client.text("6", "wangfang", "there")).status?.errorCode).toBe(0);
  expect((await ask(wei, "2")).status).toBe(200);
  await wang.client.until("the message", () =>
    wang.client.received.some(({ text }) => text === "there"),
  );
});

it("A dismissed person comes back into no call or conference by a ticket of before", async () => {
  const wei = await logIn("zhangwei");
  const lina = await logIn("lina");
  const tickets = await Promise.all(
    [{ confrType: 13, callee: "lina" }, { confrType: 10 }].map(async (wish) => {
      const response = await fetch(host.origin + ticketPath("easemob"), {
        method: "POST",
        headers: {
          authorization: `Bearer ${wei.token}`,
          "content-type": "application/json",
          "supplier-id": "1",
        },
        body: JSON.stringify({ uid: "zhangwei", ...wish }),
      });
      return ticketResponseSchema.parse(await response.json());
    }),
  );
  await dismiss("zhangwei");
  for (const given of tickets) {
    const socket = await openSocket(host.origin + (given.ticket?.url ?? ""));
    open.push(socket);
    socket.send({ op: OP.enter, tsxId: "e", ticket: given.ticket });
    expect((await socket.waitForFrame({ op: OP.response }))["result"]).not.toBe(0);
  }
  expect(lina.client.closed).toBeNull();
});

it("A device that is signed out loses its sockets and calls, and the person's other device keeps its own", async () => {
  const away = await logIn("lina");
  const here = await logIn("lina");
  const wei = await logIn("zhangwei");
  const call = await callBetween(wei, away);
  const { guest } = await meeting(wei, here);
  const list = await host.ask("GET", restCalls.ownSessions.path, { token: here.token });
  const { records } = list.body.data as { records: { id: string; current: boolean }[] };
  const ownSession = records.find(({ current }) => current)?.id;
  const { rows } = await query(
    `SELECT s.id FROM sessions s JOIN accounts a ON a.id = s.account_id
     WHERE a.username = 'lina' AND s.revoked_at IS NULL AND s.id <> $1 ORDER BY s.created_at DESC, s.id`,
    [ownSession],
  );
  for (const { id = "" } of rows) {
    const path = restCalls.endOwnSession.path.replace("{id}", id);
    const answer = await host.ask(restCalls.endOwnSession.method, path, { token: here.token });
    expect(answer.status).toBe(200);
  }
  await away.client.until("the end", () => away.client.closed !== null);
  expect(away.client.closed?.code).toBe(4401);
  expect(await call.callee.closed()).toBe(4401);
  expect(await call.caller.waitForFrame({ op: OP.terminate })).toMatchObject({
    endReason: END_REASON.noAccess,
  });
  expect((await ask(away, "1")).body.error).toBe("auth.signed-out");
  expect(here.client.closed).toBeNull();
  await expectAlive(guest);
  expect((await here.client.text("1", "zhangwei", "still")).status?.errorCode).toBe(0);
});

it("A disabled account is out of all companies with a reason, until it is enabled again", async () => {
  const wei = await logIn("zhangwei");
  const wang = await logIn("wangfang");
  const call = await callBetween(wang, wei, "2");
  const job = await importBy(wei);
  const { access_token: token } = await host.login("admin");
  const { method, path } = restCalls.accountState;
  const at = path.replace("{id}", await employeeOf("zhangwei"));
  const put = (enabled: boolean) =>
    host.ask(method, at, { token, supplierId: "1", json: { enabled } });
  expect((await wang.client.text("10", "zhangwei", "before")).status?.errorCode).toBe(0);
  expect((await put(false)).status).toBe(200);
  await wei.client.until("the end", () => wei.client.closed !== null);
  expect(wei.client.closed?.code).toBe(4401);
  expect(await call.callee.closed()).toBe(4401);
  expect(await call.caller.waitForFrame({ op: OP.terminate })).toMatchObject({
    endReason: END_REASON.noAccess,
  });
  await expect.poll(job.state).toBe("cancelled");
  for (const company of ["1", "2"]) {
    expect((await ask(wei, company)).body.error).toBe("auth.account-disabled");
  }
  expect((await wang.client.text("1", "zhangwei", "after")).status?.errorCode).not.toBe(0);
  expect((await put(false)).status).toBe(409);
  expect((await put(true)).status).toBe(200);
  expect((await host.tryLogin("zhangwei")).status).toBe(200);
});

it("A role that is taken away stops the import that it allowed, and neither a call nor the chat", async () => {
  const lina = await logIn("lina");
  const wei = await logIn("zhangwei");
  const call = await callBetween(wei, lina);
  const job = await importBy(lina);
  const { rows } = await query(
    `SELECT r.id::text AS "roleId", a.id::text AS "accountId" FROM roles r, accounts a
     WHERE r.code = 'staff' AND r.company_id = 1 AND a.username = 'lina'`,
  );
  const { roleId = "", accountId = "" } = rows[0] ?? {};
  const { access_token: token } = await host.login("admin");
  const { method, path } = restCalls.roleTake;
  const json = { roleId, accountIds: [accountId] };
  expect((await host.ask(method, path, { token, supplierId: "1", json })).status).toBe(200);
  await expect.poll(job.state).toBe("cancelled");
  expect((await job.chunk(1)).status).toBe(403);
  await expectAlive(call.callee);
  expect((await lina.client.text("1", "zhangwei", "still")).status?.errorCode).toBe(0);
  await query("INSERT INTO account_roles (account_id, role_id) VALUES ($1, $2)", [
    accountId,
    roleId,
  ]);
});
