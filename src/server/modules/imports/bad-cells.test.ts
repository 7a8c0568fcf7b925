/** A cell that the database cannot store refuses its row only, and the job continues. */
import { beforeAll, expect, it } from "vitest";
import {
  ask,
  createJob,
  FIELDS,
  keyOf,
  people,
  type Row,
  type Sender,
  sendChunk,
  toChunk,
} from "./chunks.harness.ts";
import { type ImportRefusal, restCalls } from "../../../shared/protocol/rest/index.ts";
import { platformForTests } from "../../asking.harness.ts";

const { host } = platformForTests();
let sender: Sender;
beforeAll(async () => {
  await host.platform.database.pool.query(
    "INSERT INTO company_fields (company_id, key, label, type, required, sort) VALUES (1, 'badge', '胸牌', 'text', false, 9)",
  );
  const { access_token: token } = await host.login("admin");
  sender = { platform: host, token, supplierId: "1" };
});

const refusalsOf = async (id: string): Promise<ImportRefusal[]> =>
  (await ask<{ records: ImportRefusal[] }>(sender, restCalls.importRefusals, { id })).data.records;

it("A cell with a NUL, half a surrogate pair, nothing visible or 5,000 characters refuses only its row", async () => {
  const rows = people(9, 70_000);
  const bad: Row[] = [
    { ...rows[0], remark: "a\0b" },
    { ...rows[1], position: "保\ud83d安" },
    { ...rows[2], name: "\u200b" },
    { ...rows[3], remark: "长".repeat(5000) },
    { ...rows[4], "custom.badge": "\ude00" },
    { ...rows[5], name: "王\0伟" },
    { ...rows[6], phone: "\0" },
    { ...rows[7] },
    { ...rows[8], name: "\u202e\u2066" },
  ];
  const fields = [...FIELDS, "custom.badge"];
  const { data: job } = await createJob(sender, keyOf(71), 18, { chunks: 2, fields });
  const first = await sendChunk(sender, job.id, 0, toChunk(bad, fields, 10));
  expect([first.status, first.code]).toEqual([200, ""]);
  expect(first.data).toMatchObject({ created: 1, refused: 8 });
  const second = await sendChunk(sender, job.id, 1, toChunk(people(9, 70_100), fields, 20));
  expect(second.data).toMatchObject({ created: 9, refused: 0, job: { state: "done", refused: 8 } });
  const refusals = await refusalsOf(job.id);
  expect(refusals.map(({ row, field }) => [row, field])).toEqual([
    [10, "remark"],
    [11, "position"],
    [12, "name"],
    [13, "remark"],
    [14, "custom.badge"],
    [15, "name"],
    [16, "phone"],
    [18, "name"],
  ]);
  expect(refusals[2]?.message).toBe("没有看得见的字");
  expect(refusals[0]?.message).toBe("不能含有空字符或不完整的字符");
});
