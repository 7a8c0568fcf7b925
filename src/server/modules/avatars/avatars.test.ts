import { expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { whoMay } from "../../who-may.harness.ts";

const { avatarSet, avatarRemove, avatarNames, avatarRead, profile, account } = restCalls;
whoMay({
  "avatars.set": "++++",
  "avatars.remove": "++++",
  "avatars.names": "++++",
  "avatars.read": "++++",
});

const PNG = Buffer.concat([
  Buffer.from("89504e470d0a1a0a", "hex"),
  Buffer.from("picture of a person IEND", "latin1"),
]);

const { host } = platformForTests();

const tokenOf = async (name: string): Promise<string> => (await host.login(name)).access_token;
const send = async (token: string, content: Uint8Array<ArrayBuffer>, name: string, count = 1) => {
  const form = new FormData();
  for (let n = 0; n < count; n += 1) form.append("file", new Blob([content]), name);
  const response = await fetch(`${host.origin}${avatarSet.path}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const body = (await response.json()) as { data?: unknown; error?: string; msg: string };
  return { status: response.status, body };
};
const set = async (token: string, content = PNG): Promise<string> => {
  const { status, body } = await send(token, new Uint8Array(content), "我.png");
  expect(status).toBe(200);
  return avatarSet.data.parse(body.data).avatar;
};
const read = (token: string, name: string) =>
  fetch(`${host.origin}${avatarRead.path}?name=${name}`, {
    headers: { authorization: `Bearer ${token}` },
  });
const namesFor = async (token: string, ...userNames: string[]) => {
  const path = `${avatarNames.path}?userNames=${userNames.join(",")}`;
  const { body } = await host.ask("GET", path, { token });
  return avatarNames.data.parse(body.data);
};

it(covers([avatarSet, avatarRemove, avatarNames, avatarRead], "success"), async () => {
  const lina = await tokenOf("lina");
  const name = await set(lina);
  const own = await host.ask("GET", profile.path, { token: lina });
  expect(profile.data.parse(own.body.data).avatar).toBe(name);
  const seen = await host.ask("GET", account.path, { token: lina });
  expect((seen.body.data as { avatar: string }).avatar).toBe(name);

  // A colleague finds it by the chat user name, and reads the same bytes.
  const zhangwei = await tokenOf("zhangwei");
  expect(await namesFor(zhangwei, "lina", "admin")).toEqual([{ userName: "lina", avatar: name }]);
  const answer = await read(zhangwei, name);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
  expect(answer.headers.get("content-type")).toBe("image/png");
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);

  // Another picture has another name, and the former one is gone.
  const next = await set(lina, Buffer.concat([PNG, PNG]));
  expect(next).not.toBe(name);
  expect((await read(zhangwei, name)).status).toBe(404);
  expect((await host.ask("DELETE", avatarRemove.path, { token: lina })).status).toBe(200);
  expect(await namesFor(zhangwei, "lina")).toEqual([]);
  expect((await read(lina, next)).status).toBe(404);
});

it("The sweep of contents keeps a picture that is shown, and removes a replaced one", async () => {
  const token = await tokenOf("admin");
  const { pool } = host.platform.database;
  const hashes = async (): Promise<string[]> => {
    const { rows } = await pool.query<{ hash: string }>("SELECT hash FROM file_contents");
    return rows.map(({ hash }) => hash);
  };
  await set(token, Buffer.concat([PNG, Buffer.from("first")]));
  const [before] = (await hashes()).slice(-1);
  const name = await set(token, Buffer.concat([PNG, Buffer.from("second")]));
  const all = await hashes();
  // Two days later, so that contents may be swept, which happens each hour.
  host.clock.advance(48 * 3_600_000);
  await expect.poll(hashes).not.toContain(before);
  const { rows } = await pool.query<{ hash: string }>(
    "SELECT content_hash AS hash FROM account_avatars",
  );
  expect(all).toContain(rows[0]?.hash);
  expect((await read(await tokenOf("admin"), name)).status).toBe(200);
});

it(covers([avatarNames, avatarRead], "foreign"), async () => {
  const lina = await tokenOf("lina");
  const name = await set(lina);
  // wangfang works in the other company only
  const wangfang = await tokenOf("wangfang");
  const hidden = async () => [
    (await namesFor(wangfang, "lina")).length,
    (await read(wangfang, name)).status,
  ];
  expect(await hidden()).toEqual([0, 404]);
  const { pool } = host.platform.database;
  const befriend = (from: string, to: string) =>
    pool.query(
      `INSERT INTO im_friends (account_id, friend_id)
       SELECT a.id, b.id FROM accounts a, accounts b WHERE a.username = $1 AND b.username = $2`,
      [from, to],
    );
  // Adding a person as a friend does not show that person's picture. Being added by the person does.
  await befriend("wangfang", "lina");
  expect(await hidden()).toEqual([0, 404]);
  await befriend("lina", "wangfang");
  expect(await hidden()).toEqual([1, 200]);
});

it(covers([avatarSet, avatarNames, avatarRead], "invalid"), async () => {
  const token = await tokenOf("guest");
  const before = await set(token);
  const refused = async (content: Buffer, name: string, count = 1) => {
    const { status, body } = await send(token, new Uint8Array(content), name, count);
    return [status, body.error, body.msg];
  };
  const types = "文件格式不正确，请上传 png/jpg/jpeg 格式文件！";
  expect(await refused(Buffer.from("text"), "a.txt")).toEqual([400, "file.wrong-type", types]);
  // an ending says nothing
  expect(await refused(Buffer.from("text"), "a.png")).toEqual([400, "file.wrong-type", types]);
  expect((await refused(PNG, "a.png", 2)).slice(0, 2)).toEqual([400, "file.too-many"]);
  const large = Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]);
  expect(await refused(large, "a.png")).toEqual([
    413,
    "file.too-large",
    "上传文件大小不能超过 1 MB！",
  ]);
  expect((await read(token, before)).status).toBe(200);
  expect((await read(token, "../../etc/passwd")).status).toBe(400);
  const bad = await host.ask("GET", `${avatarNames.path}?userNames=A B`, { token });
  expect(Object.keys((bad.body.details?.["fields"] ?? {}) as object)).not.toEqual([]);
  const many = Array.from({ length: 101 }, (_, n) => `u${n}`).join(",");
  const tooMany = await host.ask("GET", `${avatarNames.path}?userNames=${many}`, { token });
  expect(tooMany.status).toBe(400);
});

it(covers([avatarSet, avatarRemove, avatarNames, avatarRead], "refused"), async () => {
  for (const call of [avatarSet, avatarRemove, avatarNames, avatarRead]) {
    const { status } = await host.ask(call.method, call.path);
    expect([call.id, status]).toEqual([call.id, 401]);
  }
});
