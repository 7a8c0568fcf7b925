/** A whole platform below a path of its host (docs/server.md#base-path), asked with and without that path. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chatUserSchema } from "../../src/shared/protocol/rest/entities.ts";
import { inviteEmployeeCall } from "../../src/shared/protocol/rest/joining.ts";
import { ticketResponseSchema } from "../../src/shared/protocol/rest/rtc.ts";
import { startTestPlatform, type TestPlatform } from "../../src/server/platform.harness.ts";
import { openSocket } from "../../src/server/host.harness.ts";

const BASE = "/console";
let host: TestPlatform;
let token = "";
const dist = mkdtempSync(join(tmpdir(), "dist-"));
beforeAll(async () => {
  writeFileSync(join(dist, "index.html"), `<script type="module" src="/assets/main.js"></script>`);
  host = await startTestPlatform({ dist, env: { BASE_PATH: BASE, MEDIA_EMBEDDED: "off" } });
  token = (await host.login("admin")).access_token;
});
afterAll(async () => {
  await host.close();
  rmSync(dist, { recursive: true });
});
const as = (json?: unknown) => ({
  token,
  supplierId: "1",
  ...(json === undefined ? {} : { json }),
});

it.each(["/console", "/console/", "/console/im/people?id=1", "/", "/im/people"])(
  "The page at %s loads its scripts below the path, whether or not a proxy took the path away",
  async (path) => {
    const page = await fetch(host.origin + path, { headers: { accept: "text/html" } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(`src="/console/assets/main.js"`);
  },
);

it("Calls are answered with and without the path, and a longer name is another path", async () => {
  for (const path of ["/healthz", "/console/healthz", "/console/console/healthz"]) {
    expect([path, (await fetch(host.origin + path)).status]).toEqual([path, 200]);
  }
  expect((await fetch(`${host.origin}/consoles/healthz`)).status).toBe(404);
});

it("The cookies of a login and their end belong to the path", async () => {
  const login = await host.tryLogin("lina");
  const { access_token } = login.body.data as { access_token: string };
  const logout = await host.ask("POST", "/console/uaa/logout", { token: access_token });
  for (const answer of [login, logout]) {
    const cookies = answer.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/console(;|$)/);
  }
});

it("The link of an invitation leads below the path, and its page finds its style", async () => {
  const { body } = await host.ask("POST", inviteEmployeeCall.path, as({ expiresInHours: 24 }));
  const { link } = inviteEmployeeCall.data.parse(body.data);
  expect(link).toMatch(/^\/console\/invite\/.+/);
  const page = await fetch(host.origin + link, { headers: { accept: "text/html" } });
  const style = /<link rel="stylesheet" href="([^"]+)">/.exec(await page.text())?.[1] ?? "";
  const address = new URL(style, host.origin + link);
  expect(address.pathname).toBe("/console/invite/style.css");
  expect((await fetch(address)).status).toBe(200);
});

it("The page of the calls finds its style, its document and its search below the path", async () => {
  const address = `${host.origin}/console/openapi`;
  const text = await (await fetch(address)).text();
  const found = [
    ...text.matchAll(/(?:<link rel="stylesheet" href|<a href|<form action)="([^#"]+)"/g),
  ];
  expect(found.length).toBeGreaterThanOrEqual(3);
  for (const [, relative = ""] of found) {
    const one = new URL(relative, address);
    expect(one.pathname).toMatch(/^\/console\/openapi/);
    expect((await fetch(one)).status).toBe(200);
  }
});

it("Sockets in tickets and uploads in parts have addresses below the path, and are found there", async () => {
  const account = await host.ask("GET", "/uaa/api/account", as());
  const { id } = account.body.data as { id: string };
  const query = new URLSearchParams({ accountId: id, source: "环信", systemName: "hyzh#console" });
  const path = `/dc-im/api/user/hx/accountId?${query.toString()}`;
  const user = chatUserSchema.parse((await host.ask("GET", path, as())).body.data);
  const asked = await fetch(`${host.origin}/console/easemob/rtc/req/ticket`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "supplier-id": "1",
      "content-type": "application/json",
    },
    body: JSON.stringify({ uid: user.userName, confrType: 13, callee: "lina" }),
  });
  const { ticket } = ticketResponseSchema.parse(await asked.json());
  expect(ticket?.url).toMatch(/^\/console\/signalling/);
  expect(ticket?.qoeUpUrl).toMatch(/^\/console\/quality\?/);
  const signalling = await openSocket(host.origin + (ticket?.url ?? ""));
  signalling.send({ op: 200, tsxId: "e", ticket });
  expect((await signalling.waitForFrame({ op: 1001 }))["result"]).toBe(0);
  signalling.ws.terminate();

  const chat = await fetch(`${host.origin}/console/hyzh/console/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      grant_type: "password",
      username: user.userName,
      password: user.password,
    }),
  });
  const { access_token } = (await chat.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, "tus-resumable": "1.0.0" };
  const created = await fetch(`${host.origin}/console/hyzh/console/chatfiles/resumable`, {
    method: "POST",
    headers: { ...headers, "upload-length": "10" },
  });
  const location = created.headers.get("location") ?? "";
  expect(location).toMatch(/^\/console\/hyzh\/console\/chatfiles\/resumable\/./);
  const head = await fetch(host.origin + location, { method: "HEAD", headers });
  expect(head.headers.get("upload-offset")).toBe("0");
});
