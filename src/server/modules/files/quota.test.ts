import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createManualClock } from "../../host.harness.ts";
import { AppError } from "../../../shared/errors.ts";
import { storedFileSpaceCall } from "../../../shared/protocol/rest/stored-files.ts";
import { startTestPlatform } from "../../platform.harness.ts";
import { createUploadQuota, type UploadLimits } from "../../base/storage/quota.ts";

const LIMITS: UploadLimits = { company: 1000, hourly: 600, perAccount: 2, total: 3 };
const setUp = (stored = 0) => {
  const clock = createManualClock();
  const quota = createUploadQuota(clock, LIMITS);
  const admit = async (account: string, size: number, company = "1") => {
    try {
      return await quota.admit({ company, account, size, used: () => Promise.resolve(stored) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return `${error.code} ${String(error.details?.["retryAfter"] ?? "")}`.trim();
    }
  };
  return { clock, admit };
};
const end = (release: string | (() => void)): void => {
  if (typeof release === "string") throw new Error(release);
  release();
  release();
};

it("The quota limits parallel uploads per account and in total", async () => {
  const { admit } = setUp();
  const first = await admit("a", 10);
  await admit("a", 10);
  expect(await admit("a", 10)).toBe("request.rate-limited 5");
  await admit("b", 10);
  expect(await admit("c", 10)).toBe("request.rate-limited 5");
  end(first);
  end(await admit("c", 10));
});

it("The quota limits the bytes of an account within an hour, and they expire evenly", async () => {
  const { clock, admit } = setUp();
  end(await admit("a", 600));
  expect(await admit("a", 150)).toBe("request.rate-limited 900");
  end(await admit("b", 150));
  clock.advance(900_000);
  end(await admit("a", 150));
  expect(await admit("a", 601)).toMatch(/^request.rate-limited/);
});

it("The quota limits the space of a company, including running uploads", async () => {
  const { admit } = setUp(700);
  const first = await admit("a", 200);
  const [second, third] = await Promise.all([admit("b", 200), admit("c", 100)]);
  expect([second, typeof third]).toEqual(["file.quota", "function"]);
  end(first);
  end(await admit("b", 200));
  expect(typeof (await admit("a", 300, "2"))).toBe("function");
});

it("An upload over the company's space is refused, and deleting a file frees its space", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "quota-"));
  const platform = await startTestPlatform({
    env: { UPLOAD_COMPANY_MB: "1", DATA_DIR: dataDir },
  });
  try {
    const { access_token: token } = await platform.login("admin");
    const headers = { authorization: `Bearer ${token}`, "supplier-id": "1" };
    const upload = async (bytes: number) => {
      const form = new FormData();
      form.append("file", new Blob(["甲".repeat(bytes / 3)]), "a.txt");
      const answer = await fetch(`${platform.origin}/common/upload`, {
        method: "POST",
        headers,
        body: form,
      });
      const body = (await answer.json()) as { error?: string; fileName?: string };
      return { status: answer.status, error: body.error, fileName: body.fileName ?? "" };
    };
    const first = await upload(600_000);
    expect(first.status).toBe(200);
    expect(await upload(600_000)).toMatchObject({ status: 413, error: "file.quota" });
    await upload(300_000);
    const space = await platform.ask("GET", storedFileSpaceCall.path, { token, supplierId: "1" });
    expect(storedFileSpaceCall.data.parse(space.body.data)).toMatchObject({
      files: 2,
      bytes: 900_000,
      limit: 1024 * 1024,
    });
    const gone = await fetch(
      `${platform.origin}/umc-rbac/common/download?fileName=${first.fileName}&delete=true`,
      { headers },
    );
    await gone.arrayBuffer();
    expect((await upload(600_000)).status).toBe(200);
  } finally {
    await platform.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 60_000);
