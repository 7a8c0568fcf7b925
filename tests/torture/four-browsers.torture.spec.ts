/**
 * A conference of four browsers, compared with the server's state at every step: picture and sound for each pair, roles,
 * refusals and limits.
 */
import type { Page } from "@playwright/test";
import { observe, type Observer, viewOf } from "../support/conference-observer.ts";
import {
  createConference,
  expectPairs,
  four,
  joinById,
  joined,
  others,
  pairs,
  slice,
} from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";

/** Expects each page to show the server's state. */
async function expectAsServer(
  step: string,
  observer: Observer,
  pages: readonly Page[],
): Promise<Awaited<ReturnType<Observer["view"]>>> {
  await expect
    .poll(
      async () => {
        const server = await observer.view();
        const shown = await Promise.all(
          pages.map(async (page) => {
            const { members, streams, muteAll, attrs } = await slice(page);
            return viewOf(Object.values(members), Object.values(streams), muteAll, attrs);
          }),
        );
        return shown.map((one) => JSON.stringify(one) === JSON.stringify(server));
      },
      { timeout: 20_000, message: `${step}: each browser shows what the server has` },
    )
    .toEqual(pages.map(() => true));
  return observer.view();
}

/** The text with which a command of this page is refused, from the specification or for the person. */
const refusalOf = (page: Page, run: "publish" | "publishScreen"): Promise<string> =>
  page.evaluate(async (what) => {
    const { conference } = globalThis.consoleCore.commands;
    try {
      await conference.publish({ type: what === "publish" ? 0 : 1 });
      return "done";
    } catch (error) {
      const { message, details } = error as { message: string; details?: { text?: string } };
      return details?.text ?? message;
    }
  }, run);

test("Four browsers agree with the server at each step: frames and sound for each pair, refusals, a new admin, a mute", async ({
  people,
  server,
}) => {
  test.setTimeout(240_000);
  const team = await four(people);
  const [a, l, o, z] = [team.admin, team.lina, team.ops, team.zhangwei].map((p) => p.pages[0]!) as [
    Page,
    Page,
    Page,
    Page,
  ];
  const all = [a, l, o, z];
  const names = ["admin", "lina", "ops", "zhangwei"] as const;
  const confrId = await createConference(a, "四方例会");
  expect(confrId).toMatch(/^[1-9]\d{8}$/);
  // The number in the form in which it is read out on the phone.
  const number = await a.locator(".conference-id").innerText();
  const spoken = /\d{3} \d{3} \d{3}/.exec(number)?.[0] ?? "";
  expect(spoken.replaceAll(" ", "")).toBe(confrId);
  for (const page of [l, o, z]) await joinById(page, spoken);
  const observer = await observe(server.url, "zhangwei", confrId);

  for (const [i, page] of all.entries()) {
    const heard = await expectPairs(page, others(names[i]!));
    console.log(
      `      ${names[i]}: ${heard.map((p) => `${p.member} ${p.frames} frames, level ${p.level.toFixed(3)}`).join("; ")}`,
    );
  }
  const entered = await expectAsServer("all are in", observer, all);
  expect(entered.streams.map(([memId]) => memId)).toEqual(["admin", "lina", "ops", "zhangwei"]);

  expect(await refusalOf(l, "publish")).toBe(
    "Audio and video stream has been published. not allow repeat publish.",
  );
  expect(await expectAsServer("a second publish", observer, all)).toEqual(entered);

  await a.getByRole("button", { name: "成员" }).click();
  const act = async (member: string, item: string): Promise<void> => {
    await a.getByRole("button", { name: `对${member}的操作` }).click();
    await a.getByRole("menuitem", { name: item }).click();
  };
  const opsName = (await slice(a)).members["ops"]?.nickName ?? "";
  await act(opsName, "设为观众");
  await expect(o.getByRole("button", { name: "申请发言" })).toBeVisible();
  const down = await expectAsServer("ops is audience", observer, all);
  expect(down.members).toContainEqual(["ops", 1]);
  expect(down.streams.map(([memId]) => memId)).toEqual(["admin", "lina", "zhangwei"]);
  expect(await refusalOf(o, "publish")).toBe("Audience not allow publish");
  expect(await expectAsServer("an audience's publish", observer, all)).toEqual(down);
  // A member who only watches sees and hears the others.
  await expectPairs(o, others("ops"));

  await act(opsName, "设为主持人");
  await expect.poll(async () => (await slice(o)).self?.role).toBe(7);
  const up = await expectAsServer("ops is admin", observer, all);
  expect(up.members.filter(([, role]) => role === 7).map(([memId]) => memId)).toEqual([
    "admin",
    "ops",
  ]);
  expect(await refusalOf(o, "publish")).toBe("done");
  for (const [i, page] of all.entries()) await expectPairs(page, others(names[i]!));

  // The new admin mutes lina: nobody hears her, and she sees the reason when she tries to unmute.
  await o.getByRole("button", { name: "成员" }).click();
  const linasName = (await slice(o)).members["lina"]?.nickName ?? "";
  await o.getByRole("button", { name: `对${linasName}的操作` }).click();
  await o.getByRole("menuitem", { name: "静音该成员" }).click();
  await expect.poll(async () => (await slice(l)).mutedByAdmin).toBe(true);
  const muted = await expectAsServer("lina is muted", observer, all);
  expect(muted.streams.find(([memId]) => memId === "lina")?.[3]).toBe(1);
  await l.evaluate(() =>
    globalThis.consoleCore.commands.conference.setLocal({ audioMuted: false, publish: true }),
  );
  await expect(l.getByText("主持人已将您静音，暂不能打开麦克风；需要发言时请举手")).toBeVisible();
  const quiet = await pairs(z);
  await expect
    .poll(async () => (await pairs(z)).find((p) => p.member === "lina")?.frames)
    .toBeGreaterThan((quiet.find((p) => p.member === "lina")?.frames ?? 0) + 20);
  const packets = (list: typeof quiet): number | undefined =>
    list.find((p) => p.member === "lina")?.audioPackets;
  expect(packets(await pairs(z))).toBe(packets(quiet));
  await o.getByRole("button", { name: `对${linasName}的操作` }).click();
  await o.getByRole("menuitem", { name: "允许该成员发言" }).click();
  await expectPairs(z, others("zhangwei"));
  await expectAsServer("lina may speak", observer, all);
  observer.close();
});

test("A third camera beyond the limit of two is refused with a text, stays off, and is allowed once there is room", async ({
  people,
  server,
}) => {
  test.setTimeout(180_000);
  const team = await four(people);
  const [a, l, o] = [team.admin, team.lina, team.ops].map((p) => p.pages[0]!) as [Page, Page, Page];
  const FULL = "会议的视频路数已满，未能发布画面";
  await a.evaluate(() =>
    globalThis.consoleCore.commands.conference.create({
      type: 10,
      name: "两路视频",
      password: "",
      limits: { maxVideoCount: 2 },
    }),
  );
  await joined(a);
  const confrId = (await slice(a)).info?.confrId ?? "";
  await joinById(l, confrId);
  await expectPairs(a, ["lina"]);
  await joinById(o, confrId);
  const observer = await observe(server.url, "zhangwei", confrId);
  await expect(o.getByText(FULL)).toBeVisible();
  const cameras = (view: Awaited<ReturnType<Observer["view"]>>): string[] =>
    view.streams.filter(([, type, voff]) => type === 0 && voff === 0).map(([memId]) => memId);
  expect(cameras(await expectAsServer("two cameras", observer, [a, l, o]))).toEqual([
    "admin",
    "lina",
  ]);
  await expectPairs(o, ["admin", "lina"]);

  await l.getByRole("button", { name: "关闭摄像头" }).click();
  await expect.poll(async () => cameras(await observer.view())).toEqual(["admin"]);
  await o.getByRole("button", { name: "打开摄像头" }).click();
  await expect.poll(async () => cameras(await observer.view())).toEqual(["admin", "ops"]);
  await expectPairs(a, ["ops"], { sound: false });
  await l.getByRole("button", { name: "打开摄像头" }).click();
  await expect(l.getByText(FULL)).toBeVisible();
  await expect(l.getByRole("button", { name: "打开摄像头" })).toBeVisible();
  expect(cameras(await expectAsServer("still two", observer, [a, l, o]))).toEqual(["admin", "ops"]);
  observer.close();
});
