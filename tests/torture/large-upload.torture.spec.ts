/** A file of 200 MB through a cut network, a killed tab, a killed core and a restarted server: it arrives once, with equal bytes. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { coreId, crash, killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { startGateway } from "../support/gateway.ts";
import {
  countPauses,
  downloaded,
  largeFile,
  queueLargeFile,
  uploadIn,
} from "../support/large-file.ts";
import { loggedIn, PASSWORD } from "../support/people.ts";
import { startRelay } from "../support/relay.ts";
import { callerOf, records } from "../support/rest-caller.ts";
import { restLogin } from "../support/rest-login.ts";

const MEGABYTE = 1024 * 1024;
const MEGABYTES = 200;
const PART = 2 * MEGABYTE;
const ADDRESSES = /\/common\/upload\/resumable/;

const reachOf = (page: Page) => page.evaluate(() => globalThis.consoleCore.state.reach.state);

test("An upload of 200 MB survives a cut network, a killed tab, a killed core and a restarted server, and arrives once", async ({
  browser,
  server,
}) => {
  test.setTimeout(900_000);
  const file = largeFile(MEGABYTES);
  const gateway = await startGateway(server.url);
  // The browser's network. The gateway behind it counts what arrives.
  const network = await startRelay(gateway.url);
  const zhang = await loggedIn(browser, network.url, "zhangwei", { path: "/dashboard", tabs: 3 });
  const [a, b, c] = [zhang.pages[0]!, zhang.pages[1]!, zhang.pages[2]!];
  const sent = async (): Promise<number> => (await uploadIn(c, "large"))?.sent ?? 0;
  const passes = (megabytes: number): Promise<void> =>
    expect.poll(sent, { timeout: 120_000 }).toBeGreaterThan(megabytes * MEGABYTE);
  const pauses = await countPauses(c, "large");
  /** Resolves when it has paused once more than when the function was called. */
  const pausesAfter = async (event: () => unknown, timeout: number): Promise<void> => {
    const before = await pauses();
    await event();
    await expect.poll(pauses, { timeout }).toBeGreaterThan(before);
  };
  try {
    await queueLargeFile(a, { key: "large", name: "竣工图.pdf", megabytes: MEGABYTES });
    await passes(10);
    // The network breaks the connections.
    await pausesAfter(() => network.cut("reset"), 15_000);
    expect(network.broken()).toBeGreaterThan(0);
    await crash(a);
    network.mend();
    await passes(30);
    // Now it says nothing, so that only the limit of a dead connection ends the waiting.
    await pausesAfter(() => network.cut("silent"), 150_000);
    network.mend();
    await passes(45);
    // When a silent network is back, the connection that it silenced is given up at once.
    network.cut("silent");
    const silentFrom = Date.now();
    await expect.poll(() => reachOf(c), { timeout: 60_000 }).toBe("down");
    await expect.poll(() => Date.now() - silentFrom, { timeout: 30_000 }).toBeGreaterThan(15_000);
    const before = await sent();
    network.mend();
    const mendedAt = Date.now();
    await expect.poll(sent, { timeout: 20_000 }).toBeGreaterThan(before + PART);
    console.log(`went on ${Date.now() - mendedAt} ms after a silence`);
    await passes(55);
    await pausesAfter(() => gateway.refuse(ADDRESSES, 503), 30_000);
    gateway.refuse(null);
    await passes(60);
    await b.close();
    const core = await coreId(c);
    await killCore(c);
    await expect.poll(() => coreId(c)).not.toBe(core);
    await passes(100);
    await pausesAfter(() => server.kill("SIGKILL"), 30_000);
    await server.start();
    await expect
      .poll(async () => (await uploadIn(c, "large"))?.state, { timeout: 300_000 })
      .toBe("done");

    const { fileName } = (await uploadIn(c, "large"))!;
    const supplierId = await c.evaluate(
      () => globalThis.consoleCore.state.session.supplierId ?? "",
    );
    const { grant } = await restLogin(server.url, "zhangwei", PASSWORD);
    const whose = { token: grant.access_token, supplierId };
    expect(await downloaded(server.url, fileName ?? "", whose)).toMatchObject(file);
    // Once: one file of the company, under the hash of its content, and nothing of the parts is left.
    const admin = await callerOf(server.url, "admin");
    const listed = await admin("GET", `${restCalls.storedFileList.path}?keyword=竣工图`);
    expect(records(listed)).toMatchObject([{ fileName, size: file.size }]);
    const files = join(server.dataDir, "files");
    expect(existsSync(join(files, file.sha256.slice(0, 2), file.sha256))).toBe(true);
    expect(readdirSync(join(files, "company-parts"))).toEqual([]);
    expect(readdirSync(join(files, "tmp"))).toEqual([]);
    // One creation, and few parts again: also a part into a server that is being killed was passed on.
    expect(gateway.passed(/resumable$/, "POST")).toBe(1);
    const parts = Math.ceil(file.size / PART);
    const requests = gateway.passed(ADDRESSES, "PATCH");
    console.log(`${parts} parts by ${requests} requests; cuts hit ${network.broken()} sockets`);
    expect(requests).toBeLessThanOrEqual(Math.ceil(parts * 1.1));
  } finally {
    await zhang.close();
    await network.close();
    await gateway.close();
  }
});
