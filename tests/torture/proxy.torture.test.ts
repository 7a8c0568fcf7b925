/**
 * Three hundred people behind one proxy and one address. Together they hold more sockets than an address may hold for people who
 * are not logged in.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { UNKNOWN_PER_ADDRESS } from "../../src/server/base/http/upgrade.ts";
import { attack, getIn, type Proxied, type Sockets, startProxied } from "../server/proxied.ts";
import { until } from "../../src/server/host.harness.ts";
import { nginxPath } from "../support/nginx.ts";
import { tortureRandom } from "../support/seed.ts";

const PEOPLE = 300;
/** Number of people who log in at the same time. */
const AT_ONCE = 20;

// A Debian machine has nginx; elsewhere it may be missing.
describe.skipIf(nginxPath === null)("Three hundred people behind one address", () => {
  let proxied: Proxied;
  const open: Sockets[] = [];
  const random = tortureRandom("three hundred behind a proxy");
  beforeAll(async () => {
    proxied = await startProxied(PEOPLE);
  });
  afterAll(async () => {
    for (const sockets of open) sockets.close();
    await proxied.close();
  });

  it("Each person holds three sockets, and none is refused", async () => {
    const waiting = Array.from({ length: PEOPLE }, (_, i) => i).sort(() => random() - 0.5);
    const began = performance.now();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let i = waiting.pop(); i !== undefined; i = waiting.pop()) {
          open.push(await proxied.open(`person${i}`, `person${(i + 1) % PEOPLE}`));
        }
      }),
    );
    console.log(`      ${PEOPLE} people in ${Math.round((performance.now() - began) / 1000)} s`);
    for (const name of ["chat_sockets", "signalling_sockets", "quality_sockets"]) {
      expect([name, await proxied.metric(name)]).toEqual([name, PEOPLE]);
    }
    expect(await proxied.metric("websocket_refused_total")).toBe(0);
  });

  it("Sockets of people who are logged in do not count towards the address's limit", async () => {
    // Together with the people's sockets, this exceeds the limit of the address.
    const more = UNKNOWN_PER_ADDRESS - 3 * PEOPLE + 100;
    const sockets = Array.from(
      { length: more },
      () => new WebSocket(`${proxied.origin.replace("http", "ws")}/signalling`),
    );
    const opened = sockets.map(
      (socket) =>
        new Promise<boolean>((resolve) => {
          socket.once("open", () => resolve(true));
          socket.once("error", () => resolve(false));
        }),
    );
    expect((await Promise.all(opened)).filter((good) => !good)).toEqual([]);
    for (const socket of sockets) socket.terminate();
    await until(
      "they are gone",
      async () => (await proxied.metric("signalling_sockets")) === PEOPLE,
    );
  });

  it("A hundred wrong passwords for one account disturb no other person, and its owner logs in within 30 s", async () => {
    const statuses = await attack(proxied, "person7", 100);
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
    const owner = getIn(proxied, "person7");
    for (let i = 0; i < PEOPLE; i += 10) {
      expect((await proxied.login(`person${i}`)).status).toBe(200);
    }
    const took = await owner;
    console.log(`      the owner logged in after ${Math.round(took)} ms`);
    expect(took).toBeLessThan(30_000);
    expect(open.flatMap((sockets) => sockets.closed())).toEqual([]);
  });
});
