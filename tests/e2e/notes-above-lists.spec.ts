/** What stands above a list comes together with it, so that the list keeps its place (docs/server.md#sms). */
import { expect, test } from "../support/fixtures.ts";
import { startGateway } from "../support/gateway.ts";
import { loggedIn } from "../support/people.ts";
import { areaOf } from "../support/screen-visit.ts";

const STATE = "/dc-message/api/register/mobile/state";
const URI = "/monitor/smsCodes";

test("The notice of a missing SMS service comes together with the list below it", async ({
  browser,
  server,
}) => {
  const gateway = await startGateway(server.url, { onJson: () => undefined });
  const who = await loggedIn(browser, gateway.url, "admin", { path: "/dashboard" });
  const page = who.pages[0]!;
  gateway.treat((path) => (path.startsWith(STATE) ? "hold" : "pass"));
  await page.goto(URI);
  const area = areaOf(page, URI);
  const heading = area.getByRole("heading", { name: "短信验证码", includeHidden: true });
  const notice = area.getByText("未配置短信服务");
  await expect(heading).toBeAttached();
  // the list is read meanwhile
  await expect(area.getByText("暂无数据")).toBeAttached();
  await expect(area.getByRole("status").filter({ hasText: "加载" })).toBeVisible();
  await expect(heading).toBeHidden();
  await expect(notice).toHaveCount(0);
  gateway.treat((path) =>
    path.startsWith(STATE)
      ? { change: (answer) => ({ ...(answer as object), data: { available: false } }) }
      : "pass",
  );
  await expect(heading).toBeVisible();
  expect(await notice.isVisible(), "the notice is there when the list is").toBe(true);
  await who.close();
  await gateway.close();
});
