/**
 * Two people edit one record in the form of the console, against the real server: they read, type, save and answer what the form asks
 * when the other one was faster, in random orders. What a person has saved is in the record, or was overwritten by a save whose writer
 * had seen it.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { AppError } from "../../src/shared/errors.ts";
import { seededRandom } from "../../src/shared/mutate.harness.ts";
import { staleVersions } from "../../src/shared/protocol/rest/conflict.ts";
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";
import { changedValues, looseValues } from "../../src/ui/components/form/fields.ts";
import type { AnyField } from "../../src/ui/components/form/kinds.ts";
import type { Values } from "../../src/ui/components/form/values.ts";
import {
  begun,
  chosen,
  type Editing,
  rebased,
  typed,
  undecided,
} from "../../src/ui/components/form/stale.ts";
import { between, seedOf } from "../support/seed.ts";
import { startTwoAdmins, type TwoAdmins } from "./two-admins.ts";

const INTERLEAVINGS = 20;
const STEPS = 14;

type Fields = Record<string, unknown> & { readonly id: string; readonly version: number };

interface Kind {
  readonly create: RestCall;
  readonly update: RestCall;
  readonly fields: readonly AnyField[];
  /** What cannot be made from a text. */
  readonly fresh: (name: string) => object;
}
const text = (key: string): AnyField => ({ key, label: key });
const KINDS: Readonly<Record<string, Kind>> = {
  employee: {
    create: restCalls.employeeCreate,
    update: restCalls.employeeUpdate,
    fields: ["name", "position", "remark"].map(text),
    fresh: (name) => ({ name, position: "0", remark: "0" }),
  },
  "dictionary entry": {
    create: restCalls.dictCreate,
    update: restCalls.dictUpdate,
    fields: [text("dictLabel"), text("remark"), { key: "dictSort", label: "", input: "number" }],
    fresh: (name) => ({
      dictType: "lost_updates",
      dictValue: name,
      dictLabel: "0",
      remark: "0",
      dictSort: 0,
    }),
  },
  setting: {
    create: restCalls.configCreate,
    update: restCalls.configUpdate,
    fields: ["configName", "configValue", "remark"].map(text),
    fresh: (name) => ({ configName: name, configKey: name, configValue: "0", remark: "0" }),
  },
};

let admins: TwoAdmins;
beforeAll(async () => {
  admins = await startTwoAdmins();
}, 60_000);
afterAll(() => admins.close());

const ask: TwoAdmins["ask"] = (call, person, json) => admins.ask(call, person, json);

/** A form of one of the two people. */
interface Form {
  readonly version: number;
  readonly editing: Editing;
  /** What the person typed and has not given up for the other one's. */
  readonly wanted: Values;
}

it.each(Object.entries(KINDS))(
  "No save of an %s is lost when two people edit it in twenty random orders",
  async (name, { create, update, fields, fresh }) => {
    const tally = { saved: 0, refused: 0, chosen: 0 };
    for (let round = 1; round <= INTERLEAVINGS; round += 1) {
      const seed = seedOf(round);
      const random = seededRandom(seed);
      const pick = <T>(all: readonly T[]): T => all[between(random, 0, all.length - 1)] as T;
      const made = await ask(create, 0, fresh(`lost_${seed}_${fields.length}`));
      expect([seed, made.body.msg]).toEqual([seed, "操作成功"]);
      let record = made.body.data as Fields;
      const { id } = record;
      const open = (): Form => ({
        version: record.version,
        editing: begun(looseValues(fields, record)),
        wanted: {},
      });
      const forms: [Form, Form] = [open(), open()];
      /** What the record should hold, and at which version each field was written last. */
      const expected = { ...looseValues(fields, record) };
      const written: Record<string, number> = {};
      let typedWords = 0;

      const type = (person: 0 | 1): void => {
        const form = forms[person];
        const field = pick(fields);
        typedWords += 1;
        const value = field.input === "number" ? typedWords : `${"AB"[person]}${typedWords}`;
        const values = { ...form.editing.values, [field.key]: value };
        forms[person] = {
          ...form,
          editing: typed(form.editing, values),
          wanted: { ...form.wanted, [field.key]: value },
        };
      };
      const choose = (person: 0 | 1): void => {
        const form = forms[person];
        const waiting = pick(undecided(form.editing));
        tally.chosen += 1;
        const side = pick(["mine", "theirs"] as const);
        const { key } = waiting.field;
        const others = Object.entries(form.wanted).filter(([other]) => other !== key);
        forms[person] = {
          ...form,
          editing: chosen(form.editing, side, key),
          wanted: side === "mine" ? form.wanted : Object.fromEntries(others),
        };
      };
      const save = async (person: 0 | 1): Promise<void> => {
        const { version, editing } = forms[person];
        const changed = changedValues(editing.base, editing.values);
        // What a person did not type is not sent, and what they typed is.
        expect([seed, changed]).toEqual([seed, forms[person].wanted]);
        const { status, body } = await ask(update, person, { id, version, ...changed });
        if (status === 200) {
          const now = body.data as Fields;
          for (const [key, value] of Object.entries(changed)) {
            // A person who writes over a value has seen the version that wrote it.
            expect(written[key] ?? 0, `seed ${seed}: ${key}`).toBeLessThanOrEqual(version);
            expected[key] = value;
            written[key] = now.version;
          }
          if (now.version > record.version) record = now;
          tally.saved += 1;
          forms[person] = {
            version: now.version,
            editing: begun(looseValues(fields, now)),
            wanted: {},
          };
          return;
        }
        const stale = staleVersions(
          new AppError("request.conflict", { details: body.details ?? {} }),
        );
        expect([seed, status, stale?.yours]).toEqual([seed, 409, changed]);
        const theirs = stale?.theirs as Fields;
        expect(theirs.version).toBeGreaterThan(version);
        tally.refused += 1;
        forms[person] = {
          ...forms[person],
          version: theirs.version,
          editing: rebased(editing, fields, looseValues(fields, theirs)),
        };
      };
      for (let step = 0; step < STEPS; step += 1) {
        const person = pick([0, 1] as const);
        const both =
          random() < 0.15 && forms.every(({ editing }) => undecided(editing).length === 0);
        if (both) {
          // Both press the button at once.
          await Promise.all([save(0), save(1)]);
        } else if (undecided(forms[person].editing).length > 0) choose(person);
        else if (random() < 0.55) type(person);
        else if (random() < 0.15) forms[person] = open();
        else await save(person);
        expect([seed, looseValues(fields, record)]).toEqual([seed, expected]);
      }
      const kept = await ask(update, 0, { id, version: record.version });
      expect([seed, looseValues(fields, kept.body.data as Fields)]).toEqual([seed, expected]);
    }
    console.log(`lost updates of an ${name}: seeds from ${seedOf(1)}`, tally);
    expect(tally.saved).toBeGreaterThan(2 * INTERLEAVINGS);
    expect(tally.refused).toBeGreaterThan(INTERLEAVINGS / 2);
    expect(tally.chosen).toBeGreaterThan(INTERLEAVINGS / 5);
  },
  // a slow machine makes some hundred requests in it
  300_000,
);
