import { expect, test } from "vitest";
import { RESUMABLE_FROM } from "../../../../shared/domain/chat-files.ts";
import { createHarness, settle, type Harness } from "../chat.harness.ts";
import { ChatFailure } from "../provider/port.ts";

const context = { tabId: "t", id: "c" };
const fileId = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
const inGroup = async (): Promise<Harness> => {
  const h = createHarness();
  h.server.groups.push({ id: "1001", name: "值班群", members: ["alice", "bob"] });
  await settle();
  return h;
};
const share = (h: Harness, file = new Blob(["内容"])) =>
  h.chat.groups.shareFile({ groupId: "1001", file, name: "a.txt", key: "k" }, context);
const uploads = (h: Harness) => h.store.get("chat").uploads;

test("The files of a group come with the names of those who shared them", async () => {
  const h = await inGroup();
  const file = { id: fileId, name: "a.txt", owner: "bob", size: 6, at: 1 };
  h.server.groupFiles.push(file);
  await h.chat.groups.files({ groupId: "1001" }, context);
  await settle();
  expect(await h.chat.groups.files({ groupId: "1001" }, context)).toEqual([
    { ...file, ownerName: "名字-bob" },
  ]);
});

test("Sharing shows its progress, and afterwards the tabs read the files again", async () => {
  const h = await inGroup();
  const done = share(h);
  await settle();
  expect(uploads(h)).toEqual({ k: 0 });
  h.env.clock.advance(200);
  h.conn().sharing[0]?.onProgress(0.5);
  expect(uploads(h)).toEqual({ k: 0.5 });
  h.conn().sharing[0]?.resolve();
  expect(await done).toBe(true);
  await settle();
  expect(uploads(h)).toEqual({});
  expect(h.store.get("chat").groups["1001"]?.revision).toBe(1);
});

test("A cancelled upload ends without an error; a refused one says why", async () => {
  const h = await inGroup();
  const cancelled = share(h);
  await settle();
  await h.chat.groups.cancelFile({ key: "k" }, context);
  expect(await cancelled).toBe(false);
  expect(uploads(h)).toEqual({});
  const refused = share(h);
  await settle();
  h.conn().sharing[1]?.reject(new ChatFailure(511, "file_quota"));
  await expect(refused).rejects.toMatchObject({ code: "file.quota" });
  const muted = share(h);
  await settle();
  h.conn().sharing[2]?.reject(new ChatFailure(603, "permission denied"));
  await expect(muted).rejects.toMatchObject({ code: "chat.muted" });
  await expect(share(h, new Blob([]))).rejects.toMatchObject({ code: "file.empty" });
  expect(h.conn().sharing).toHaveLength(3);
});

test("A large file goes in parts through an outage, from where it broke off, and is shared once by its id", async () => {
  const h = await inGroup();
  const large = new Blob([new Uint8Array(RESUMABLE_FROM + 1)]);
  const asked: (string | null)[] = [];
  h.server.sendParts = async ({ resume }) => {
    asked.push(await resume.read());
    if (asked.length > 1) return "parts-1";
    await resume.write("http://h/parts-1");
    throw new ChatFailure(16, "the upload broke off");
  };
  const done = share(h, large);
  await settle();
  expect(h.conn().sharing).toHaveLength(0);
  h.env.clock.advance(5_000);
  await settle();
  expect(asked).toEqual([null, "http://h/parts-1"]);
  expect(h.conn().sharing[0]).toMatchObject({ uploaded: "parts-1", name: "a.txt" });
  h.conn().sharing[0]?.resolve();
  expect(await done).toBe(true);
});

test("A large file on a dead connection is sent again when the network is back", async () => {
  const h = await inGroup();
  const asked: AbortSignal[] = [];
  h.server.sendParts = ({ signal }) => {
    asked.push(signal);
    if (asked.length > 1) return Promise.resolve("parts-1");
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new ChatFailure(16, "the upload broke off")));
    });
  };
  const done = share(h, new Blob([new Uint8Array(RESUMABLE_FROM + 1)]));
  await settle();
  h.env.clock.advance(10_000);
  h.env.online.set(true);
  await settle();
  h.env.clock.advance(1_000);
  await settle();
  expect(asked.map(({ aborted }) => aborted)).toEqual([true, false]);
  h.conn().sharing[0]?.resolve();
  expect(await done).toBe(true);
});

test("A large file that is cancelled in an outage is not tried again", async () => {
  const h = await inGroup();
  let asked = 0;
  h.server.sendParts = () => {
    asked += 1;
    return Promise.reject(new ChatFailure(16, "the upload broke off"));
  };
  const done = share(h, new Blob([new Uint8Array(RESUMABLE_FROM + 1)]));
  await settle();
  await h.chat.groups.cancelFile({ key: "k" }, context);
  expect(await done).toBe(false);
  h.env.clock.advance(600_000);
  await settle();
  expect([asked, h.conn().sharing.length]).toEqual([1, 0]);
});

test("A logout ends the uploads, and who may not delete a file learns it", async () => {
  const h = await inGroup();
  h.server.groupAnswer = () => Promise.reject(new ChatFailure(603, "permission denied"));
  await expect(
    h.chat.groups.removeFile({ groupId: "1001", fileId }, context),
  ).rejects.toMatchObject({ code: "chat.group-forbidden" });
  const running = share(h);
  await settle();
  h.user(null);
  expect(await running).toBe(false);
});
