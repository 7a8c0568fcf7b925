import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { ask, createJob, FIELDS, pack, type Row, sendChunk, toChunk } from "./chunks.harness.ts";
import { startImports, type ImportsWorld } from "./imports.harness.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";

const { importChunk, importInvitations, importRefusals } = restCalls;

let world: ImportsWorld;
beforeAll(async () => {
  world = await startImports();
}, 60_000);
afterAll(() => world.host.close());
beforeEach(() => world.closeJobs());

describe("chunks", () => {
  it(
    covers(
      [importChunk, importRefusals],
      "success",
      "what may not be is named by row and field, the rest is in",
    ),
    async () => {
      const rows = world.fresh(8);
      const bad: Row[] = [
        { ...rows[0], phone: "12" },
        { ...rows[1], name: "" },
        { ...rows[2], idNumber: "340104196001010019" },
        { ...rows[3], hireDate: "2024-02-30", email: "x" },
        { ...rows[4], employeeNo: rows[5]?.["employeeNo"] ?? "" },
        { ...rows[5] },
        { ...rows[6], name: "  李四  " },
        { ...rows[7], remark: "x".repeat(501) },
      ];
      const made = await world.job(8);
      const { data } = await sendChunk(world.as(), made.id, 0, toChunk(bad, FIELDS, 10));
      expect(data).toMatchObject({ index: 0, created: 2, updated: 0, refused: 6 });
      const refusals = await world.refusalsOf(made.id);
      expect(refusals.map(({ row, field }) => [row, field])).toEqual([
        [10, "phone"],
        [11, "name"],
        [12, "idNumber"],
        [13, "hireDate"],
        [13, "email"],
        [15, "employeeNo"],
        [17, "remark"],
      ]);
      expect(refusals[5]?.message).toBe("与第14行重复");
      expect(data.refusals).toEqual(refusals);
      expect(data.job).toMatchObject({ state: "done", created: 2, refused: 6, chunksDone: 1 });
      const { rows: in_ } = await world.host.platform.database.pool.query(
        "SELECT name, gender, birthday::text, company_id FROM employees WHERE id_number = $1",
        [rows[6]?.["idNumber"]],
      );
      const born = rows[6]?.["idNumber"]?.slice(6, 14) ?? "";
      expect(in_).toEqual([
        {
          name: "李四",
          gender: Number(rows[6]?.["idNumber"]?.[16]) % 2 === 1 ? "1" : "2",
          birthday: `${born.slice(0, 4)}-${born.slice(4, 6)}-${born.slice(6)}`,
          company_id: "1",
        },
      ]);
    },
  );

  it("the database refuses taken numbers, whichever request took them", async () => {
    const rows = world.fresh(4);
    const [a, b, c, d] = rows as [Row, Row, Row, Row];
    const first = await world.job(1);
    await sendChunk(world.as(), first.id, 0, toChunk([a], FIELDS));
    const second = await world.job(4);
    const mixed = [a, { ...b, employeeNo: a["employeeNo"] ?? "" }, c, d];
    const { data } = await sendChunk(world.as(), second.id, 0, toChunk(mixed, FIELDS));
    expect(data.created).toBe(2);
    expect(
      (await world.refusalsOf(second.id)).map(({ row, field, message }) => [row, field, message]),
    ).toEqual([
      [2, "idNumber", "已有在职员工使用"],
      [2, "employeeNo", "已有在职员工使用"],
      [3, "employeeNo", "已有在职员工使用"],
    ]);
    expect(await world.bearing(rows)).toBe(3);
  });

  it("a refused row does not reserve its numbers against later rows", async () => {
    const [a, b, c] = world.fresh(3) as [Row, Row, Row];
    await sendChunk(world.as(), (await world.job(1)).id, 0, toChunk([a], FIELDS));
    const no = b["employeeNo"] ?? "";
    const given = [{ ...a, employeeNo: no }, b, { ...c, employeeNo: no }];
    for (const mode of ["dry-run", "insert"]) {
      const made = await world.job(3, { mode });
      const { data } = await sendChunk(world.as(), made.id, 0, toChunk(given, FIELDS));
      expect(data).toMatchObject({ created: 1, refused: 2 });
      expect(data.refusals.map(({ row, field, message }) => [row, field, message])).toEqual([
        [2, "idNumber", "已有在职员工使用"],
        [4, "employeeNo", "与第3行重复"],
      ]);
    }
  });

  it("a chunk is stored once, however often and by however many senders it is sent", async () => {
    const rows = world.fresh(300);
    const made = await world.job(300);
    const packed = pack(toChunk(rows, FIELDS));
    const answers = await Promise.all(
      [0, 1, 2, 3].map(() => sendChunk(world.as(), made.id, 0, packed)),
    );
    for (const answer of answers) expect(answer.data).toEqual(answers[0]?.data);
    expect(answers[0]?.data).toMatchObject({ created: 300, job: { created: 300, chunksDone: 1 } });
    expect((await sendChunk(world.as(), made.id, 0, packed)).data).toEqual(answers[0]?.data);
    expect(await world.bearing(rows)).toBe(300);
    expect(
      await world.count("audit_records WHERE entity = 'import-chunk' AND entity_id = $1", [
        `${made.id}/0`,
      ]),
    ).toBe(1);
  });

  it("two simultaneous imports of the same people store each person once and answer for each row", async () => {
    const rows = world.fresh(400);
    const [x, y] = [await world.job(400), await world.job(400)];
    const back = rows.toReversed();
    const [one, two] = await Promise.all([
      sendChunk(world.as(), x.id, 0, toChunk(rows, FIELDS)),
      sendChunk(world.as(), y.id, 0, toChunk(back, FIELDS)),
    ]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.data.created + two.data.created).toBe(400);
    expect(one.data.refused + two.data.refused).toBe(400);
    expect(await world.bearing(rows)).toBe(400);
  });

  it("a dry run changes nothing, reports what an import would do, and can be repeated", async () => {
    const rows = world.fresh(3);
    const key = world.newKey();
    const before = await world.count("employees");
    const run = async () => {
      const made = (await createJob(world.as(), key, 3, { mode: "dry-run", isInvite: true })).data;
      expect(made).toMatchObject({ state: "open", created: 0, refused: 0 });
      const bad = [...rows.slice(0, 2), { ...rows[2], phone: "1" }];
      return [
        made.id,
        (await sendChunk(world.as(), made.id, 0, toChunk(bad, FIELDS))).data,
      ] as const;
    };
    const [id, data] = await run();
    expect(data).toMatchObject({ created: 2, refused: 1, job: { state: "done" } });
    expect(await world.count("employees")).toBe(before);
    expect(await world.count("import_invitations WHERE job_id = $1", [id])).toBe(0);
    // Meanwhile another import creates one of the people.
    await sendChunk(world.as(), (await world.job(1)).id, 0, toChunk(rows.slice(0, 1), FIELDS));
    const [same, next] = await run();
    expect([same, next.created, next.refused]).toEqual([id, 1, 2]);
    expect((await world.refusalsOf(id)).map(({ row, field }) => [row, field])).toEqual([
      [2, "idNumber"],
      [2, "employeeNo"],
      [4, "phone"],
    ]);
  });

  it("update changes the mapped fields of employed staff and creates the others", async () => {
    const rows = world.fresh(4);
    const [a, b, c, d] = rows as [Row, Row, Row, Row];
    await sendChunk(world.as(), (await world.job(3)).id, 0, toChunk([a, b, c], FIELDS));
    const fields = ["idNumber", "name", "phone", "position", "employeeNo"];
    const made = await world.job(4, { mode: "update", fields });
    const given = [
      { ...a, phone: "13700000000", position: "" },
      { ...b, name: "" },
      { ...c, employeeNo: a["employeeNo"] ?? "" },
      d,
    ];
    const { data } = await sendChunk(world.as(), made.id, 0, toChunk(given, fields));
    expect(data).toMatchObject({ created: 1, updated: 2, refused: 1 });
    // An earlier row has this number.
    expect(data.refusals).toMatchObject([{ row: 4, field: "employeeNo" }]);
    const read = async (row: Row) =>
      (
        await world.host.platform.database.pool.query<Record<string, string>>(
          "SELECT name, phone, position, remark, department, employee_no FROM employees WHERE id_number = $1",
          [row["idNumber"]],
        )
      ).rows;
    // Empty cells and unmapped fields change nothing.
    expect(await read(a)).toMatchObject([
      {
        name: a["name"],
        phone: "13700000000",
        position: a["position"],
        department: a["department"],
      },
    ]);
    expect(await read(b)).toMatchObject([{ name: b["name"], phone: b["phone"] }]);
    expect(await read(c)).toMatchObject([{ employee_no: c["employeeNo"] }]);
    expect(await read(d)).toMatchObject([{ name: d["name"], department: null }]);
    const { rows: records } = await world.host.platform.database.pool.query<{
      before: unknown;
      after: unknown;
    }>("SELECT before, after FROM audit_records WHERE entity_id = $1", [`${made.id}/0`]);
    expect(records).toHaveLength(1);
    expect(records[0]?.before).toMatchObject({
      changed: [[expect.any(String), { phone: a["phone"] }]],
    });
  });

  it("rows are checked by the company's own fields, departments and dictionaries", async () => {
    const { pool } = world.host.platform.database;
    const { rows: made } = await pool.query<{ id: string }>(
      "INSERT INTO departments (company_id, name) VALUES (2, '质检'), (1, '别家') RETURNING id",
    );
    const [own, foreign] = made.map(({ id }) => id) as [string, string];
    const fields = ["name", "departmentId", "certificateType", "custom.grade", "custom.school"];
    const one = await world.job(5, { fields }, world.as("admin", "2"));
    const good = {
      name: "甲",
      departmentId: own,
      certificateType: "passport",
      "custom.grade": "3.5",
      "custom.school": "4",
    };
    const rows = [
      good,
      { ...good, departmentId: foreign },
      { ...good, "custom.grade": "" },
      { ...good, "custom.grade": "三" },
      { ...good, certificateType: "x", "custom.school": "99" },
    ];
    const { data } = await sendChunk(world.as("admin", "2"), one.id, 0, toChunk(rows, fields));
    expect(data).toMatchObject({ created: 1, refused: 4 });
    expect(data.refusals.map(({ row, field, message }) => `${row} ${field} ${message}`)).toEqual([
      "3 departmentId 没有这个部门",
      "4 custom.grade 必填",
      "5 custom.grade 应为数字",
      "6 certificateType 字典中没有这个值",
      "6 custom.school 字典中没有这个值",
    ]);
    const { rows: in_ } = await pool.query(
      "SELECT department, department_id::text AS d, custom FROM employees WHERE company_id = 2 AND name = '甲'",
    );
    expect(in_).toEqual([{ department: "质检", d: own, custom: { grade: 3.5, school: "4" } }]);
  });

  it(covers(importInvitations, "success"), async () => {
    const rows = world.fresh(3);
    const made = await world.job(3, { isInvite: true });
    await sendChunk(
      world.as(),
      made.id,
      0,
      toChunk([...rows.slice(0, 2), { ...rows[2], phone: "1" }], FIELDS),
    );
    const { data } = await ask<{
      total: number;
      records: { row: number; name: string; link: string }[];
    }>(world.as(), importInvitations, { id: made.id });
    expect(data.total).toBe(2);
    expect(data.records.map(({ row, name }) => [row, name])).toEqual([
      [2, rows[0]?.["name"]],
      [3, rows[1]?.["name"]],
    ]);
    const opened = await fetch(`${world.host.origin}${data.records[0]?.link}`, {
      headers: { accept: "application/json" },
    });
    expect(await opened.json()).toMatchObject({
      code: 0,
      data: { department: rows[0]?.["department"] },
    });
  });
});
