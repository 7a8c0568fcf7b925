/**
 * Two people edit one record: each reads it, adds to a text of it, and saves. The order of their steps is random. A person who is refused
 * reads again, as the form does, so that in the end the text holds what both of them added.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { seededRandom } from "../../src/shared/mutate.harness.ts";
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";
import { staleVersions } from "../../src/shared/protocol/rest/conflict.ts";
import { AppError } from "../../src/shared/errors.ts";
import { startTwoAdmins, type TwoAdmins } from "./two-admins.ts";

const INTERLEAVINGS = 20;
const EDITS_EACH = 2;

type Fields = Record<string, unknown> & { readonly id: string; readonly version: number };

interface Kind {
  readonly create: RestCall;
  readonly update: RestCall;
  /** The field to which both add. */
  readonly text: string;
  readonly fresh: (name: string) => object;
}
const KINDS: Readonly<Record<string, Kind>> = {
  employee: {
    create: restCalls.employeeCreate,
    update: restCalls.employeeUpdate,
    text: "remark",
    fresh: (name) => ({ name, remark: "0" }),
  },
  setting: {
    create: restCalls.configCreate,
    update: restCalls.configUpdate,
    text: "configValue",
    fresh: (name) => ({ configName: name, configKey: name, configValue: "0" }),
  },
  "dictionary type": {
    create: restCalls.dictTypeCreate,
    update: restCalls.dictTypeUpdate,
    text: "remark",
    fresh: (name) => ({ dictType: name, dictName: name, remark: "0" }),
  },
  "dictionary entry": {
    create: restCalls.dictCreate,
    update: restCalls.dictUpdate,
    text: "dictLabel",
    fresh: (name) => ({ dictType: "versions", dictValue: name, dictLabel: "0" }),
  },
  "own field": {
    create: restCalls.ownFieldCreate,
    update: restCalls.ownFieldUpdate,
    text: "label",
    fresh: (name) => ({
      label: name.slice(0, 4),
      type: "text",
      dictType: null,
      required: false,
      sort: 0,
    }),
  },
  role: {
    create: restCalls.roleCreate,
    update: restCalls.roleUpdate,
    text: "remark",
    fresh: (name) => ({ name, remark: "0" }),
  },
  department: {
    create: restCalls.departmentCreate,
    update: restCalls.departmentUpdate,
    text: "name",
    fresh: (name) => ({ name, parentId: null }),
  },
};

let admins: TwoAdmins;
beforeAll(async () => {
  admins = await startTwoAdmins();
}, 60_000);
afterAll(() => admins.close());

const ask: TwoAdmins["ask"] = (call, person, json) => admins.ask(call, person, json);

it.each(Object.entries(KINDS))(
  "Two people who edit one %s lose nothing of what they saved, in twenty random orders",
  async (name, { create, update, text, fresh }) => {
    let refused = 0;
    for (let seed = 1; seed <= INTERLEAVINGS; seed += 1) {
      const random = seededRandom(seed);
      const made = await ask(
        create,
        0,
        fresh(`v${seed}_${update.id.replace(/\W/g, "_").toLowerCase()}`),
      );
      let record = made.body.data as Fields;
      expect(made.body.msg, name).toBe("操作成功");
      const { id } = record;
      /** What each person sees in the form. */
      const seen: Fields[] = [record, record];
      const left = [EDITS_EACH, EDITS_EACH];
      const saved: string[] = [];
      const save = async (person: number): Promise<void> => {
        const shown = seen[person] ?? record;
        const addition = `${"AB"[person]}${left[person]}`;
        const json = { id, version: shown.version, [text]: `${String(shown[text])} ${addition}` };
        const { status, body } = await ask(update, person, json);
        if (status === 200) {
          record = body.data as Fields;
          seen[person] = record;
          saved.push(addition);
          left[person] = (left[person] ?? 0) - 1;
          return;
        }
        const stale = staleVersions(
          new AppError("request.conflict", { details: body.details ?? {} }),
        );
        expect([status, stale?.yours], JSON.stringify(body)).toEqual([409, { [text]: json[text] }]);
        expect(stale?.theirs).toMatchObject({ id, version: expect.any(Number) });
        expect(stale?.theirs["version"]).toBeGreaterThan(shown.version);
        seen[person] = stale?.theirs as Fields;
        refused += 1;
      };
      while (left.some((n) => n > 0)) {
        const open = [0, 1].filter((person) => (left[person] ?? 0) > 0);
        // now and then both press the button at once
        if (open.length === 2 && random() < 0.5) await Promise.all(open.map(save));
        else await save(open[Math.floor(random() * open.length)] ?? 0);
      }
      const words = String(record[text]).split(" ").slice(1);
      expect([seed, words.toSorted()]).toEqual([seed, ["A1", "A2", "B1", "B2"]]);
      expect(words).toEqual(saved);
      expect(record.version).toBe(1 + saved.length);
    }
    expect(refused).toBeGreaterThan(INTERLEAVINGS / 2);
  },
);
