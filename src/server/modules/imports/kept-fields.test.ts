/** An import keeps the fields that the company had set up when it began (docs/import.md#field-settings). */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { FieldSettings } from "../../../shared/protocol/rest/field-settings.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { ask, sendChunk, toChunk } from "./chunks.harness.ts";
import { type ImportsWorld, startImports } from "./imports.harness.ts";

const { fieldSettingsGet, fieldSettingsSave, ownFieldCreate, ownFieldDelete } = restCalls;
const EMPLOYEE = { subject: "employee" };

let world: ImportsWorld;
beforeAll(async () => {
  world = await startImports();
}, 60_000);
afterAll(() => world.host.close());
beforeEach(() => world.closeJobs());

async function change(key: string, part: { used?: boolean; required?: boolean }): Promise<void> {
  const { data } = await ask<FieldSettings>(world.as(), fieldSettingsGet, EMPLOYEE);
  const fields = data.fields.map((one) => (one.key === key ? { ...one, ...part } : one));
  const saved = await ask(world.as(), fieldSettingsSave, EMPLOYEE, { ...data, fields });
  expect(saved.status).toBe(200);
}
const stored = async (name: string) => {
  const { rows } = await world.host.platform.database.pool.query(
    "SELECT name, remark, custom FROM employees WHERE company_id = 1 AND name LIKE $1 ORDER BY name",
    [`${name}%`],
  );
  return rows;
};

it("A field that becomes required, or is switched off, while an import runs changes nothing for its rows", async () => {
  const fields = ["name", "remark"];
  const made = await world.job(2, { fields, chunks: 2 });
  const row = (n: number) => [{ name: `留设置${n}`, remark: `备注${n}` }];
  const first = await sendChunk(world.as(), made.id, 0, toChunk(row(1), fields));
  expect(first.data).toMatchObject({ created: 1, refused: 0 });
  await change("position", { required: true });
  await change("remark", { used: false });
  const second = await sendChunk(world.as(), made.id, 1, toChunk(row(2), fields, 3));
  expect(second.data).toMatchObject({ created: 1, refused: 0, job: { state: "done" } });
  expect(await stored("留设置")).toMatchObject([
    { name: "留设置1", remark: "备注1" },
    { name: "留设置2", remark: "备注2" },
  ]);
  // an import that begins now follows the new settings
  const later = await world.job(1, { fields: ["name"] });
  const { data } = await sendChunk(
    world.as(),
    later.id,
    0,
    toChunk([{ name: "新设置" }], ["name"]),
  );
  expect(data.refusals).toMatchObject([{ field: "position", message: "请填写岗位" }]);
  await change("position", { required: false });
  await change("remark", { used: true });
});

it("A field that is removed while an import runs takes its values along, and no row is lost", async () => {
  const body = { label: "工服尺码", type: "text", required: false, sort: 0 };
  const own = await ask<{ id: string; key: string }>(world.as(), ownFieldCreate, {}, body);
  expect(own.status).toBe(200);
  const fields = ["name", `custom.${own.data.key}`];
  const row = (n: number) => [{ name: `去字段${n}`, [`custom.${own.data.key}`]: "XL" }];
  const made = await world.job(2, { fields, chunks: 2 });
  await sendChunk(world.as(), made.id, 0, toChunk(row(1), fields));
  const removed = await ask(world.as(), ownFieldDelete, { id: own.data.id });
  expect(removed.status).toBe(200);
  const second = await sendChunk(world.as(), made.id, 1, toChunk(row(2), fields, 3));
  expect(second.data).toMatchObject({ created: 1, refused: 0, job: { state: "done" } });
  expect(await stored("去字段")).toMatchObject([
    { name: "去字段1", custom: {} },
    { name: "去字段2", custom: {} },
  ]);
});
