import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "./app.harness.ts";

describe("The app", () => {
  let web: TestApp;
  beforeAll(() => {
    web = createTestApp();
  });
  afterAll(() => web.close());

  describe("Content security policies", () => {
    const policy = async (path: string, host = "console.example:8080") =>
      (
        await web.app.request(`http://${host}${path}`, { headers: { accept: "text/html", host } })
      ).headers.get("content-security-policy") ?? "";
    const directive = (text: string, name: string) =>
      text.split("; ").find((d) => d.startsWith(`${name} `));

    it("are strict on pages and on every answer", async () => {
      for (const path of ["/", "/login", "/assets/index-abc.js", "/api/crash", "/nothing.png"]) {
        const text = await policy(path);
        expect(directive(text, "script-src"), path).toBe("script-src 'self'");
        expect(directive(text, "default-src")).toBe("default-src 'self'");
        expect(directive(text, "frame-ancestors")).toBe("frame-ancestors 'none'");
        expect(directive(text, "object-src")).toBe("object-src 'none'");
        expect(directive(text, "base-uri")).toBe("base-uri 'self'");
        expect(directive(text, "connect-src")).toBe(
          "connect-src 'self' ws://console.example:8080 wss://console.example:8080 " +
            "https://chat.example.com wss://chat.example.com https://rest.example.com wss://rest.example.com",
        );
      }
    });

    it("let only the core's own script compile code, not scripts with a similar name", async () => {
      expect(directive(await policy("/assets/core-B1x_y-9.js"), "script-src")).toBe(
        "script-src 'self' 'unsafe-eval'",
      );
      for (const path of [
        "/assets/score-x.js",
        "/assets/core-x.css",
        "/core-x.js",
        "/assets/core-x.js/y",
      ]) {
        expect(await policy(path), path).not.toContain("unsafe-eval");
      }
    });

    it("let only the workers of effects run WebAssembly, and compile no code from text there", async () => {
      for (const path of ["/assets/effects-background-B1x_y-9.js", "/assets/effects-noise-x.js"]) {
        expect(directive(await policy(path), "script-src"), path).toBe(
          "script-src 'self' 'wasm-unsafe-eval'",
        );
      }
      for (const path of ["/", "/assets/core-x.js", "/assets/side-effects-x.js", "/effects-x.js"]) {
        expect(await policy(path), path).not.toContain("wasm-unsafe-eval");
      }
    });

    it("take no directive from a forged Host header", async () => {
      const answer = await web.app.request("/login", { headers: { host: "x; script-src *" } });
      expect(answer.headers.get("content-security-policy")).not.toContain("script-src *");
    });
  });

  describe("The built console", () => {
    const get = async (path: string, headers: Record<string, string> = { accept: "text/html" }) => {
      const response = await web.app.request(path, { headers });
      return {
        status: response.status,
        cache: response.headers.get("cache-control"),
        type: response.headers.get("content-type"),
        etag: response.headers.get("etag") ?? "",
        text: await response.text(),
      };
    };

    it("serves assets as immutable and the page with no-cache", async () => {
      expect(await get("/assets/index-abc.js", {})).toMatchObject({
        cache: "public, max-age=31536000, immutable",
        type: "text/javascript; charset=utf-8",
        text: "content of assets/index-abc.js",
      });
      const page = await get("/im/people");
      expect(page).toMatchObject({ status: 200, cache: "no-cache", text: "content of index.html" });
      expect((await get("/", { "if-none-match": page.etag })).status).toBe(304);
      expect((await get("/favicon.svg")).cache).toBe("no-cache");
    });

    it("answers the icon for which browsers ask where a document names none", async () => {
      const icon = await get("/favicon.ico");
      expect(icon).toEqual(await get("/favicon.svg"));
      expect(icon).toMatchObject({ status: 200, type: "image/svg+xml" });
    });

    describe("Compressed copies", () => {
      const path = "/assets/packed.js";
      const ask = async (accept: string | undefined) => {
        const response = await web.app.request(path, {
          headers: accept === undefined ? {} : { "accept-encoding": accept },
        });
        return {
          encoding: response.headers.get("content-encoding"),
          vary: response.headers.get("vary"),
          length: response.headers.get("content-length"),
          type: response.headers.get("content-type"),
          etag: response.headers.get("etag"),
          text: await response.text(),
        };
      };
      beforeAll(() => {
        writeFileSync(join(web.dist, "assets/packed.js"), "the plain content");
        writeFileSync(join(web.dist, "assets/packed.js.br"), "brotli");
        writeFileSync(join(web.dist, "assets/packed.js.gz"), "gzipped");
      });

      it.each([
        ["br, gzip", "br", "brotli"],
        ["gzip;q=1.0, br;q=0.5", "br", "brotli"],
        ["gzip, deflate", "gzip", "gzipped"],
        ["br;q=0, *", "gzip", "gzipped"],
        ["BR;Q=1", "br", "brotli"],
        ["identity", null, "the plain content"],
        ["br;q=0, gzip;q=0", null, "the plain content"],
        [undefined, null, "the plain content"],
      ])("The answer to Accept-Encoding %s has encoding %s", async (accept, encoding, text) => {
        expect(await ask(accept)).toMatchObject({
          encoding,
          text,
          vary: "accept-encoding",
          length: String(text.length),
          type: "text/javascript; charset=utf-8",
        });
      });

      it("have their own ETag, which a 304 compares", async () => {
        const etags = await Promise.all(["br", "gzip", "identity"].map((a) => ask(a)));
        expect(new Set(etags.map((one) => one.etag)).size).toBe(3);
        const again = await web.app.request(path, {
          headers: { "accept-encoding": "br", "if-none-match": etags[0]?.etag ?? "" },
        });
        expect([again.status, again.headers.get("vary")]).toEqual([304, "accept-encoding"]);
      });

      it("keep the core's policy, because the script's path selects it", async () => {
        writeFileSync(join(web.dist, "assets/core-B1x_y-9.js.br"), "packed core");
        const core = await web.app.request("/assets/core-B1x_y-9.js", {
          headers: { "accept-encoding": "br" },
        });
        expect(await core.text()).toBe("packed core");
        expect(core.headers.get("content-security-policy")).toContain("'unsafe-eval'");
      });
    });

    it("The page is compressed for each request that takes it, with an ETag of its own", async () => {
      const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (of: Buffer) => of };
      const etags = new Set<string>();
      for (const [encoding, read] of Object.entries(unpack)) {
        const headers = { accept: "text/html", "accept-encoding": encoding };
        const page = await web.app.request("/im/people", { headers });
        const body = Buffer.from(await page.arrayBuffer());
        expect(read(body).toString()).toBe("content of index.html");
        expect(page.headers.get("content-length")).toBe(String(body.length));
        expect(page.headers.get("content-encoding") ?? "identity").toBe(encoding);
        expect(page.headers.get("vary")).toBe("accept-encoding");
        const etag = page.headers.get("etag") ?? "";
        etags.add(etag);
        const known = { ...headers, "if-none-match": etag };
        expect((await web.app.request("/im/people", { headers: known })).status).toBe(304);
        const head = await web.app.request("/im/people", { method: "HEAD", headers });
        expect(head.headers.get("content-length")).toBe(String(body.length));
      }
      expect(etags.size).toBe(3);
    });

    it("The page's policy names its inline styles, and no other policy does", async () => {
      const style = "body{margin:0}";
      writeFileSync(join(web.dist, "index.html"), `<head><style>${style}</style></head>`);
      try {
        const policy = async (path: string) =>
          (await web.app.request(path, { headers: { accept: "text/html" } })).headers.get(
            "content-security-policy",
          ) ?? "";
        const hash = createHash("sha256").update(style).digest("base64");
        for (const path of ["/", "/im/people", "/index.html"]) {
          expect(await policy(path)).toContain(`style-src 'self' 'sha256-${hash}';`);
        }
        expect(await policy("/assets/index-abc.js")).toContain("style-src 'self';");
      } finally {
        writeFileSync(join(web.dist, "index.html"), "content of index.html");
      }
    });

    it("The server serves a build that appears after the start, and the new content of a changed file", async () => {
      writeFileSync(join(web.dist, "late.txt"), "one");
      const first = await get("/late.txt");
      writeFileSync(join(web.dist, "late.txt"), "three");
      expect([first.text, (await get("/late.txt", { "if-none-match": first.etag })).text]).toEqual([
        "one",
        "three",
      ]);
      rmSync(join(web.dist, "late.txt"));
      expect((await get("/late.txt")).status).toBe(404);
      writeFileSync(join(web.dist, "assets/empty.css"), "");
      expect(await get("/assets/empty.css")).toMatchObject({ status: 200, text: "" });
    });

    it("The server follows no symbolic link out of the folder and serves no folder", async () => {
      const outside = mkdtempSync(join(tmpdir(), "outside-"));
      writeFileSync(join(outside, "secret.txt"), "secret");
      symlinkSync(join(outside, "secret.txt"), join(web.dist, "link.txt"));
      symlinkSync(outside, join(web.dist, "linked"));
      for (const path of [
        "/link.txt",
        "/linked/secret.txt",
        "/linked",
        "/assets",
        "/assets/",
        "//assets/index-abc.js",
        "/assets/%00index-abc.js",
        "/assets/..%5c..%5cindex.html",
      ]) {
        expect((await get(path, {})).status, path).toBe(404);
      }
      rmSync(outside, { recursive: true });
    });

    it("The server sends no page for a missing asset, a call or a hidden file", async () => {
      for (const path of [
        "/assets/gone-abc.js",
        "/assets/gone",
        "/gone.png",
        "/.vite/manifest.json",
        "/%2e%2e/%2e%2e/package.json",
        "/assets/..%2f..%2fetc/passwd",
      ]) {
        expect((await get(path)).status, path).toBe(404);
      }
      expect((await get("/im/people", { accept: "application/json" })).status).toBe(404);
      expect((await web.app.request("/login", { method: "POST" })).status).toBe(404);
    });
  });
});
