import { afterEach, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "./app.harness.ts";
import { mayOpenSocket, parseOrigins } from "./origins.ts";

const FRIEND = "https://app.example.org";

describe("Allowed origins", () => {
  it.each([
    ["", []],
    [" , ", []],
    [FRIEND, [FRIEND]],
    [`${FRIEND}, http://localhost:8443`, [FRIEND, "http://localhost:8443"]],
  ])("read %j", (text, origins) => expect(parseOrigins(text)).toEqual(origins));

  it.each([
    "*",
    "null",
    "app.example.org",
    "https://*.example.org",
    `${FRIEND}/`,
    `${FRIEND}/path`,
    "https://app.example.org:443",
    "https://me@app.example.org",
    "wss://app.example.org",
    `${FRIEND};http://x`,
  ])("refuse %j, which no browser sends as an origin", (text) => {
    expect(parseOrigins(text)).toBeNull();
  });

  it("may open sockets, as may the own origin and programs, and nobody else", () => {
    const may = (origin: string | undefined, allowed: readonly string[] = [FRIEND]): boolean =>
      mayOpenSocket(origin, ["console:8080"], allowed);
    expect([undefined, "http://console:8080", FRIEND].map((origin) => may(origin))).toEqual([
      true,
      true,
      true,
    ]);
    const foreign = [
      "https://evil.example",
      "http://app.example.org",
      `${FRIEND}:444`,
      `${FRIEND}.evil.example`,
      "http://console",
      "null",
      "",
      "*",
    ];
    for (const origin of foreign) expect(may(origin), origin).toBe(false);
    expect(may(FRIEND, [])).toBe(false);
  });

  it("are compared with every host that the client may have called, whether or not it names the usual port", () => {
    const may = (origin: string, ...hosts: string[]): boolean => mayOpenSocket(origin, hosts, []);
    expect(may("https://a.example", "a.example:443")).toBe(true);
    expect(may("http://a.example", "a.example:80")).toBe(true);
    expect(may("https://a.example:8443", "a.example:8443", "a.example")).toBe(true);
    expect(may("https://a.example", "a.example:8443", "a.example")).toBe(true);
    expect(may("https://[::1]:8443", "[::1]:8443")).toBe(true);
    expect(may("http://my_console:8080", "my_console:8080")).toBe(true);
    expect(may("https://a.example", "a.example:80")).toBe(false);
    expect(may("https://a.example:8443", "a.example")).toBe(false);
    expect(may("https://a.example", "x@a.example")).toBe(false);
    expect(may("https://a.example")).toBe(false);
  });
});

describe("Answers to pages of other origins", () => {
  let web: TestApp;
  afterEach(() => web.close());
  const shared = (answer: Response): Record<string, string | null> =>
    Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith("access-control-")));

  const BOTH = [FRIEND, "http://localhost:8443"];
  const EXPOSED = {
    "access-control-expose-headers":
      "retry-after,content-disposition,content-range,x-request-id,location,upload-offset,upload-length",
  };

  it("name the origin that asked, whatever the answer, and let no cookie in", async () => {
    web = createTestApp({ origins: BOTH });
    const wanted: [string, RequestInit, number][] = [
      ["/api/things/1?n=1", { method: "PUT" }, 401],
      ["/api/refuse", {}, 409],
      ["/api/crash", {}, 500],
      ["/api/form", { method: "POST", body: "x".repeat(2 * 1024 * 1024) }, 413],
      ["/assets/index-abc.js", {}, 200],
    ];
    for (const origin of BOTH) {
      for (const [path, init, status] of wanted) {
        const answer = await web.app.request(path, { ...init, headers: { origin } });
        expect([path, answer.status]).toEqual([path, status]);
        expect(shared(answer), path).toEqual({
          "access-control-allow-origin": origin,
          ...EXPOSED,
        });
        expect(answer.headers.get("vary"), path).toContain("Origin");
      }
    }
  });

  it("to a preflight are complete, and reach no route", async () => {
    web = createTestApp({ origins: BOTH });
    const answer = await web.app.request("/api/things/1", {
      method: "OPTIONS",
      headers: {
        origin: FRIEND,
        "access-control-request-method": "DELETE",
        "access-control-request-headers": "content-type,authorization",
      },
    });
    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe("");
    expect(shared(answer)).toEqual({
      "access-control-allow-origin": FRIEND,
      "access-control-allow-methods": "GET,HEAD,POST,PUT,PATCH,DELETE",
      "access-control-allow-headers": "content-type,authorization",
      "access-control-max-age": "600",
      ...EXPOSED,
    });
    expect(answer.headers.get("vary")).toContain("Origin");
  });

  it.each([
    ["another origin", BOTH, "https://evil.example"],
    ["a longer origin", BOTH, `${FRIEND}.evil.example`],
    ["an opaque origin", BOTH, "null"],
    ["any origin when none is configured", [], FRIEND],
  ])("have no CORS headers for %s, preflight or not", async (_, origins, origin) => {
    web = createTestApp({ origins });
    for (const method of ["OPTIONS", "GET", "POST"]) {
      const answer = await web.app.request("/api/refuse", {
        method,
        headers: { origin, "access-control-request-method": "POST" },
      });
      expect(shared(answer)).toEqual({});
      expect(answer.status).not.toBe(204);
    }
  });
});
