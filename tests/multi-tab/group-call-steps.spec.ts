/**
 * Three people with three tabs each in a group call: each step of the state tables, seen equal in all nine tabs. What a step leads to is computed
 * from the tables (tests/support/group-call-model.ts).
 */
import type { Page } from "@playwright/test";
import { expectPairs } from "../support/conference.ts";
import { crash } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { callOwner, callPeople, chatOpen, choose } from "../support/group-call.ts";
import {
  afterAct,
  type Caller,
  CALLING,
  expectedCall,
  type GroupCallAct,
  NO_CALL,
  viewOfCall,
} from "../support/group-call-model.ts";
import type { Person } from "../support/people.ts";
import { MEDIA_PATIENCE } from "../support/time-limits.ts";

test.use({ serverEnv: { TEST_SERVER: "steps of group calls" } });

/** A window that is narrower than every phone. */
const NARROW = { width: 300, height: 620 };

test("Ring, refuse, ring again, answer, invite, timeout, a killed owner tab, leave, join again and the end are equal in nine tabs", async ({
  people,
}) => {
  test.setTimeout(400_000);
  const opened = await Promise.all(CALLING.map((name) => people.loggedIn(name, { tabs: 3 })));
  const who = Object.fromEntries(opened.map((one) => [one.name, one])) as Record<Caller, Person>;
  const killed = new Set<Page>();
  const tabsOf = (name: Caller): Page[] => who[name].pages.filter((page) => !killed.has(page));
  await chatOpen(opened.flatMap(({ pages }) => pages));
  const owner = (name: Caller): Promise<Page> => callOwner({ ...who[name], pages: tabsOf(name) });
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole("button", { name, exact: true }).click();

  let model = NO_CALL;
  const callIds = new Set<string>();
  /** Does the step, and waits until all tabs show what the tables say. */
  async function step(title: string, what: GroupCallAct, act: () => Promise<unknown>) {
    await act();
    model = afterAct(model, what);
    await expect
      .poll(
        async () => {
          const wrong: unknown[] = [];
          for (const name of CALLING) {
            const views = await Promise.all(tabsOf(name).map(viewOfCall));
            const owners = views.filter(({ owns }) => owns).length;
            if (model.status[name] === "inCall" && owners !== 1) wrong.push({ name, owners });
            for (const [tab, { owns, callId, ...view }] of views.entries()) {
              if (callId !== null) callIds.add(callId);
              const expected = expectedCall(model, name, owns);
              if (JSON.stringify(view) !== JSON.stringify(expected)) {
                wrong.push({ name, tab, view, expected });
              }
            }
          }
          return wrong;
        },
        { message: title, timeout: MEDIA_PATIENCE },
      )
      .toEqual([]);
  }

  await step("ring", { act: "start", by: "zhangwei", people: ["lina"] }, () =>
    callPeople(who.zhangwei.pages[0]!, ["李娜"]),
  );
  await step("refuse", { act: "refuse", by: "lina" }, () => press(who.lina.pages[2]!, "拒绝"));
  await step("ring again", { act: "invite", by: "zhangwei", people: ["lina"] }, async () =>
    press(await owner("zhangwei"), "再次呼叫李娜"),
  );
  await step("answer", { act: "answer", by: "lina" }, () => press(who.lina.pages[1]!, "接听"));
  const invite = async (): Promise<void> => {
    const page = await owner("lina");
    await press(page, "邀请");
    await choose(page, ["管理员"], "呼叫");
  };
  await step("invite", { act: "invite", by: "lina", people: ["admin"] }, invite);
  await step("timeout of one", { act: "timeout", by: "admin" }, async () => undefined);
  await step("invite again", { act: "invite", by: "lina", people: ["admin"] }, async () =>
    press(await owner("lina"), "再次呼叫管理员"),
  );
  await step("answer of the third", { act: "answer", by: "admin" }, () =>
    press(who.admin.pages[0]!, "接听"),
  );
  for (const name of CALLING) {
    await expectPairs(await owner(name), CALLING.filter((one) => one !== name).toSorted());
  }

  await step("kill an owner tab", { act: "lose the owner tab", by: "lina" }, async () => {
    const tab = await owner("lina");
    killed.add(tab);
    await crash(tab);
  });
  await expectPairs(await owner("lina"), ["admin", "zhangwei"]);

  await step("leave", { act: "leave", by: "admin" }, async () =>
    press(await owner("admin"), "挂断"),
  );
  await step("join again", { act: "join", by: "admin" }, () =>
    press(who.admin.pages[1]!, "加入通话"),
  );
  await expectPairs(await owner("admin"), ["lina", "zhangwei"]);

  // Nothing of the window lies beside a narrow screen.
  const page = await owner("admin");
  await page.setViewportSize(NARROW);
  await expect
    .poll(() =>
      page.evaluate(() =>
        [...document.querySelectorAll(".gcall, .gcall-top, .gcall-bar, .gcall-body")].map(
          (part) => part.getBoundingClientRect().right <= innerWidth && part.scrollWidth,
        ),
      ),
    )
    .toEqual([NARROW.width, NARROW.width, NARROW.width, NARROW.width]);

  expect(callIds.size, "one call all the time").toBe(1);
  for (const name of CALLING) {
    await step(`the end of ${name}`, { act: "leave", by: name }, async () =>
      press(await owner(name), "挂断"),
    );
  }
});
