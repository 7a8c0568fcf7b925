/** Pages with static addresses: dictionaries by id, registration and its approval, the profile, logs. */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

// The codes that a person gets by SMS are in the log, because the demo has no provider.
test.use({ serverEnv: { LOG_LEVELS: "sms=info" } });

test("Each dictionary has a page, a tag and crumbs of its own, which a reload keeps; an unknown one says so", async ({
  people,
}) => {
  people.expectComplaints(/404|409/);
  const admin = await people.loggedIn("admin", { path: "/system/dict" });
  const page = admin.pages[0]!;
  const tags = page.getByRole("navigation", { name: "已打开的页面" });
  const crumbs = page.getByRole("navigation", { name: "面包屑" });
  await expect(page.getByRole("row").filter({ hasText: "employee_status" })).toBeVisible();
  await shoot(page, "dict-types");
  await expectAccessible(page, "dictionaries");

  // A new dictionary, by keyboard.
  await tabTo(page, page.getByRole("button", { name: "新增" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "新增字典" });
  await dialog.getByLabel("字典名称").fill("巡检班次");
  await dialog.getByLabel("字典类型").fill("gender");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("该值已被使用")).toBeVisible();
  await dialog.getByLabel("字典类型").fill("patrol_shift");
  await page.keyboard.press("Enter");
  const row = page.getByRole("row").filter({ hasText: "patrol_shift" });
  await row.getByRole("link", { name: "patrol_shift" }).click();
  await expect(page).toHaveURL(/\/dict\/type\/data\/\d+$/);
  const path = new URL(page.url()).pathname;
  await expect(page.getByRole("heading", { name: "字典数据 · 巡检班次" })).toBeVisible();
  await expect(page.getByText("暂无数据")).toBeVisible();

  await page.getByRole("button", { name: "新增" }).click();
  const entry = page.getByRole("dialog", { name: "新增字典数据" });
  await entry.getByLabel("字典标签").fill("早班");
  await entry.getByLabel("字典键值").fill("am");
  await entry.getByLabel("标签样式").click();
  await page.getByRole("option", { name: "success" }).click();
  await entry.getByRole("button", { name: "保存" }).click();
  const tag = page.getByRole("row").filter({ hasText: "早班" }).locator(".dict-tag").first();
  await expect(tag).toHaveAttribute("data-kind", "success");
  await shoot(page, "dict-data");
  await expectAccessible(page, "entries of a dictionary");

  // Another dictionary has its own tag. The names stay over a reload.
  await crumbs.getByRole("link", { name: "字典管理" }).click();
  await page.getByRole("link", { name: "employee_status" }).click();
  await expect(tags.getByRole("link", { name: "员工状态" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "字典数据 · 员工状态" })).toBeVisible();
  await expect(crumbs).toContainText("字典管理");
  await expect(crumbs.locator("[aria-current]")).toHaveText("员工状态");
  await expect(page).toHaveTitle(/^员工状态 - /);
  await tags.getByRole("link", { name: "巡检班次" }).click();
  await expect(page).toHaveURL(path);
  await expect(page.getByRole("row").filter({ hasText: "早班" })).toBeVisible();

  await page.goto("/dict/type/data/999999");
  await expect(page.getByRole("heading", { name: "页面不存在" })).toBeVisible();
  await page.goto("/ai");
  await expect(page.getByRole("heading", { name: "尚未配置 AI 助手" })).toBeVisible();
  await expectAccessible(page, "assistant");
  await page.goto("/dict/type/data/abc");
  await expect(page).toHaveURL("/404");
  for (const [path, name] of [
    ["/401", "没有访问权限"],
    ["/error/401", "没有访问权限"],
    ["/error/404", "页面不存在"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name })).toBeVisible();
    await expect(page).toHaveURL(path);
  }
  await shoot(page, "error-404");
  await expectAccessible(page, "error page");
  await page.getByRole("button", { name: "返回首页" }).click();
  await expect(page).toHaveURL("/dashboard");

  // The entry of the page that is shown keeps its query.
  await page.goto("/im/people?chat=zhangwei");
  const ownEntry = page
    .getByRole("navigation", { name: "主菜单" })
    .getByRole("link", { name: "人员与消息" });
  await ownEntry.click();
  await expect(page).toHaveURL("/im/people?chat=zhangwei");
});

test("A company registers with a code by SMS, waits, and is refused and approved by the platform", async ({
  people,
}) => {
  people.expectComplaints(/400/);
  const anyone = await people.anonymous("newboss");
  const page = await anyone.open("/login");
  // A forgotten password: a mobile that no account has is answered like a wrong code.
  await page.getByRole("link", { name: "忘记密码" }).click();
  await expect(page.getByRole("heading", { name: "重置密码" })).toBeVisible();
  await shoot(page, "reset-password");
  await expectAccessible(page, "reset of a password");
  await page.getByLabel("手机号").fill("13900004321");
  await page.getByRole("button", { name: "获取验证码" }).click();
  // The platform's administrator reads on a page what the demo would have sent, as it comes.
  const admin = await people.loggedIn("admin", { path: "/monitor/smsCodes" });
  const outbox = admin.pages[0]!;
  const codeFor = async (mobile: string): Promise<string> => {
    const row = outbox.getByRole("row").filter({ hasText: mobile }).first();
    await expect(row).toContainText(/验证码是 \d{6}/);
    return /验证码是 (\d{6})/.exec(await row.innerText())?.[1] ?? "";
  };
  await page.getByLabel("短信验证码").fill(await codeFor("13900004321"));
  await page.getByLabel("密码", { exact: true }).fill("Changed2026");
  await page.getByLabel("确认密码").fill("Changed2026");
  await page.keyboard.press("Enter");
  await expect(page.getByText("验证码不正确或已过期")).toBeVisible();
  await page.getByRole("link", { name: "返回登录" }).click();
  await page.getByRole("button", { name: "登录", exact: true }).waitFor();
  await page.getByRole("link", { name: "企业注册" }).click();
  await expect(page.getByRole("heading", { name: "企业注册" })).toBeVisible();
  await page.getByRole("button", { name: "下一步" }).click();
  await expect(page.getByText("请填写企业名称")).toBeVisible();
  await expect(page.getByLabel("企业名称")).toBeFocused();
  await shoot(page, "register");
  await expectAccessible(page, "registration");
  await page.getByLabel("企业名称").fill("新星物业有限公司");
  await page.getByRole("button", { name: "下一步" }).click();
  await page.getByLabel("联系人").fill("赵六");
  await page.getByLabel("手机号").fill("13800001234");
  await page.getByRole("button", { name: "获取验证码" }).click();
  await expect(page.getByRole("button", { name: /秒后重发$/ })).toBeDisabled();
  const code = await codeFor("13800001234");
  await shoot(outbox, "sms-codes");
  await expectAccessible(outbox, "codes by SMS");
  await page.getByLabel("用户名").fill("newboss");
  await page.getByLabel("密码", { exact: true }).fill("Secret2026");
  await page.getByLabel("确认密码").fill("Secret2026");
  await page.getByLabel("短信验证码").fill(code === "000000" ? "000001" : "000000");
  await page.getByRole("button", { name: "提交注册" }).click();
  await expect(page.getByText("验证码不正确或已过期")).toBeVisible();
  await page.getByLabel("短信验证码").fill(code);
  await page.getByRole("button", { name: "提交注册" }).click();
  await expect(page).toHaveURL("/nextPage");
  await expect(page.getByRole("heading", { name: "注册申请已提交" })).toBeVisible();
  await page.getByRole("button", { name: "去登录" }).click();
  await page.getByLabel("用户名").fill("newboss");
  await page.getByLabel("密码", { exact: true }).fill("Secret2026");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  const notice = page.getByRole("status").filter({ hasText: "新星物业有限公司" });
  await expect(notice).toContainText("待审批");
  await shoot(page, "dashboard-pending");
  await expect(
    page.getByRole("navigation", { name: "主菜单" }).getByRole("link", { name: "入驻审批" }),
  ).toHaveCount(0);
  await notice.getByRole("link").click();
  await expect(page.getByText("正在等待平台审批")).toBeVisible();

  const ops = await people.loggedIn("ops", { path: "/monitor/applies" });
  const desk = ops.pages[0]!;
  const row = desk.getByRole("row").filter({ hasText: "新星物业" });
  await row.getByRole("button", { name: /^拒绝/ }).click();
  const dialog = desk.getByRole("dialog");
  await dialog.getByLabel("原因").fill("缺少营业执照");
  await dialog.getByRole("button", { name: "拒绝" }).click();
  await expect(row).toContainText("缺少营业执照");
  await shoot(desk, "applies");
  await expectAccessible(desk, "applications");
  // The applicant's page follows without a reload.
  await expect(page.getByText("缺少营业执照")).toBeVisible();
  await row.getByRole("button", { name: /^通过/ }).click();
  await desk.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(row).toContainText("已通过");
  await expect(row.getByRole("button")).toHaveCount(0);
  await expect(page.getByText("的入驻申请已通过")).toBeVisible();
});

test("A person changes the own name and password and signs out elsewhere; the administrator sees it in the logs", async ({
  people,
}) => {
  people.expectComplaints(/400|401/);
  const lina = await people.loggedIn("lina", { path: "/dashboard" });
  const there = await people.loggedIn("lina", { path: "/dashboard" });
  const [page, other] = [lina.pages[0]!, there.pages[0]!];
  await page.getByRole("button", { name: /^用户菜单/ }).click();
  await page.getByRole("menuitem", { name: "个人中心" }).click();
  await expect(page).toHaveURL("/profile/index");
  await expect(page).toHaveTitle(/^个人中心 - /);
  await expect(page.getByRole("row")).toHaveCount(3);
  await shoot(page, "profile");
  await expectAccessible(page, "profile");
  await page.getByRole("button", { name: "修改资料" }).click();
  const data = page.getByRole("dialog", { name: "修改资料" });
  await data.getByLabel("简介").fill("客服一组");
  await data.getByRole("button", { name: "保存" }).click();
  await expect(page.getByText("客服一组")).toBeVisible();

  await page.getByRole("button", { name: "修改密码" }).click();
  const dialog = page.getByRole("dialog", { name: "修改密码" });
  await dialog.getByLabel("原密码").fill("wrong-one");
  await dialog.getByLabel("新密码", { exact: true }).fill("Changed2026");
  await dialog.getByLabel("确认新密码").fill("Changed2027");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog.getByText("两次输入的密码不一致")).toBeVisible();
  await dialog.getByLabel("确认新密码").fill("Changed2026");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog.getByText("原密码不正确")).toBeVisible();
  await dialog.getByRole("button", { name: "取消" }).click();
  await page.getByRole("button", { name: "放弃" }).click();

  await page.getByRole("button", { name: /^退出登录/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await other.goto("/profile/index");
  await expect(other.getByText(/登录已过期|重新登录/).first()).toBeVisible();

  const admin = await people.loggedIn("admin", { path: "/monitor/logininfor" });
  const desk = admin.pages[0]!;
  await expect(desk.getByRole("row").filter({ hasText: "李娜" }).first()).toContainText("成功");
  await shoot(desk, "sign-ins");
  await expectAccessible(desk, "sign-in log");
  await desk.goto("/monitor/online");
  const login = desk.getByRole("row").filter({ hasText: "李娜" });
  await expect(login).toHaveCount(1);
  await shoot(desk, "online");
  await login.getByRole("button", { name: /^强退/ }).click();
  await desk.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(login).toHaveCount(0);
  await desk.goto("/monitor/operlog");
  const record = desk.getByRole("row").filter({ hasText: "强退" });
  await record.getByRole("button", { name: /^详情/ }).click();
  const drawer = desk.getByRole("dialog", { name: "详情" });
  await expect(drawer).toContainText("lina");
  await expectAccessible(desk, "operation log with a record");
  await shoot(desk, "operlog");
});
