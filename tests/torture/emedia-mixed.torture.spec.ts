/** The unmodified package and this project's library in conferences of the console. */
import {
  CONFERENCE_PAGE,
  createConference,
  expectPairs,
  expectPictures,
  joinById,
  joined,
  memberNames,
} from "../support/conference.ts";
import { expect, test } from "../emedia/fixtures.ts";
import { mediaProcess } from "../support/memory.ts";
import { loggedIn } from "../support/people.ts";

const SHORT_CUT = 3000;
/** From the death of the media process until all have frames and sound again; the fake microphone beeps once a second. */
const BACK_S = 10;
/** More than the grace time of a lost member. */
const LONG_CUT = 25_000;

test("Two clients join a conference of the console: pictures, mute all, a request, kick", async ({
  people,
  sdk,
}) => {
  const admin = await people.loggedIn("admin", { path: CONFERENCE_PAGE });
  const page = admin.pages[0]!;
  const confrId = await createConference(page, "混合会议");
  const lina = await sdk("lina");
  const ops = await sdk("ops");
  for (const client of [lina, ops]) {
    await client.join(confrId);
    await client.publish();
  }
  await expectPictures(page, ["lina", "ops"]);
  await lina.expectMedia("admin");
  await lina.expectMedia("ops");
  await ops.expectMedia("admin");

  await page.getByRole("button", { name: "成员" }).click();
  await page.getByRole("button", { name: "全员静音", exact: true }).click();
  await page.getByText("允许成员自行解除静音").click();
  await page.getByRole("dialog").getByRole("button", { name: "全员静音" }).click();
  await lina.expectEvent("mute all");
  await ops.expectEvent("flags", { member: "lina", voff: 0, aoff: 1 });
  await page.getByRole("button", { name: "解除全员静音" }).click();
  await lina.expectEvent("unmute all");
  await lina.expectMedia("ops");

  await page.getByRole("button", { name: "对lina的操作" }).click();
  await page.getByRole("menuitem", { name: "设为观众" }).click();
  await lina.expectEvent("role", 1);
  await ops.expectEvent("stream gone", { member: "lina", type: 0 });
  await lina.act("request", "Talker");
  await page.getByRole("button", { name: "同意" }).click();
  await lina.expectEvent("role", 3);
  await lina.publish();
  await ops.expectMedia("lina");

  await page.getByRole("button", { name: "对lina的操作" }).click();
  await page.getByRole("menuitem", { name: "移出会议" }).click();
  const session = await lina.page.evaluateHandle(
    (id) => emedia.mgr._services[id]!.current._session,
    confrId,
  );
  await page.getByRole("button", { name: "确定" }).click();
  await lina.expectEvent("exit", { reason: 12 });
  // The package may try to come back until it closes its session, half a second later. The server refuses that session.
  await expect.poll(() => session.evaluate(({ closed }) => closed)).toBe(true);
  await expect
    .poll(async () => ({ console: await memberNames(page), ops: await ops.members() }))
    .toEqual({ console: ["admin", "ops"], ops: ["admin"] });
  expect((await ops.events("joined")).filter((name) => name === "lina")).toHaveLength(1);
});

test("The package, the library and the console see and hear each other in one conference", async ({
  people,
  sdk,
}) => {
  const admin = await people.loggedIn("admin", { path: CONFERENCE_PAGE });
  const page = admin.pages[0]!;
  const confrId = await createConference(page, "三种客户端");
  const lina = await sdk("lina");
  const ops = await sdk("ops", { client: "library" });
  for (const client of [lina, ops]) {
    await client.join(confrId);
    await client.publish();
  }
  const proved = { heard: true, timeout: 30_000 };
  await lina.expectMedia("admin", proved);
  await lina.expectMedia("ops", proved);
  await ops.expectMedia("admin", proved);
  await ops.expectMedia("lina", proved);
  const heard = await expectPairs(page, ["lina", "ops"]);
  expect(heard.map(({ member }) => member)).toEqual(["lina", "ops"]);
  expect([await lina.members(), await ops.members(), await memberNames(page)]).toEqual([
    ["admin", "ops"],
    ["admin", "lina"],
    ["admin", "lina", "ops"],
  ]);
});

test("The console beside a client is cut off for 3 s, and for longer than the server waits", async ({
  browser,
  relay,
  sdk,
}) => {
  const lina = await sdk("lina");
  const confrId = await lina.host();
  const ops = await loggedIn(browser, relay.url, "ops", { path: CONFERENCE_PAGE });
  const page = ops.pages[0]!;
  await joinById(page, confrId);
  await lina.expectMedia("ops");
  await expectPairs(page, ["lina"]);
  const [before] = await lina.received();
  await relay.cutFor(SHORT_CUT);
  await joined(page);
  await lina.expectMedia("ops");
  await expectPairs(page, ["lina"]);
  expect(await lina.events("exited")).toEqual([]);
  await relay.cutFor(LONG_CUT);
  await expect.poll(() => lina.events("joined"), { timeout: 60_000 }).toEqual(["ops", "ops"]);
  await joined(page);
  await lina.expectMedia("ops", { timeout: 60_000 });
  await expectPairs(page, ["lina"]);
  expect(await lina.received()).toMatchObject([{ streamId: before?.streamId }]);
  expect(await lina.members()).toEqual(["ops"]);

  // It leaves and comes back.
  await page.getByRole("button", { name: "离开会议" }).click();
  await expect.poll(() => lina.members()).toEqual([]);
  await joinById(page, confrId);
  await lina.expectMedia("ops");
  await expectPairs(page, ["lina"]);
  await ops.close();
});

test("The console and clients of both libraries see each other again when the media process is killed", async ({
  people,
  sdk,
  server,
}) => {
  const admin = await people.loggedIn("admin", { path: CONFERENCE_PAGE });
  const page = admin.pages[0]!;
  const confrId = await createConference(page, "媒体进程");
  const lina = await sdk("lina");
  const ops = await sdk("ops", { client: "library" });
  for (const client of [lina, ops]) {
    await client.join(confrId);
    await client.publish();
  }
  const allSee = async (): Promise<void> => {
    await Promise.all([
      expectPairs(page, ["lina", "ops"]),
      ...["admin", "ops"].map((name) => lina.expectMedia(name)),
      ...["admin", "lina"].map((name) => ops.expectMedia(name)),
    ]);
  };
  await allSee();
  const dead = mediaProcess(server.pid());
  const at = Date.now();
  process.kill(dead, "SIGKILL");
  await expect.poll(() => mediaProcess(server.pid(), dead)).not.toBe(0);
  await allSee();
  const seconds = (Date.now() - at) / 1000;
  console.log(`      all see and hear each other after ${seconds.toFixed(1)} s`);
  expect(seconds).toBeLessThan(BACK_S);
  expect([...(await lina.events("exit")), ...(await ops.events("exit"))]).toEqual([]);
});
