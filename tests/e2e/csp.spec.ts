/**
 * The pages have a strict content security policy. Only the response of the core worker's script permits its SDK to compile
 * code.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../support/fixtures.ts";

test("Pages have a strict policy, and only the core's script has the exception", async ({
  people,
  server,
}) => {
  const page = await fetch(`${server.url}/login`, { headers: { accept: "text/html" } });
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain("unsafe-eval");
  // The skeleton's style is allowed by its hash, and no other inline style.
  expect(policy).toMatch(/style-src 'self' 'sha256-[\w+/=]+';/);
  expect(policy).not.toContain("unsafe-inline");

  const scripts = new Map<string, string>();
  const who = await people.anonymous("zhangwei");
  who.context.on("response", (response) => {
    if (response.request().resourceType() === "script" || response.url().endsWith(".js")) {
      scripts.set(response.url(), response.headers()["content-security-policy"] ?? "");
    }
  });
  const tab = await who.open("/login");
  await expect(tab.getByRole("button", { name: "登录" })).toBeVisible();
  // A worker's script does not appear in a page's resource list.
  const core = readdirSync(join(import.meta.dirname, "../../dist/assets")).find((name) =>
    /^core-[^/]+\.js$/.test(name),
  );
  expect(core).toBeDefined();
  const own = await fetch(`${server.url}/assets/${core}`);
  expect(own.headers.get("content-security-policy")).toContain("'unsafe-eval'");
  for (const [url, header] of scripts) {
    if (/\/assets\/core-/.test(url)) continue;
    expect(header, url).not.toContain("unsafe-eval");
  }
  expect(who.complaints, "none of our code violates the policy").toEqual([]);
  // The page may not compile code from text. Checked in a timer, because code evaluated by the debugger is exempt.
  const refused = await tab.evaluate(
    () =>
      new Promise<string>((resolve) => {
        setTimeout(() => {
          try {
            resolve(String(Function("return 1")()));
          } catch (error) {
            resolve(error instanceof Error ? error.name : "thrown");
          }
        }, 0);
      }),
  );
  expect(refused).toBe("EvalError");
  people.expectComplaints(/unsafe-eval|policy: script-src refuses eval/);
});
