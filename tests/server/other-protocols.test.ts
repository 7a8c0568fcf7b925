/** Clients that offer another protocol than HTTP/1.1 (docs/server.md#sockets): curl, directly and through nginx. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/server/base/clock.ts";
import { startTestPlatform, type TestPlatform } from "../../src/server/platform.harness.ts";
import { curl, loginOf } from "../support/curl.ts";
import { nginxPath, startNginx } from "../support/nginx.ts";

const BIG = "z".repeat(200_000);
/** Status, version, and how many connections the request opened. */
const OFFER = ["--http2", "-w", "\\n%{http_code} %{http_version} %{num_connects}\\n"] as const;

describe("curl that offers HTTP/2", () => {
  let platform: TestPlatform;
  const dist = mkdtempSync(join(tmpdir(), "dist-"));
  const text = join(dist, "big.txt");
  beforeAll(async () => {
    mkdirSync(join(dist, "assets"));
    for (const file of ["index.html", "assets/main.js", "big.txt"])
      writeFileSync(join(dist, file), BIG);
    platform = await startTestPlatform({
      dist,
      clock: systemClock,
      env: { MEDIA_EMBEDDED: "off" },
    });
  });
  afterAll(async () => {
    await platform.close();
    rmSync(dist, { recursive: true });
  });

  it("gets pages, files and refusals by HTTP/1.1, all on one connection", async () => {
    const { origin } = platform;
    const paths = ["/healthz", "/assets/main.js", "/im/people", "/signalling", "/uaa/api/account"];
    const answers = await curl(
      "-H",
      "accept: text/html",
      ...OFFER,
      ...paths.map((path) => origin + path),
    );
    expect(answers.match(/^\d{3} \S+ \d+$/gm)).toEqual([
      "200 1.1 1",
      "200 1.1 0",
      "200 1.1 0",
      "200 1.1 0",
      "401 1.1 0",
    ]);
    expect(answers.split(BIG)).toHaveLength(4);
  });

  it("makes calls whose body is a form, JSON or a file", async () => {
    const { origin } = platform;
    const login = await curl(...OFFER, ...loginOf("lina"), `${origin}/uaa/login/username`);
    expect(login).toContain("\n200 1.1 1\n");
    const { data } = JSON.parse(login.split("\n")[0] ?? "") as { data: { access_token: string } };
    const as = ["-H", `authorization: Bearer ${data.access_token}`, "-H", "supplier-id: 1"];
    const uploaded = await curl(...OFFER, ...as, "-F", `file=@${text}`, `${origin}/common/upload`);
    expect(uploaded).toContain("\n200 1.1 1\n");
    expect(uploaded).toContain("big.txt");
    const json = ["-H", "content-type: application/json", "-d", "{}"];
    const refused = await curl(...OFFER, ...as, ...json, `${origin}/common/upload`);
    expect(refused).toMatch(/request\.invalid[\s\S]*\n400 1\.1 1\n/);
  });

  // A Debian machine has nginx; elsewhere it may be missing.
  it.skipIf(nginxPath === null)(
    "is answered through an nginx that passes the offer on",
    async () => {
      const proxy = await startNginx(platform.origin);
      try {
        const login = await curl(
          ...OFFER,
          ...loginOf("lina"),
          `${proxy.origin}/uaa/login/username`,
        );
        expect(login).toMatch(/access_token[\s\S]*\n200 1\.1 1\n/);
      } finally {
        await proxy.close();
      }
    },
  );
});
