/** Access tokens that end: one refresh for all tabs, and a refused one logs all of them out (console spec §4.1). */
import { expect, test } from "../support/fixtures.ts";

test.use({ serverEnv: { ACCESS_TOKEN_TTL: "15" } });

test("fifty requests over ten tabs after the token's end: one refresh", async ({
  people,
  server,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 10 });
  const first = zhang.pages[0]!;
  const refreshes = () => server.metric("http_requests_total", { route: "/uaa/refreshToken" });
  // the token was made at the login: wait until it has surely ended, by the server's own clock
  const issued = Date.now();
  await expect.poll(() => Date.now() - issued, { timeout: 30_000 }).toBeGreaterThan(16_000);
  const before = await refreshes();
  const totals = await Promise.all(
    zhang.pages.flatMap((page) =>
      Array.from({ length: 5 }, () =>
        page.evaluate(() =>
          globalThis.consoleCore.commands.people.list({ limit: 10 }).then((list) => list.total),
        ),
      ),
    ),
  );
  expect(totals).toHaveLength(50);
  expect(new Set(totals).size).toBe(1);
  expect(totals[0]).toBeGreaterThan(0);
  expect(await refreshes()).toBe(before + 1);
  expect(await first.evaluate(() => globalThis.consoleCore.state.session.status)).toBe(
    "authenticated",
  );
});

test("a refused refresh logs every tab out to /login with the path kept", async ({
  people,
  server,
}) => {
  people.expectComplaints(/status of 401/);
  const zhang = await people.loggedIn("zhangwei", { tabs: 3 });
  // the same session is ended elsewhere: its refresh token is worth nothing
  const cookies = await zhang.context.cookies();
  const token = cookies.find((cookie) => cookie.name === "ACCESS_TOKEN")?.value ?? "";
  const ended = await fetch(`${server.url}/uaa/logout`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });
  expect(ended.status).toBe(200);
  await zhang.pages[0]!.evaluate(() => globalThis.consoleCore.commands.people.list({})).catch(
    () => undefined,
  );
  for (const page of zhang.pages) {
    await expect(page).toHaveURL(/\/login\?redirect=%2Fim%2Fpeople/);
  }
});
