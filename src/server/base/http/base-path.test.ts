import { expect, it } from "vitest";
import { createTestApp } from "./app.harness.ts";
import { pageBelow, parseBasePath } from "./base-path.ts";

it.each([
  ["", ""],
  ["/", ""],
  ["/console", "/console"],
  ["/console/", "/console"],
  ["/a-b/c.d_~9", "/a-b/c.d_~9"],
])("BASE_PATH %j is read as %j", (text, path) => expect(parseBasePath(text)).toBe(path));

it.each([
  "console",
  "//",
  "//host",
  "/a//b",
  "/a b",
  "/a?b",
  "/a#b",
  "/..",
  "/a/../b",
  "/%41",
  "/中",
  "https://x/a",
])("BASE_PATH %j is refused", (text) => expect(parseBasePath(text)).toBeNull());

it("The page names its own files below the path, and nothing else changes", () => {
  const page = `<link rel="icon" href="/favicon.svg" /><link crossorigin rel="modulepreload" href="/assets/a.js"><a href="/x">/x</a><style>p{}</style><script type="module" src="/assets/b.js"></script><script src="//other/c.js"></script>`;
  expect(pageBelow(page, "/console")).toBe(
    `<link rel="icon" href="/console/favicon.svg" /><link crossorigin rel="modulepreload" href="/console/assets/a.js"><a href="/x">/x</a><style>p{}</style><script type="module" src="/console/assets/b.js"></script><script src="//other/c.js"></script>`,
  );
  expect(pageBelow(page, "")).toBe(page);
});

it("A page has another tag below another path, so no browser keeps one for the other", async () => {
  const tags = new Set<string | null>();
  for (const basePath of ["", "/a", "/b"]) {
    const web = createTestApp({ basePath });
    const first = await web.app.request("/login", { headers: { accept: "text/html" } });
    const etag = first.headers.get("etag");
    tags.add(etag);
    const headers = { accept: "text/html", "if-none-match": etag ?? "" };
    expect((await web.app.request("/login", { headers })).status).toBe(304);
    web.close();
  }
  expect(tags.size).toBe(3);
});
