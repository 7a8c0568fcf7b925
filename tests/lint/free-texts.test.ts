/** No call lets people write a text that nobody tries with hostile ones (tests/support/free-texts.ts, docs/server.md#texts-of-people). */
import { zhCN } from "zod/locales";
import { expect, test } from "vitest";
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";
import {
  FILE_CALLS,
  freeTextsOf,
  ruleOf,
  shownTextsOf,
  TEXT_RULES,
} from "../support/free-texts.ts";
import { HOSTILE_CASES, UNFIT_CASES } from "../support/hostile.ts";
import { USUAL_CALLS } from "../support/usual-calls.ts";
import { TRIED_ELSEWHERE, WRITERS } from "../server/kept-texts.ts";

const CALLS: readonly RestCall[] = Object.values(restCalls);
const IN_CHINESE = { error: zhCN().localeError };
/** What zod says of a rule without a text of its own. */
const UNSAID = "无效输入";

test("Each call that keeps a text is tried with hostile texts", () => {
  const keeping = CALLS.filter((call) => shownTextsOf(call).length > 0).map(({ id }) => id);
  const tried = [...Object.keys(WRITERS), ...Object.keys(TRIED_ELSEWHERE)];
  expect(
    keeping.filter((id) => !tried.includes(id)),
    "not tried",
  ).toEqual([]);
  expect(
    tried.filter((id) => !keeping.includes(id)),
    "without a text",
  ).toEqual([]);
});

test("Each rule is of a text that a call lets people write", () => {
  const free = CALLS.flatMap((call) => freeTextsOf(call).map(({ place }) => `${call.id} ${place}`));
  const ruled = Object.entries(TEXT_RULES).flatMap(([id, places]) =>
    Object.keys(places).map((place) => `${id} ${place}`),
  );
  expect(ruled.filter((one) => !free.includes(one))).toEqual([]);
});

test("Each text without a rule of its own is given on to the letter, or without blanks at both ends", () => {
  const wrong = CALLS.flatMap((call) =>
    freeTextsOf(call)
      .filter(({ place }) => ruleOf(call, place) === undefined)
      .flatMap(({ place, schema }) =>
        HOSTILE_CASES.flatMap(({ name, text }) => {
          const { success, data } = schema.safeParse(text);
          return !success || data === text || data === text.trim()
            ? []
            : [`${call.id} ${place}: ${name} becomes ${JSON.stringify(data)}`];
        }),
      ),
  );
  expect(wrong).toEqual([]);
});

test("Each call that takes a file is known", () => {
  const found = CALLS.filter(({ bodyType }) => bodyType === "multipart").map(({ id }) => id);
  expect(found.sort()).toEqual([...FILE_CALLS].sort());
});

/** What is compared by a hash, or read by nothing, may be any text; so may what is compared with a list. */
const ANY = ["secret", "ignored", "named"];

test("Each free text that reaches the database refuses what it cannot keep, and says so in words", () => {
  const wrong = CALLS.flatMap((call) =>
    freeTextsOf(call)
      .filter(({ place }) => !ANY.includes(ruleOf(call, place) ?? ""))
      // A wrong text of an import refuses its row and not the whole chunk.
      .filter(() => call.id !== "imports.chunk")
      .flatMap(({ place, schema }) =>
        UNFIT_CASES.flatMap(({ name, text }) => {
          const [issue] = schema.safeParse(`甲${text}`, IN_CHINESE).error?.issues ?? [];
          return issue !== undefined &&
            /\p{Script=Han}{4}/u.test(issue.message) &&
            issue.message !== UNSAID
            ? []
            : [`${call.id} ${place}: ${name}: ${issue?.message ?? "taken"}`];
        }),
      ),
  );
  expect(wrong).toEqual([]);
});

test("The search for free texts finds those inside lists, choices and transformed texts", () => {
  const placesOf = (id: string): readonly string[] =>
    freeTextsOf(CALLS.find((call) => call.id === id)!).map(({ place }) => place);
  expect(placesOf("employees.createMany")).toContain("body[].custom.*");
  expect(placesOf("employees.invite")).toContain("body.department");
  expect(placesOf("employees.advancedFiltering")).toContain("body.filter.rules[].value[]");
  expect(placesOf("departments.create")).not.toContain("body.headId");
});

test("Lists of records with a version are tried without a line of their own", () => {
  expect(USUAL_CALLS.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["config", "dict", "roles"]),
  );
});
