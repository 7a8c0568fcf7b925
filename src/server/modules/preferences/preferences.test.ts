import { expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { PREFERENCE_LIMITS } from "../../../shared/protocol/rest/preferences.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { whoMay } from "../../who-may.harness.ts";

const { preferences, preferenceSet } = restCalls;
whoMay({ "preferences.list": "++++", "preferences.set": "++++" });

const { host, tokens } = platformForTests(["lina", "zhangwei"]);

const put = (json: unknown, as = "lina") =>
  host.ask("PUT", preferenceSet.path, { token: tokens[as] ?? "", json });
async function kept(as = "lina") {
  const { body } = await host.ask("GET", preferences.path, { token: tokens[as] ?? "" });
  return preferences.data.parse(body.data).preferences;
}

it(covers([preferences, preferenceSet], ["success", "foreign"]), async () => {
  expect(await kept()).toEqual([]);
  await put({ key: "columns:employees.list", value: '{"count":6,"hidden":[2]}' });
  await put({ key: "columns:employees.list", value: '{"count":6,"hidden":[]}' });
  await put({ key: "filters:1:employees.list", value: "[]" });
  expect(await kept()).toEqual([
    { key: "columns:employees.list", value: '{"count":6,"hidden":[]}' },
    { key: "filters:1:employees.list", value: "[]" },
  ]);
  // Another person has own ones, also under the same key.
  expect(await kept("zhangwei")).toEqual([]);
  await put({ key: "filters:1:employees.list", value: null }, "zhangwei");
  expect(await kept()).toHaveLength(2);
  expect((await put({ key: "filters:1:employees.list", value: null })).status).toBe(200);
  expect((await kept()).map(({ key }) => key)).toEqual(["columns:employees.list"]);
});

it(covers([preferences, preferenceSet], ["refused", "invalid"]), async () => {
  for (const [method, path] of [
    ["GET", preferences.path],
    ["PUT", preferenceSet.path],
  ] as const) {
    expect((await host.ask(method, path, {})).status).toBe(401);
  }
  const { key, value } = PREFERENCE_LIMITS;
  for (const json of [
    {},
    { key: "", value: "1" },
    { key: "a", value: 1 },
    { key: "a\u0000", value: "1" },
    { key: "a", value: "\u0000" },
    { key: "a".repeat(key + 1), value: "1" },
    { key: "a", value: "1".repeat(value + 1) },
  ]) {
    expect([JSON.stringify(json).slice(0, 60), (await put(json)).status]).toEqual([
      JSON.stringify(json).slice(0, 60),
      400,
    ]);
  }
  expect((await put({ key: "a".repeat(key), value: "1".repeat(value) })).status).toBe(200);
});

it(covers(preferenceSet, "invalid", "a person keeps a limited number"), async () => {
  const before = (await kept("zhangwei")).length;
  expect(before).toBe(0);
  for (let n = 0; n < PREFERENCE_LIMITS.count - 1; n += 1) {
    await put({ key: `k${n}`, value: "1" }, "zhangwei");
  }
  const last = await Promise.all([
    put({ key: "x", value: "1" }, "zhangwei"),
    put({ key: "y", value: "1" }, "zhangwei"),
  ]);
  expect(last.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect((await put({ key: "k0", value: "2" }, "zhangwei")).status).toBe(200);
  expect(await kept("zhangwei")).toHaveLength(PREFERENCE_LIMITS.count);
});
