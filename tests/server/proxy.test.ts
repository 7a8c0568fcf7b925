/** Behind a trusted proxy, limits apply to clients and accounts, not to the proxy. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nginxPath } from "../support/nginx.ts";
import { attack, getIn, type Proxied, type Sockets, startProxied } from "./proxied.ts";

/** Few people, so that the test takes seconds. tests/torture uses three hundred. */
const PEOPLE = 8;

// A Debian machine has nginx; elsewhere it may be missing.
describe.skipIf(nginxPath === null)("Behind nginx", () => {
  let proxied: Proxied;
  let open: Sockets[] = [];
  beforeAll(async () => {
    proxied = await startProxied(PEOPLE);
  }, 120_000);
  afterAll(async () => {
    for (const sockets of open) sockets.close();
    await proxied.close();
  });

  it("everyone behind one address has three sockets, none is refused, and cookies are Secure", async () => {
    open = await Promise.all(
      Array.from({ length: PEOPLE }, (_, i) =>
        proxied.open(`person${i}`, `person${(i + 1) % PEOPLE}`),
      ),
    );
    for (const name of ["chat_sockets", "signalling_sockets", "quality_sockets"]) {
      expect([name, await proxied.metric(name)]).toEqual([name, PEOPLE]);
    }
    expect(await proxied.metric("websocket_refused_total")).toBe(0);
    const { cookies } = await proxied.login("lina");
    expect(cookies.filter((cookie) => !/; Secure/.test(cookie))).toEqual([]);
  });

  it("a hundred wrong passwords for one name affect nobody else, and its owner logs in within 30 s", async () => {
    const statuses = await attack(proxied, "zhangwei", 100);
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
    const owner = getIn(proxied, "zhangwei");
    for (const name of ["lina", "wangfang", "person0"]) {
      expect([name, (await proxied.login(name)).status]).toEqual([name, 200]);
    }
    expect(await owner).toBeLessThan(30_000);
    expect(open.flatMap((sockets) => sockets.closed())).toEqual([]);
  });
});
