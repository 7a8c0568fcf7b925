/** A tab saves what the core has fetched (docs/session.md#downloads). */
import { expect, test } from "vitest";
import { proxy } from "valtio/vanilla";
import { AppError } from "../../shared/errors.ts";
import type { DownloadEntry } from "../../shared/protocol/state.ts";
import type { CoreClient, CoreState } from "../../core-client/contracts.ts";
import { createFakeClock, settle } from "../../workers/core/core.fake.ts";
import { createDownloads } from "./downloads.ts";

const FILE = { kind: "file", fileName: `${"a".repeat(22)}.pdf` } as const;

const ENTRY: DownloadEntry = {
  name: "报告.pdf",
  received: 0,
  size: null,
  rate: 0,
  state: "running",
  error: null,
  at: 0,
  tabId: "me",
  listed: false,
};

function createTab() {
  const clock = createFakeClock();
  const state = { downloads: proxy<{ byKey: Record<string, DownloadEntry> }>({ byKey: {} }) };
  const connection = proxy({ state: "ready" as CoreState["state"] });
  const now = { visible: true, refuses: false };
  const started: string[] = [];
  const taken: string[] = [];
  const saved: string[] = [];
  const failed: string[] = [];
  let keys = 0;
  const downloads = createDownloads({
    core: {
      tabId: "me",
      state,
      connection,
      commands: {
        downloads: {
          start: ({ key }: { readonly key: string }) => {
            if (now.refuses) return Promise.reject(new AppError("core.deadline"));
            started.push(key);
            return Promise.resolve(null);
          },
          collect: ({ key }: { readonly key: string }) => {
            taken.push(key);
            const has = state.downloads.byKey[key]?.state === "done";
            delete state.downloads.byKey[key];
            return Promise.resolve(has ? new Blob(["x"]) : null);
          },
        },
      },
    } as unknown as CoreClient,
    save: (_, name) => void saved.push(name),
    fail: (error) => void failed.push(AppError.from(error).code),
    newId: () => `k${(keys += 1)}`,
    isVisible: () => now.visible,
    after: clock.after,
  });
  const show = async (key: string, entry: Partial<DownloadEntry>): Promise<void> => {
    state.downloads.byKey[key] = { ...ENTRY, ...entry };
    await settle();
  };
  const connect = async (next: CoreState["state"]): Promise<void> => {
    connection.state = next;
    await settle();
  };
  const save = () => {
    const run = { over: false };
    void downloads.save("报告.pdf", FILE).then(() => {
      run.over = true;
    });
    return run;
  };
  const drop = async (key: string): Promise<void> => {
    delete state.downloads.byKey[key];
    await settle();
  };
  return { now, clock, started, taken, saved, failed, downloads, show, connect, save, drop };
}

test("A file is saved by the tab that began it, once", async () => {
  const tab = createTab();
  const run = tab.save();
  await tab.show("k1", {});
  expect([tab.started, run.over]).toEqual([["k1"], false]);
  await tab.show("k1", { state: "done" });
  expect([tab.saved, tab.taken, run.over]).toEqual([["报告.pdf"], ["k1"], true]);
});

test("The file of a tab that is gone is saved by a visible one, a moment later", async () => {
  const tab = createTab();
  await tab.show("other", { state: "done", tabId: "gone", name: "表.xlsx" });
  tab.clock.advance(1_499);
  await settle();
  expect(tab.taken).toEqual([]);
  tab.clock.advance(1);
  await settle();
  expect(tab.saved).toEqual(["表.xlsx"]);
  await tab.show("next", { state: "done", tabId: "gone" });
  await tab.drop("next");
  tab.clock.advance(1_500);
  await settle();
  expect(tab.taken, "its own tab was faster").toEqual(["other"]);
  tab.now.visible = false;
  await tab.show("hidden", { state: "done", tabId: "gone" });
  tab.clock.advance(1_500);
  await settle();
  expect(tab.taken).toEqual(["other"]);
});

test("A download begins again at the next core, and only once there", async () => {
  const tab = createTab();
  const run = tab.save();
  await tab.show("k1", {});
  await tab.connect("respawning");
  // The new core knows nothing of it.
  await tab.drop("k1");
  await tab.connect("ready");
  expect([tab.started, run.over]).toEqual([["k1", "k1"], false]);
  await tab.show("k1", { state: "done" });
  expect([tab.saved, run.over]).toEqual([["报告.pdf"], true]);
  await tab.connect("respawning");
  await tab.connect("ready");
  expect(tab.started).toHaveLength(2);
});

test("One that somebody ends is over, without a file and without a complaint", async () => {
  const tab = createTab();
  const run = tab.save();
  await tab.show("k1", {});
  await tab.drop("k1");
  expect([run.over, tab.saved, tab.failed]).toEqual([true, [], []]);
});

test("A failure is said once; the file is saved when the person tries again", async () => {
  const tab = createTab();
  const run = tab.save();
  const error = { code: "request.not-found", message: "没有这个文件", retryable: false } as const;
  await tab.show("k1", { state: "failed", error });
  await tab.show("k1", { state: "failed", error, listed: true });
  expect([tab.failed, run.over]).toEqual([["request.not-found"], true]);
  await tab.show("k1", { state: "running" });
  await tab.show("k1", { state: "done" });
  expect(tab.saved).toEqual(["报告.pdf"]);
});

test("What the core does not take is said", async () => {
  const tab = createTab();
  tab.now.refuses = true;
  const run = tab.save();
  await settle();
  expect([tab.failed, run.over]).toEqual([["core.deadline"], true]);
});

test("The end of the page leaves nothing", async () => {
  const tab = createTab();
  const run = tab.save();
  await tab.show("other", { state: "done", tabId: "gone" });
  tab.downloads.dispose();
  await settle();
  expect([run.over, tab.clock.pending]).toEqual([true, 0]);
  await tab.show("k1", { state: "done" });
  expect(tab.taken).toEqual([]);
});
