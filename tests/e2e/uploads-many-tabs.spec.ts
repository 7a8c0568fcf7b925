/** Every tab of a person shows the same of an upload (docs/session.md#uploads). */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { startGateway } from "../support/gateway.ts";
import { queueLargeFile, uploadIn } from "../support/large-file.ts";
import { loggedIn } from "../support/people.ts";

test.use({ serverEnv: { TEST_SERVER: "uploads in many tabs" } });

const TABS = 20;
const MEGABYTES = 10;
const PART = 2 * 1024 * 1024;
const ADDRESSES = /\/common\/upload\/resumable/;
const button = (page: Page) => page.getByRole("button", { name: /^文件上传/ });
/** What the header of each tab says of the uploads, each text once. */
const labels = async (pages: readonly Page[]): Promise<string[]> => {
  const all = await Promise.all(
    pages.map(async (page) =>
      (await button(page).count()) === 0
        ? ""
        : ((await button(page).getAttribute("aria-label")) ?? ""),
    ),
  );
  return [...new Set(all)];
};

test("Twenty tabs show the same share of an upload that stands still, which is what the server has, and then its end", async ({
  browser,
  server,
}) => {
  test.setTimeout(300_000);
  const gateway = await startGateway(server.url);
  const zhang = await loggedIn(browser, gateway.url, "zhangwei", {
    path: "/dashboard",
    tabs: TABS,
  });
  const pages = zhang.pages;
  const first = pages[0]!;
  try {
    expect(pages).toHaveLength(TABS);
    // The creation and two parts of 2 MB pass. Each later attempt is refused, the questions how much is there too.
    gateway.refuse(ADDRESSES, 503, 3);
    await queueLargeFile(first, { key: "large", name: "竣工图.pdf", megabytes: MEGABYTES });
    await expect.poll(() => gateway.refusals(), { timeout: 60_000 }).toBeGreaterThan(1);
    await expect.poll(() => labels(pages)).toEqual(["文件上传: 1 个 · 39%"]);
    const { sent, size } = (await uploadIn(pages.at(-1)!, "large"))!;
    expect([sent, Math.floor((100 * sent) / size)]).toEqual([2 * PART, 39]);
    expect(gateway.passed(ADDRESSES, "PATCH")).toBe(2);

    // Further attempts that get nowhere change the share in no tab.
    const before = gateway.refusals();
    await expect.poll(() => gateway.refusals(), { timeout: 60_000 }).toBeGreaterThan(before + 1);
    await expect.poll(() => labels(pages)).toEqual(["文件上传: 1 个 · 39%"]);

    gateway.refuse(null);
    await expect.poll(() => labels(pages), { timeout: 60_000 }).toEqual(["文件上传: 已完成"]);
    // One connection sent it, each part once.
    expect([gateway.passed(ADDRESSES, "PATCH"), gateway.passed(/resumable$/, "POST")]).toEqual([
      6, 1,
    ]);
  } finally {
    await zhang.close();
    await gateway.close();
  }
});
