/** 邀请记录: an invitation is made for two people, joined, shown again and revoked while somebody has its form open (docs/server.md#invitations). */
import { readFileSync } from "node:fs";
import { unzipSync } from "fflate";
import { expect, test } from "../support/fixtures.ts";
import { preparedEnv } from "../support/prepared-env.ts";
import { importPageOf } from "../support/import-page.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { readQr, readQrFile } from "../support/qr.ts";
import { startSmsService } from "../support/sms-service.ts";

let sms: Awaited<ReturnType<typeof startSmsService>>;
test.use({
  serverEnv: preparedEnv(async (use) => {
    sms = await startSmsService();
    await use({ SMS_WEBHOOK_URL: sms.url });
    sms.close();
  }),
});

test("An invitation for two gives a department and a role, is listed with who joined, shown again, and revoked under an open form", async ({
  people,
}) => {
  people.expectComplaints(/410/);
  const admin = (await people.loggedIn("admin", { path: "/supplier/employees" })).pages[0]!;
  await admin.getByRole("button", { name: "邀请员工" }).click();
  const dialog = admin.getByRole("dialog", { name: "邀请员工" });
  await dialog.getByLabel("每个链接可用人数").fill("2");
  const post = dialog.getByRole("group", { name: "邀请岗位 1", exact: true });
  await post.locator('[data-field$="departmentId"]').getByRole("combobox").click();
  await admin.keyboard.type("客户服务部");
  await admin.getByRole("option", { name: "客户服务部" }).click();
  await post.getByRole("textbox", { name: "岗位" }).fill("接待");
  await post.locator('[data-field$="roleIds"]').getByRole("combobox").click();
  await admin.getByRole("option", { name: "运维人员" }).click();
  await admin.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "生成链接" }).click();
  await expect(dialog.getByText("每个链接可供 2 人加入。")).toBeVisible();
  const link = await dialog.getByLabel("邀请链接").inputValue();
  await admin.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  // The list is open before anything happens, and follows without a reload: what the page of an invitation changes is announced.
  await admin.goto("/supplier/invitations");
  const row = admin.getByRole("row").filter({ hasText: "客户服务部 · 接待" });
  await expect(row).toContainText("可使用");
  await expect(row).toContainText("0 / 2");
  const use = admin.getByRole("region", { name: "最近 24 小时的短信" });
  await expect(use).toContainText(/本企业链接的验证码\s*0 \/ 500/);
  let loads = 0;
  admin.on("load", () => (loads += 1));

  const guest = await people.anonymous("invited");
  const page = await guest.open(link);
  const mobile = "13700002345";
  await page.getByLabel("姓名").fill("郑接待");
  await page.getByLabel("手机号", { exact: true }).fill(mobile);
  await page.getByRole("button", { name: "获取验证码" }).click();
  await expect.poll(() => sms.codeOf(mobile)).toBeDefined();
  await expect(use, "its code counts").toContainText(/本企业链接的验证码\s*1 \/ 500/);
  await page.getByLabel("短信验证码").fill(sms.codeOf(mobile) ?? "");
  await page.getByLabel("用户名").fill("zhengjiedai");
  await page.getByLabel("密码", { exact: true }).fill("Newteam2026");
  await page.getByLabel("确认密码").fill("Newteam2026");
  await page.locator("button[value=join]").last().click();
  await expect(page.getByText("zhengjiedai")).toBeVisible();

  await expect(row).toContainText("1 / 2");
  await expect(row).toContainText("可使用");
  await expect(row).toContainText("郑接待");
  expect(loads).toBe(0);
  await expect(row).toContainText("运维人员");
  await shoot(admin, "invitations");
  await expectAccessible(admin, "invitations");
  const show = row.getByRole("button", { name: /^查看链接/ });
  await tabTo(admin, show);
  await admin.keyboard.press("Enter");
  const shown = admin.getByRole("dialog", { name: "新员工 · 客户服务部 · 接待" });
  await expect(shown.getByLabel("邀请链接")).toHaveValue(link);
  expect(await readQr(shown.getByRole("img", { name: "邀请二维码" }))).toBe(link);
  await shoot(admin, "invitation-link");
  await admin.keyboard.press("Escape");
  await expect(shown).toHaveCount(0);

  // Somebody has the form open while the company revokes the link.
  const late = await guest.open(link);
  await expect(late.getByLabel("姓名")).toBeVisible();
  await row.getByRole("button", { name: /^撤回/ }).click();
  await admin.getByRole("button", { name: "确定" }).click();
  await expect(row).toContainText("已撤回");
  await late.getByLabel("姓名").fill("迟到");
  await late.getByLabel("手机号", { exact: true }).fill("13700002346");
  await late.getByRole("button", { name: "获取验证码" }).click();
  await expect(late.getByRole("heading", { name: "邀请已撤回" })).toBeVisible();
  await shoot(late, "invite-revoked");
  await expectAccessible(late, "revoked invitation");
});

test("Numbers are invited by SMS: what was not sent is sent again, the number alone can use its link on a phone, and the list shows each state", async ({
  people,
}) => {
  people.expectComplaints(/409|410|429/);
  const [mobile, failing] = ["13700004001", "13700004002"];
  const admin = (await people.loggedIn("admin", { path: "/supplier/invitations" })).pages[0]!;
  await tabTo(admin, admin.getByRole("button", { name: "手机号邀请" }));
  await admin.keyboard.press("Enter");
  const dialog = admin.getByRole("dialog", { name: "手机号邀请" });
  await expect(dialog.getByLabel("手机号", { exact: true })).toBeFocused();
  await admin.keyboard.type(`${mobile} 12345`);
  await dialog.getByRole("textbox", { name: "岗位" }).fill("巡检");
  await dialog.getByRole("button", { name: "发送邀请" }).click();
  await expect(dialog.getByText("第 2 个手机号格式不正确")).toBeVisible();
  await shoot(admin, "invite-by-sms");
  await expectAccessible(admin, "invite by SMS");
  await dialog.getByLabel("手机号", { exact: true }).fill(mobile);
  await tabTo(admin, dialog.getByRole("button", { name: "发送邀请" }));
  await admin.keyboard.press("Enter");
  const results = admin.getByRole("list", { name: "发送结果" });
  await expect(results.getByRole("listitem")).toHaveText([/13700004001\s*短信已发送/]);
  await admin.keyboard.press("Escape");
  await expect(results).toHaveCount(0);
  const row = admin.getByRole("row").filter({ hasText: mobile });
  await expect(row).toContainText("巡检");
  await expect(row).toContainText("短信已发送");

  // The service fails, and works again.
  sms.fails = true;
  await admin.getByRole("button", { name: "手机号邀请" }).click();
  await dialog.getByLabel("手机号", { exact: true }).fill(`${failing}\n${mobile}`);
  await dialog.getByRole("button", { name: "发送邀请" }).click();
  await expect(results.getByRole("listitem")).toHaveText([
    /13700004002\s*短信未发送\s*短信发送失败，请重新发送/,
    /13700004001\s*短信未发送\s*已有未使用的邀请，可在邀请记录中重新发送/,
  ]);
  await shoot(admin, "invite-by-sms-results");
  await admin.keyboard.press("Escape");
  const failed = admin.getByRole("row").filter({ hasText: failing });
  await expect(failed).toContainText("短信发送失败，请重新发送");
  sms.fails = false;
  await failed.getByRole("button", { name: /^发送短信/ }).click();
  await admin.getByRole("button", { name: "确定" }).click();
  await expect(
    admin.getByText("该邀请的短信刚刚发送过，请一分钟后再试").first(),
    "not before a minute has passed",
  ).toBeVisible();

  const guest = await people.anonymous("invited");
  const page = await guest.open(new URL(sms.linkOf(mobile) ?? "").pathname);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByText("仅供手机号 137****4001 使用")).toBeVisible();
  await expect(row, "the list knows at once").toContainText("已打开");
  await page.getByLabel("姓名").fill("钱巡检");
  await page.getByLabel("手机号", { exact: true }).fill(failing);
  await page.getByRole("button", { name: "获取验证码" }).click();
  await expect(page.getByText("请使用收到邀请短信的手机号 137****4001")).toBeVisible();
  await shoot(page, "invite-other-number");
  await expectAccessible(page, "invitation of another number");
  await page.getByLabel("手机号", { exact: true }).fill(mobile);
  await page.getByRole("button", { name: "获取验证码" }).click();
  await expect.poll(() => sms.codeOf(mobile)).toBeDefined();
  await page.getByLabel("短信验证码").fill(sms.codeOf(mobile) ?? "");
  await page.getByLabel("用户名").fill("qianxunjian");
  await page.getByLabel("密码", { exact: true }).fill("Newteam2026");
  await page.getByLabel("确认密码").fill("Newteam2026");
  await page.locator("button[value=join]").last().click();
  await expect(page.getByText("qianxunjian")).toBeVisible();
  await expect(row).toContainText("已用完");
  await expect(row).toContainText("钱巡检");
  await admin.getByRole("button", { name: "切换语言" }).click();
  await expect(failed).toContainText("SMS not sent");
  await shoot(admin, "invitations-english");

  // How many SMS were sent, and the words when the company may send no more.
  const use = admin.getByRole("region", { name: "SMS of the last 24 hours" });
  // an earlier test of this server sent one too
  await expect(use).toContainText(/Codes by the company's links [12] \/ 500/);
  await expect(use).toContainText("The company's invitations 2 / 200");
  const send = (from: number, count: number) =>
    admin.evaluate(
      ([first, many]) =>
        globalThis.consoleCore.commands.rest
          .call({
            call: "invitations.byMobile",
            body: {
              mobiles: Array.from({ length: many }, (_, n) => String(first + n)),
            },
          })
          .then(
            () => "sent",
            (error: Error) => error.message,
          ),
      [from, count] as const,
    );
  for (let n = 0; n < 9; n += 1) expect(await send(13_600_000_000 + 20 * n, 20)).toBe("sent");
  expect(await send(13_600_000_180, 18)).toBe("sent");
  await expect(use).toContainText("The company's invitations 200 / 200");
  await expect(use.getByRole("status")).toContainText(
    "The limit is reached: the company sends no further invitation by SMS",
  );
  expect(await send(13_600_000_198, 1)).toContain("企业每天最多发送 200 条邀请短信，请明天再试");
  await use.getByText("Nearest to a limit, whole platform").click();
  await expect(
    use.getByRole("row").filter({ hasText: "华安物业服务有限公司" }).first(),
  ).toContainText(/200 \/ 200\s*Reached, until/);
  await shoot(admin, "sms-use");
  await expectAccessible(admin, "SMS of the last 24 hours");
});

test("An import that invites shows what became of each invitation, leads to them in the list, exports their links and prints their QR codes", async ({
  people,
  server,
}) => {
  const admin = (await people.loggedIn("admin", { path: "/DataBatchImport/index" })).pages[0]!;
  const imported = importPageOf(admin, server.url);
  await imported.chooseCsv(
    "姓名,联系电话,岗位",
    "孙有号,13700005001,保洁",
    "李无号,,保洁",
    "周已绑,13700005003,保洁",
  );
  await imported.check();
  await imported.send(3);
  // One of them gets an account by an ordinary link.
  const link = await admin.evaluate(() =>
    globalThis.consoleCore.commands.rest
      .call({ call: "employees.invite", body: {} })
      .then((made) => made.link),
  );
  const guest = await people.anonymous("invited");
  const page = await guest.open(link);
  const mobile = "13700005003";
  await page.getByLabel("姓名").fill("周已绑");
  await page.getByLabel("手机号", { exact: true }).fill(mobile);
  await page.getByRole("button", { name: "获取验证码" }).click();
  await expect.poll(() => sms.codeOf(mobile)).toBeDefined();
  await page.getByLabel("短信验证码").fill(sms.codeOf(mobile) ?? "");
  await page.getByLabel("用户名").fill("zhouyibang");
  await page.getByLabel("密码", { exact: true }).fill("Newteam2026");
  await page.getByLabel("确认密码").fill("Newteam2026");
  await page.locator("button[value=join]").last().click();
  await expect(page.getByText("zhouyibang")).toBeVisible();

  await imported.done.getByRole("button", { name: "明细" }).click();
  const details = admin.getByRole("tabpanel", { name: "邀请链接" });
  const of = (name: string) => details.getByRole("row").filter({ hasText: name });
  await expect(of("孙有号")).toContainText("已邀请");
  await expect(of("李无号")).toContainText("没有手机号");
  await expect(of("周已绑")).toContainText("已绑定账号");
  await shoot(admin, "import-invitations");
  await expectAccessible(admin, "invitations of an import");
  await tabTo(admin, details.getByRole("button", { name: "在邀请记录中查看" }));
  await admin.keyboard.press("Enter");
  await expect(admin).toHaveURL(/\/supplier\/invitations/);
  const area = admin.locator('[data-page="/supplier/invitations"]');
  await expect(area.getByRole("row").filter({ hasText: "保洁" })).toHaveCount(3);
  await expect(area.getByText("共 3 个邀请")).toBeVisible();

  const saved = admin.waitForEvent("download");
  await area.getByRole("button", { name: "导出" }).click();
  const file = await saved;
  expect(readFileSync(await file.path()).length).toBeGreaterThan(1000);

  await admin.evaluate(() => {
    globalThis.print = () => undefined;
  });
  await area.getByRole("button", { name: "打印二维码" }).click();
  const dialog = admin.getByRole("dialog", { name: "打印二维码" });
  await dialog.getByRole("combobox", { name: "导入" }).click();
  await admin.getByRole("option", { name: "名单.csv" }).click();
  await expectAccessible(admin, "print QR codes");
  await dialog.getByRole("button", { name: "打印" }).click();
  const sheet = admin.locator(".qr-sheet");
  await admin.emulateMedia({ media: "print" });
  await expect(sheet.getByRole("listitem")).toHaveCount(3);
  await expect(sheet).toContainText("扫码加入华安物业服务有限公司");
  const code = sheet.getByRole("img", { name: /孙有号/ });
  expect(await readQr(code)).toContain("/invite/");
  // A page of A4 is 297 mm high: four rows of codes and the head fit.
  const height = await sheet
    .getByRole("listitem")
    .first()
    .evaluate((item) => item.getBoundingClientRect().height);
  expect(height * 4).toBeLessThan((270 / 25.4) * 96);
  await admin.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(sheet).toHaveCount(0);
  await admin.emulateMedia({ media: "screen" });

  // Two that are chosen in the list, on paper and as pictures.
  for (const name of ["孙有号", "李无号"]) {
    await area.getByRole("row").filter({ hasText: name }).getByRole("checkbox").press("Space");
  }
  await expect(area.getByText("已选 2 条")).toBeVisible();
  const bar = area.locator(".list-page-chosen");
  await shoot(admin, "invitations-chosen");
  await bar.getByRole("button", { name: "打印二维码" }).click();
  await expect(sheet.locator("strong")).toHaveText([/孙有号/, /李无号/]);
  await admin.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(sheet).toHaveCount(0);
  const archived = admin.waitForEvent("download");
  await bar.getByRole("button", { name: "下载二维码" }).click();
  const archive = await archived;
  expect(archive.suggestedFilename()).toBe("邀请二维码.zip");
  const pictures = unzipSync(readFileSync(await archive.path()));
  expect(Object.keys(pictures)).toEqual(["孙有号 · 保洁.png", "李无号 · 保洁.png"]);
  const codes = [];
  for (const png of Object.values(pictures)) codes.push(await readQrFile(admin, png));
  expect(new Set(codes).size).toBe(2);
  for (const text of codes) expect(text).toMatch(/^http:.*\/invite\/1\./);
});
