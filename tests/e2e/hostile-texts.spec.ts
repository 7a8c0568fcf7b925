/**
 * Hostile texts (tests/support/hostile.ts) on the screens: none runs, and each is shown as it was written. What the server stores and
 * exports is in tests/server/hostile-texts.test.ts.
 */
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { build } from "vite";
import { BULLETIN_LINKS, BULLETIN_TAGS } from "../../src/shared/domain/bulletins.ts";
import { unfitSign } from "../../src/shared/domain/text-marks.ts";
import { openChat } from "../support/calls.ts";
import { bubbles } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { EVIL, HOSTILE, hostileUpTo, HOSTILE_NAMES, MARKUP } from "../support/hostile.ts";
import { PASSWORD } from "../support/people.ts";
import { restLogin } from "../support/rest-login.ts";

// Other tests count employees and find no bulletins.
test.use({ serverEnv: { TEST_SERVER: "hostile texts" } });

const root = join(import.meta.dirname, "../..");
/** Most texts of one field that the screens show, so that the test stays short; the server's test writes all of them. */
const SOME = 10;
const some = (length: number): string[] => {
  const all = [...new Set(hostileUpTo(length).map((text) => text.trim()))];
  const step = Math.ceil(all.length / SOME);
  return all.filter((_, i) => i % step === 0);
};

/** What a text did: it ran, opened a dialog, asked its host, or led the page elsewhere. */
async function watch(context: BrowserContext, url: string): Promise<string[]> {
  const done: string[] = [];
  await context.exposeFunction("hostileRan", (what: string) => void done.push(`ran: ${what}`));
  await context.addInitScript(() => {
    const at = globalThis as unknown as { hostileRan(what: string): void };
    Object.defineProperty(globalThis, "ran", {
      set() {
        at.hostileRan(location.pathname);
      },
    });
  });
  context.on("request", (request) => {
    if (new URL(request.url()).hostname.endsWith(EVIL)) done.push(`asked: ${request.url()}`);
  });
  context.on("dialog", (dialog) => {
    done.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("page", (page) =>
    page.on("framenavigated", (frame) => {
      const isOwn = frame.url().startsWith(url) || frame.url() === "about:blank";
      if (!isOwn || frame.parentFrame() !== null) done.push(`led to: ${frame.url()}`);
    }),
  );
  return done;
}

/** Elements and attributes that the console does not have by itself. */
const foreign = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("body *, body")]
      .filter(
        (one) =>
          /^(script|iframe|object|embed|base|meta|link|marquee|math|isindex|xmp)$/i.test(
            one.tagName,
          ) ||
          [...one.attributes].some(({ name }) => /^on|^srcdoc$|^(form)?action$|^xlink:/.test(name)),
      )
      .map((one) => one.outerHTML.slice(0, 80)),
  );

test("No hostile text runs on any screen, and each is shown as it was written", async ({
  people,
  server,
}) => {
  const { grant } = await restLogin(server.url, "admin", PASSWORD);
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${grant.access_token}`,
        "supplier-id": "1",
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
    expect([path, body, answer.status]).toEqual([path, body, 200]);
    return ((await answer.json()) as { data: unknown }).data;
  };
  const texts = [...new Set(HOSTILE.map((text) => text.trim()))];
  expect(texts.length, "cases").toBeGreaterThanOrEqual(60);
  const departments: { id: string }[] = [];
  for (const name of some(100).filter((text) => !text.includes("/"))) {
    departments.push((await post("/system/dept", { parentId: null, name })) as { id: string });
  }
  // Control characters are refused in every text of an employee, line breaks and direction marks in names.
  const fit = texts.filter((text) => unfitSign(text, false) === null);
  await post(
    "/scm-supplier/api/sec/employees",
    fit.map((text, i) => ({
      name: text.length <= 50 && unfitSign(text, true) === null ? text : `人${i}`,
      position: text,
      departmentId: departments[i % departments.length]?.id,
      remark: text,
    })),
  );
  for (const name of some(50)) await post("/system/role", { name, remark: name });
  for (const [i, text] of some(100).entries()) {
    await post("/umc-rbac/api/dict/data", {
      dictType: `hostile_${i}`,
      dictName: text,
      dictLabel: text,
      dictValue: text,
      remark: text,
    });
    await post("/system/config", {
      configKey: `hostile.${i}`,
      configName: text,
      configValue: text,
      remark: text,
    });
  }
  for (const label of some(32).slice(0, 8)) {
    await post("/scm-supplier/api/sec/employeeFields", { label, type: "text" });
  }
  for (const groupname of some(64))
    await post("/dc-im/api/group", { groupname, members: ["lina"] });
  // All texts are in the contents of few bulletins.
  for (let i = 0; i < MARKUP.length; i += 40) {
    await post("/system/notice", {
      noticeTitle: texts[i],
      noticeType: "1",
      status: "0",
      noticeContent: `<p>内容 ${i}</p>${texts
        .slice(i, i + 40)
        .map((text) => `<p>${text}</p>`)
        .join("")}`,
    });
  }

  const admin = await people.loggedIn("admin", { path: "/dashboard" });
  const done = await watch(admin.context, server.url);
  const page = await admin.open("/supplier/employees");
  const main = page.locator("#main");
  /** A screen that shows this text literally, and nothing that a text made. */
  const shows = async (path: string, text: string): Promise<void> => {
    await page.goto(path);
    await expect(main.getByText(text, { exact: true }).first()).toBeVisible();
    expect(await foreign(page), path).toEqual([]);
  };

  // Employees are found by a hostile search.
  const search = page
    .getByRole("searchbox")
    .or(page.getByPlaceholder(/搜索|姓名/))
    .first();
  for (const text of ["<script>ran=1</script>", "<svg onload=ran=1>", "=1+1"]) {
    await search.fill(text);
    const row = page.getByRole("row").filter({ hasText: text }).first();
    await expect(row).toBeVisible();
    expect(await foreign(page)).toEqual([]);
  }
  await expect(page.getByRole("row").filter({ hasText: "管理员" })).toHaveCount(0);
  const first = page.getByRole("row").nth(1).getByRole("button").first();
  const name = (await first.textContent()) ?? "";
  expect(texts).toContain(name);
  await first.click();
  const details = page.getByRole("dialog", { name: "员工详情" });
  await expect(details.getByText(name, { exact: true }).first()).toBeVisible();
  expect(await foreign(page)).toEqual([]);

  await shows("/system/dept", some(100).find((text) => !text.includes("/")) ?? "");
  await shows("/system/role", some(50)[0] ?? "");
  await shows("/system/config", some(100)[0] ?? "");
  await shows("/system/dict", some(100)[0] ?? "");
  await shows("/employeeSetfield", some(32)[0] ?? "");
  await shows("/system/notice", texts[0] ?? "");
  await page.goto("/monitor/operlog");
  await expect(page.getByRole("row").nth(5)).toBeVisible();
  expect(await foreign(page), "audit").toEqual([]);

  // Addresses: a search, a path and a redirect that are hostile.
  const hostile = encodeURIComponent("<img src=x onerror=ran=1>");
  for (const path of [
    `/supplier/employees?keyword=${hostile}`,
    `/${hostile}`,
    `/im/people?chat=${hostile}&name=${hostile}`,
    "/login?redirect=javascript:ran=1",
    `/login?redirect=//${EVIL}`,
  ]) {
    await page.goto(path);
    await expect(page.locator("#main, main, h1").first()).toBeVisible();
    expect(await foreign(page), path).toEqual([]);
  }

  expect(done).toEqual([]);

  // Each content of a bulletin, read by another person, to whom texts, files and cards are sent as well.
  const lina = await people.loggedIn("lina", { path: "/dashboard" });
  const doneToLina = await watch(lina.context, server.url);
  const reader = await lina.open("/im/people");
  const [sender] = admin.pages;
  const names = HOSTILE_NAMES.slice(0, 10);
  await openChat(reader, "管理员");
  await sender!.evaluate(async (files) => {
    const { chat } = globalThis.consoleCore.commands;
    const nothing = { thumb: null, width: null, height: null, length: null };
    for (const name of files) {
      const file = new Blob(["x"], { type: "text/html" });
      await chat.sendFile({ chatId: "lina", kind: "file", file, name, ...nothing });
      await chat.sendCard({ chatId: "lina", person: { userName: "lina", name } });
    }
  }, names);
  // The file and the card.
  await expect(reader.getByText(names.at(-1)!, { exact: true })).toHaveCount(2);
  expect(await foreign(reader), "files and cards").toEqual([]);
  const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
  for (let i = 0; i < HOSTILE.length; i += 20) {
    const said = HOSTILE.slice(i, i + 20).join("\n");
    await sender!.evaluate(
      (text) => globalThis.consoleCore.commands.chat.send({ chatId: "lina", text }),
      said,
    );
    await expect.poll(async () => plain((await bubbles(reader)).at(-1) ?? "")).toBe(plain(said));
  }
  expect(await foreign(reader), "chat").toEqual([]);
  for (const link of await reader.locator(".message-bubble a").all()) {
    expect(await link.getAttribute("href")).toMatch(/^(https?:\/\/[^/@]+)?\/(?!\/)/);
  }
  await reader.getByRole("button", { name: /^通知公告，/ }).click();
  await reader.getByRole("dialog", { name: "通知公告" }).press("ArrowDown");
  await reader.keyboard.press("Enter");
  await expect(reader.locator(".rich-text")).toContainText("内容");
  expect(await foreign(reader), "bulletin").toEqual([]);

  expect([...done, ...doneToLina]).toEqual([]);
});

test("The page's sanitiser alone leaves nothing that runs of what does run without it", async ({
  browser,
}) => {
  const entry = join(root, "src/ui/components/rich-text/safe-fragment.ts");
  const [made] = [
    await build({
      configFile: false,
      logLevel: "silent",
      build: { write: false, minify: false, lib: { entry, formats: ["iife"], name: "sanitiser" } },
    }),
  ].flat();
  if (made === undefined || !("output" in made)) throw new Error("nothing was built");
  // A context without the console's policy, so that what runs is stopped by the sanitiser alone.
  const context = await browser.newContext();
  await context.route("**/*", (route) => route.abort());
  const asked: string[] = [];
  context.on("request", (request) => asked.push(request.url()));
  const page = await context.newPage();
  await page.addScriptTag({ content: made.output[0].code });
  const run = (sanitised: boolean): Promise<{ readonly ran: string[]; readonly wrong: string[] }> =>
    page.evaluate(
      async ({ texts, tags, links, clean }) => {
        const { sanitiser } = globalThis as unknown as {
          sanitiser: { safeFragment(html: string): DocumentFragment };
        };
        const ran: string[] = [];
        const wrong: string[] = [];
        let now = "";
        Object.defineProperty(globalThis, "ran", {
          configurable: true,
          set() {
            ran.push(now);
          },
        });
        for (const text of texts) {
          now = text;
          const box = document.createElement("div");
          document.body.replaceChildren(box);
          if (clean) box.append(sanitiser.safeFragment(text));
          else box.innerHTML = text;
          // What the page shows may be parsed once more, as a copied text is.
          if (clean) box.insertAdjacentHTML("beforeend", box.innerHTML);
          for (const one of box.querySelectorAll("*")) {
            const isKnown = [...tags, "a", "img"].includes(one.tagName.toLowerCase());
            const isPlain = [...one.attributes].every(
              ({ name, value }) =>
                name === "alt" ||
                name === "data-file" ||
                (name === "href" && links.some((link) => value.toLowerCase().startsWith(link))),
            );
            if (!isKnown || !isPlain) wrong.push(one.outerHTML);
            one.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
            if (!clean && one instanceof HTMLElement && !one.matches("a, button")) one.click();
          }
          // Its error comes after those of the pictures of the text.
          await new Promise((done) => {
            const last = document.createElement("img");
            last.addEventListener("error", done);
            last.src = "x:";
            box.append(last);
          });
        }
        return { ran: [...new Set(ran)], wrong };
      },
      {
        texts: MARKUP,
        tags: [...BULLETIN_TAGS],
        links: BULLETIN_LINKS.map((name) => `${name}:`),
        clean: sanitised,
      },
    );
  expect(await run(true)).toEqual({ ran: [], wrong: [] });
  expect(asked.filter((url) => url.includes(EVIL))).toEqual([]);
  // The same page runs many of the texts when they are not sanitised, so it would have run what the sanitiser left.
  const bare = await run(false);
  expect(bare.ran.length).toBeGreaterThanOrEqual(15);
  expect(bare.wrong.length).toBeGreaterThanOrEqual(60);
  await context.close();
});
