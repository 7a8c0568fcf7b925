/** Files that members share with their group: the SDK's calls, its events, and who may do what. */
import { describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { chatFiles } from "../../../base/database/schema/chat-files.ts";
import type { GroupCast } from "./cast.harness.ts";
import type { SdkUser } from "./sdk.harness.ts";
import { connectThree } from "./three.harness.ts";

describe("Files of a group", () => {
  let cast: GroupCast;
  let zhangwei: SdkUser;
  let lina: SdkUser;
  let guest: SdkUser;
  connectThree((three) => ({ cast, zhangwei, lina, guest } = three));

  const ask = (user: SdkUser, id: string, path: string, init: RequestInit = {}) =>
    fetch(`${cast.platform.origin}/hyzh/console/chatgroups/${id}/share_files${path}`, {
      ...init,
      headers: { authorization: `Bearer ${String(user.conn["token"])}` },
    });
  /** As the SDK uploads, whose own call needs the browser's XMLHttpRequest. */
  const share = async (user: SdkUser, id: string, name: string, text = "内容") => {
    const form = new FormData();
    form.append("file", new Blob([text]), name);
    const response = await ask(user, id, "", { method: "POST", body: form });
    const { data } = (await response.json()) as { data?: { file_id: string } };
    return { status: response.status, fileId: data?.file_id ?? "" };
  };
  /** Calls the SDK's upload, which answers by callbacks. @returns the file's id, or the type of the refusal */
  const shareBySdk = (user: SdkUser, groupId: string, name: string): Promise<unknown> =>
    new Promise((resolve) => {
      void user.conn["uploadGroupSharedFile"]?.({
        groupId,
        file: { data: new File(["一号楼"], name), filename: name, filetype: "txt", url: "" },
        onFileUploadComplete: ({ data }: { data: { file_id: string } }) => resolve(data.file_id),
        onFileUploadError: ({ type }: { type: number }) => resolve(type),
      });
    });
  const refusedShare = (user: SdkUser, _method: "uploadGroupSharedFile", groupId: string) =>
    shareBySdk(user, groupId, "a.txt");
  /** @returns its text, or the type of the refusal */
  const readBySdk = (user: SdkUser, groupId: string, fileId: string): Promise<unknown> =>
    new Promise((resolve) => {
      void user.conn["downloadGroupSharedFile"]?.({
        groupId,
        fileId,
        secret: null,
        onFileDownloadComplete: (file: Blob) => resolve(file.text()),
        onFileDownloadError: ({ type }: { type: number }) => resolve(type),
      });
    });
  const refusedRead = (
    user: SdkUser,
    _method: "downloadGroupSharedFile",
    { groupId, fileId }: { readonly groupId: string; readonly fileId: string },
  ) => readBySdk(user, groupId, fileId);
  const list = (user: SdkUser, groupId: string, more = {}) =>
    cast.call(user, "getGroupSharedFilelist", { groupId, ...more });

  it("A member shares a file, all members learn of it, list it by pages, and read it", async () => {
    const id = await cast.make(zhangwei, ["lina"]);
    const first = await share(lina, id, "巡查表.txt", "一号楼");
    expect(first.status).toBe(200);
    expect(await zhangwei.groupEvent("uploadFile", id)).toMatchObject({ from: "lina" });
    const second = await share(zhangwei, id, "平面图.txt");
    expect(await list(lina, id)).toMatchObject([
      { file_id: second.fileId, file_name: "平面图.txt", file_owner: "zhangwei", file_size: 6 },
      { file_id: first.fileId, file_name: "巡查表.txt", file_owner: "lina", file_size: 9 },
    ]);
    expect(await list(lina, id, { pageNum: 2, pageSize: 1 })).toMatchObject([
      { file_id: first.fileId },
    ]);
    const read = await ask(zhangwei, id, `/${first.fileId}`);
    expect(await read.text()).toBe("一号楼");
    expect(read.headers.get("content-disposition")).toMatch(/^attachment;/);
  });

  it("The SDK's own calls share a file and read it; strangers get neither", async () => {
    const groupId = await cast.make(zhangwei, ["lina"]);
    const fileId = String(await shareBySdk(lina, groupId, "巡查表.txt"));
    expect(await list(zhangwei, groupId)).toMatchObject([
      { file_id: fileId, file_name: "巡查表.txt", file_owner: "lina", file_size: 9 },
    ]);
    expect(await readBySdk(zhangwei, groupId, fileId)).toBe("一号楼");
    expect(await refusedShare(guest, "uploadGroupSharedFile", groupId)).toEqual(expect.any(Number));
    expect(await refusedRead(guest, "downloadGroupSharedFile", { groupId, fileId })).toEqual(
      expect.any(Number),
    );
    expect(await list(zhangwei, groupId)).toHaveLength(1);
  });

  it("Who shared a file and who rules the group delete it; other members do not", async () => {
    const id = await cast.make(zhangwei, ["lina", "guest"]);
    const ownFile = await share(lina, id, "a.txt");
    const other = await share(zhangwei, id, "b.txt");
    expect(
      await cast.refused(guest, "deleteGroupSharedFile", { groupId: id, fileId: ownFile.fileId }),
    ).toBe(603);
    await cast.call(lina, "deleteGroupSharedFile", { groupId: id, fileId: ownFile.fileId });
    expect(await guest.groupEvent("deleteFile", id)).toMatchObject({ from: "lina" });
    expect((await ask(lina, id, `/${ownFile.fileId}`)).status).toBe(404);
    expect(
      await cast.refused(lina, "deleteGroupSharedFile", { groupId: id, fileId: other.fileId }),
    ).toBe(603);
    const third = await share(lina, id, "c.txt");
    await cast.call(zhangwei, "deleteGroupSharedFile", { groupId: id, fileId: third.fileId });
    expect(await list(guest, id)).toMatchObject([{ file_id: other.fileId }]);
  });

  it("A stranger neither lists, reads, shares nor deletes, and an address of a file opens it in its group alone", async () => {
    const id = await cast.make(zhangwei, ["lina"]);
    const another = await cast.make(zhangwei, ["guest"]);
    const { fileId } = await share(lina, id, "a.txt");
    expect(await cast.refused(guest, "getGroupSharedFilelist", { groupId: id })).toBe(605);
    expect((await ask(guest, id, `/${fileId}`)).status).toBe(404);
    expect((await ask(guest, another, `/${fileId}`)).status).toBe(404);
    expect((await ask(guest, id, `/${fileId}`, { method: "DELETE" })).status).toBe(404);
    const before = await cast.platform.db.select().from(chatFiles);
    expect((await share(guest, id, "x.txt")).status).toBe(404);
    expect(await cast.platform.db.select().from(chatFiles)).toHaveLength(before.length);
    // nor by the call for the files of messages, whatever the secret
    const url = `${cast.platform.origin}/hyzh/console/chatfiles/${fileId}?share-secret=x`;
    expect((await fetch(url)).status).toBe(404);
  });

  it("The files of a group end with it, and a group has at most 500", async () => {
    const id = await cast.make(zhangwei, ["lina"]);
    await share(lina, id, "a.txt");
    const { db } = cast.platform;
    const [row] = await db.select().from(chatFiles).where(eq(chatFiles.groupId, id));
    await db
      .insert(chatFiles)
      .values(Array.from({ length: 499 }, () => ({ ...row!, uuid: crypto.randomUUID() })));
    expect((await share(lina, id, "b.txt")).status).toBe(413);
    await cast.call(zhangwei, "destroyGroup", { groupId: id });
    expect(await db.select().from(chatFiles).where(eq(chatFiles.groupId, id))).toEqual([]);
  });
});
