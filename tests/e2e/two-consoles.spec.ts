/** Two consoles below different paths of one host (docs/server.md#base-path), with servers and data of their own, in one browser. */
import { expect, test } from "@playwright/test";
import { openChat } from "../support/calls.ts";
import { sendText } from "../support/chat.ts";
import { launchOptions } from "../support/chromium.ts";
import { belowPath, documentedNginx, hostApart, replaced } from "../support/documented.ts";
import { type Proxy, startNginx } from "../support/nginx.ts";
import { logIn, person } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";

const PATHS = ["/console", "/second"] as const;
let servers: TestServer[];
let proxy: Proxy;

/** The documented site with a second location beside the first one. */
function withSecond(text: string, upstream: string): string {
  const [block] = /^ {2}location \/console\/ \{[\s\S]*?^ {2}\}\n/m.exec(text) ?? [];
  if (block === undefined) throw new Error("the example has no location");
  const second = replaced(block, "/console/", `${PATHS[1]}/`);
  return replaced(text, block, block + replaced(second, "http://127.0.0.1:8080", upstream));
}

// No authority knows the certificate of a test.
test.use({ launchOptions: launchOptions(["--ignore-certificate-errors"]) });
test.beforeAll(async () => {
  servers = await Promise.all(
    PATHS.map((path) => startServer({ BASE_PATH: path, TRUSTED_PROXIES: "127.0.0.1" })),
  );
  const [first, second] = servers;
  if (first === undefined || second === undefined) throw new Error("a server is missing");
  proxy = await startNginx(
    first.url,
    documentedNginx((text) => withSecond(hostApart(belowPath(text)), second.url)),
  );
});
test.afterAll(async () => {
  await proxy.close();
  for (const server of servers) await server.dispose();
});

test("Two people are logged in side by side, each console keeps its own login, locks and chat, and a logout ends one only", async ({
  browser,
}) => {
  const who = await person(browser, proxy.origin, "zhangwei", undefined, "allow");
  const enter = async (path: string, name: string) => {
    const page = await who.open(`${path}/im/people`);
    await logIn(page, name);
    await expect(page).toHaveURL(`${proxy.origin}${path}/im/people`);
    return page;
  };
  const first = await enter(PATHS[0], "zhangwei");
  const second = await enter(PATHS[1], "lina");
  const live = (page: typeof first) =>
    page.evaluate(() => {
      const { session, chat } = globalThis.consoleCore.state;
      return [session.username, chat.connection];
    });
  await expect.poll(() => live(first)).toEqual(["zhangwei", "open"]);
  await expect.poll(() => live(second)).toEqual(["lina", "open"]);

  await openChat(first, "李娜");
  await sendText(first, "第一个控制台的消息");
  await expect(first.getByText("第一个控制台的消息").last()).toBeVisible();
  await first.reload();
  await second.reload();
  await expect.poll(() => live(first)).toEqual(["zhangwei", "open"]);
  await expect.poll(() => live(second)).toEqual(["lina", "open"]);
  await openChat(second, "张伟");
  await expect(second.getByText("第一个控制台的消息")).toHaveCount(0);

  // Every shared name of the browser begins with the path of its console.
  const names = await first.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    return {
      databases: (await indexedDB.databases()).map(({ name }) => name ?? ""),
      entries: Object.keys(localStorage),
      locks: [...held, ...pending].map(({ name }) => name ?? ""),
    };
  });
  for (const [kind, all] of Object.entries(names)) {
    const apart = all.filter((name) => !PATHS.some((path) => name.startsWith(`${path}:`)));
    expect(apart, kind).toEqual([]);
  }
  expect(names.locks.filter((name) => name.endsWith(":signalling-owner"))).toHaveLength(2);

  await first.evaluate(() => globalThis.consoleCore.commands.session.logout({}));
  await expect(first).toHaveURL(new RegExp(`^${proxy.origin}${PATHS[0]}/login`));
  await second.reload();
  await expect.poll(() => live(second)).toEqual(["lina", "open"]);
  await who.close();
  expect(who.complaints).toEqual([]);
});
