import { describe, expect, test } from "vitest";
import { CHAT_FILE_MAX } from "../../../shared/domain/chat-files.ts";
import { createHarness, settle, type FakeUpload, type Harness } from "./chat.harness.ts";
import { ChatFailure } from "./provider/port.ts";

const PLACE = { url: "http://localhost:8080/hyzh/console/chatfiles/u1", secret: "s1" };

const loggedIn = async (over: Parameters<typeof createHarness>[0] = {}): Promise<Harness> => {
  const h = createHarness(over);
  await settle(60);
  return h;
};
/** The storage of a file takes a turn of the event loop in Node, because a Blob is cloned there. */
const settleStorage = async (): Promise<void> => {
  for (let n = 0; n < 3; n += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    await settle(60);
  }
};
const picture = (content = "picture", key = "k1") =>
  ({
    chatId: "bob",
    kind: "img",
    file: new Blob([content], { type: "image/png" }),
    thumb: new Blob(["small"]),
    name: "照片.png",
    width: 640,
    height: 480,
    length: null,
    key,
  }) as const;
const sendFile = async (
  h: Harness,
  input: Parameters<Harness["chat"]["handlers"]["sendFile"]>[0],
) => {
  const { id } = await h.chat.handlers.sendFile(input, { tabId: "t", id: "1" });
  await settleStorage();
  return id;
};
const uploadOf = (h: Harness, at = 0): FakeUpload => {
  const upload = h.conn().uploads[at];
  if (upload === undefined) throw new Error("no upload was begun");
  return upload;
};
const messageOf = (h: Harness, id: string) =>
  h.store.get("chat").conversations["bob"]?.messages[id];
const shareOf = (h: Harness, id: string): number | undefined => h.store.get("chat").uploads[id];
/** What the list of all uploads has of it. */
const listed = (h: Harness, id: string) => h.store.get("uploads").chat[id];
const storedFiles = (h: Harness): string[] =>
  [...h.env.kv.data.keys()].filter((key) => key.startsWith("chat.file."));

describe("Files of messages", () => {
  test("A file is uploaded, with its progress in the slice, and then the message that names it is sent", async () => {
    const h = await loggedIn();
    const id = await sendFile(h, picture());
    const upload = uploadOf(h);
    expect(await upload.file.text()).toBe("picture");
    expect(await upload.thumb?.text()).toBe("small");
    expect(upload).toMatchObject({ to: "bob", name: "照片.png" });
    expect(messageOf(h, id)).toMatchObject({
      type: "img",
      status: "sending",
      file: { name: "照片.png", size: 7, width: 640, height: 480, url: null },
    });
    expect(shareOf(h, id)).toBe(0);
    h.env.clock.advance(200);
    upload.onProgress(0.5);
    expect(shareOf(h, id)).toBe(0.5);
    expect(listed(h, id)).toMatchObject({
      chatId: "bob",
      name: "照片.png",
      size: 7,
      sent: 4,
      state: "running",
    });
    expect(h.conn().flying).toEqual([]);
    upload.resolve(PLACE);
    await settleStorage();
    expect(shareOf(h, id)).toBeUndefined();
    expect(listed(h, id)).toBeUndefined();
    expect(h.conn().flying.map((f) => f.message)).toMatchObject([
      { kind: "img", id, to: "bob", file: { ...PLACE, name: "照片.png", size: 7 } },
    ]);
    h.conn().deliver();
    await settleStorage();
    const url = `${PLACE.url}?em-redirect=true&share-secret=s1`;
    expect(messageOf(h, id)).toMatchObject({
      status: "sent",
      file: { url, thumb: `${url}&thumbnail=true` },
    });
    expect(storedFiles(h)).toEqual([]);
  });

  test("Texts do not wait for an upload", async () => {
    const h = await loggedIn();
    await sendFile(h, picture());
    await h.send("bob", "meanwhile");
    await settle();
    expect(h.conn().flying.map((f) => f.message.kind)).toEqual(["text"]);
  });

  test("Files arrive in the order in which they were sent, whichever is uploaded first; one that fails holds none back", async () => {
    const h = await loggedIn();
    const [first, second] = [
      await sendFile(h, picture("a", "a")),
      await sendFile(h, picture("b", "b")),
    ];
    const third = await sendFile(h, picture("c", "c"));
    uploadOf(h, 1).resolve(PLACE);
    await settleStorage();
    expect(h.conn().flying).toEqual([]);
    uploadOf(h, 0).resolve(PLACE);
    await settleStorage();
    expect(h.conn().flying.map((f) => f.message.id)).toEqual([first]);
    h.conn().deliver();
    await settleStorage();
    expect(h.conn().flying.map((f) => f.message.id)).toEqual([second]);
    h.conn().deliver();
    await settleStorage();
    const last = await sendFile(h, picture("d", "d"));
    uploadOf(h, 3).resolve(PLACE);
    await settleStorage();
    expect(h.conn().flying).toEqual([]);
    uploadOf(h, 2).reject(new ChatFailure(511, "file_quota"));
    await settleStorage();
    expect(messageOf(h, third)).toMatchObject({ status: "failed" });
    expect(h.conn().flying.map((f) => f.message.id)).toEqual([last]);
  });

  test("When the core dies during an upload, the next one uploads again, and one message arrives", async () => {
    const h = await loggedIn();
    const id = await sendFile(h, picture());
    uploadOf(h).onProgress(0.9);
    const next = await loggedIn({ env: h.env, server: h.server });
    await settleStorage();
    expect(messageOf(next, id)).toMatchObject({ status: "sending", file: { name: "照片.png" } });
    expect(listed(next, id)).toMatchObject({ name: "照片.png", state: "running" });
    expect(await uploadOf(next).file.text()).toBe("picture");
    // the tab did not hear the first core's answer and repeats its command
    expect(await sendFile(next, picture())).toBe(id);
    uploadOf(next).resolve(PLACE);
    await settleStorage();
    next.conn().deliver();
    await settleStorage();
    expect(next.conn().uploads).toHaveLength(1);
    expect(next.server.messages.map((m) => m.msg)).toEqual(["照片.png"]);
    expect(storedFiles(next)).toEqual([]);
  });

  test("Two tries with one key at the same time make one message", async () => {
    const h = await loggedIn();
    const [one, two] = await Promise.all([sendFile(h, picture()), sendFile(h, picture())]);
    expect(one).toBe(two);
    expect(h.conn().uploads).toHaveLength(1);
  });

  test("When the core dies after the upload, the next one sends the same file and uploads nothing", async () => {
    const h = await loggedIn();
    await sendFile(h, picture());
    uploadOf(h).resolve(PLACE);
    await settleStorage();
    h.conn().deliver(false);
    await settleStorage();
    const next = await loggedIn({ env: h.env, server: h.server });
    await settleStorage();
    expect(next.conn().uploads).toEqual([]);
    expect(next.conn().flying.map((f) => f.message)).toMatchObject([{ file: PLACE }]);
    next.conn().deliver();
    await settleStorage();
    expect(next.server.messages).toHaveLength(1);
  });

  test("The address of an uploaded file is stored before its message is sent", async () => {
    const h = await loggedIn();
    const id = await sendFile(h, picture());
    const slow: (() => void)[] = [];
    const set = h.env.kv.set;
    h.env.kv.set = async (key, value) => {
      if (key.startsWith("chat.outbox.")) await new Promise<void>((go) => slow.push(go));
      await set(key, value);
    };
    // a write that began before the upload ended must not count for it
    const text = h.send("carol", "a write");
    await settle();
    uploadOf(h).resolve(PLACE);
    await settleStorage();
    h.env.kv.set = set;
    slow.shift()?.();
    await text;
    await settleStorage();
    expect(h.env.kv.data.get("chat.outbox.alice")).toMatchObject({
      entries: [{ id, file: { uploaded: PLACE } }, { text: "a write" }],
    });
    expect(h.conn().flying.map((f) => f.message.id)).toContain(id);
  });

  test("A broken upload begins again after a pause; what the server refuses is shown as failed and can be sent again", async () => {
    const h = await loggedIn();
    const id = await sendFile(h, picture());
    uploadOf(h).reject(new ChatFailure(16, "the upload broke off"));
    await settleStorage();
    expect(messageOf(h, id)).toMatchObject({ status: "sending" });
    expect(listed(h, id)).toMatchObject({ state: "paused" });
    expect(h.conn().uploads).toHaveLength(1);
    h.env.clock.advance(10_000);
    await settleStorage();
    uploadOf(h, 1).reject(new ChatFailure(511, "file_quota"));
    await settleStorage();
    expect(messageOf(h, id)).toMatchObject({ status: "failed" });
    expect(listed(h, id)).toMatchObject({ state: "failed" });
    expect(h.notices.map((n) => n.code)).toEqual(["file.quota"]);
    await h.chat.handlers.resend({ chatId: "bob", id }, { tabId: "t", id: "2" });
    await settleStorage();
    uploadOf(h, 2).resolve(PLACE);
    await settleStorage();
    h.conn().deliver();
    await settleStorage();
    expect(messageOf(h, id)).toMatchObject({ status: "sent" });
  });

  test("A file that is taken back is neither uploaded nor sent, and its contents are deleted", async () => {
    const h = await loggedIn();
    const id = await sendFile(h, picture());
    const context = { tabId: "t", id: "3" };
    expect(await h.chat.handlers.cancel({ chatId: "bob", id }, context)).toBe(true);
    await settleStorage();
    expect(uploadOf(h).signal.aborted).toBe(true);
    expect(messageOf(h, id)).toBeUndefined();
    expect(storedFiles(h)).toEqual([]);
    expect(shareOf(h, id)).toBeUndefined();
    expect(await h.chat.handlers.cancel({ chatId: "bob", id }, context)).toBe(false);
    const next = await loggedIn({ env: h.env, server: h.server });
    await settleStorage();
    expect(next.conn().uploads).toEqual([]);
  });

  test("A message that is being sent cannot be taken back", async () => {
    const h = await loggedIn();
    const id = await sendFile(h, picture());
    uploadOf(h).resolve(PLACE);
    await settleStorage();
    const context = { tabId: "t", id: "4" };
    expect(await h.chat.handlers.cancel({ chatId: "bob", id }, context)).toBe(false);
    expect(messageOf(h, id)).toMatchObject({ status: "sending" });
  });

  test("Empty and too large files are refused", async () => {
    const h = await loggedIn();
    await expect(sendFile(h, picture(""))).rejects.toMatchObject({ code: "file.empty" });
    const large = { ...picture(), file: new Blob([new Uint8Array(CHAT_FILE_MAX + 1)]) };
    await expect(sendFile(h, large)).rejects.toMatchObject({ code: "file.too-large" });
    expect(storedFiles(h)).toEqual([]);
  });

  test("The bubble of a picture that is not uploaded yet gets its smaller picture from the core", async () => {
    const h = await loggedIn();
    const id = await sendFile(h, picture());
    const context = { tabId: "t", id: "5" };
    const blob = await h.chat.handlers.picture({ id }, context);
    expect(await blob?.text()).toBe("small");
    expect(await h.chat.handlers.picture({ id: "77" }, context)).toBeNull();
  });

  test("A file on a dead connection is sent again when the network is back", async () => {
    const h = await loggedIn();
    await sendFile(h, picture());
    h.env.clock.advance(10_000);
    h.env.online.set(true);
    expect(uploadOf(h).signal.aborted).toBe(true);
    uploadOf(h).reject(new ChatFailure(16, "the upload broke off"));
    await settleStorage();
    h.env.clock.advance(1_000);
    await settleStorage();
    expect(h.conn().uploads.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  test("At most two files are uploaded at once", async () => {
    const h = await loggedIn();
    for (const key of ["a", "b", "c"]) await sendFile(h, picture(key, key));
    expect(h.conn().uploads).toHaveLength(2);
    uploadOf(h).resolve(PLACE);
    await settleStorage();
    expect(h.conn().uploads).toHaveLength(3);
  });
});
