import { expect, test } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { commands, type CallContext } from "../../../shared/protocol/core-rpc.ts";
import { defineCall, restCalls, type RestCall } from "../../../shared/protocol/rest/index.ts";
import { z } from "../../../shared/zod.ts";
import type { Http } from "../contracts.ts";
import { createPageCalls } from "./index.ts";

const context: CallContext = { tabId: "t", id: "i" };
const shared = { method: "GET", path: "/things", summary: "", auth: "bearer" } as const;
const things = defineCall({
  ...shared,
  id: "things.list",
  page: true,
  query: z.object({ limit: z.number() }),
  data: z.array(z.string()),
});
const hidden = defineCall({ ...shared, id: "things.hidden" });

function setUp() {
  const asked: unknown[] = [];
  const answers: unknown[] = [];
  const call = (of: RestCall, input: unknown) => {
    asked.push([of.id, input]);
    return Promise.resolve(["a"]);
  };
  const rest = createPageCalls({
    http: { call: call as unknown as Http["call"] },
    calls: [things, hidden],
    onAnswer: (of, answer) => void answers.push([of.id, answer]),
  });
  return { rest, asked, answers };
}

test("A page's call is made with its input, and its answer is reported and returned", async () => {
  const { rest, asked, answers } = setUp();
  const input = { query: { limit: 2 } };
  const parsed = commands.rest.call.input.parse({ call: "things.list", ...input });
  expect(await rest.call(parsed, context)).toEqual(["a"]);
  expect(asked).toEqual([["things.list", input]]);
  expect(answers).toEqual([["things.list", ["a"]]]);
});

test.each(["things.hidden", "things.none", "toString"])(
  "A call that pages may not make is refused and not sent: %s",
  async (id) => {
    const { rest, asked } = setUp();
    await expect(rest.call({ call: id }, context)).rejects.toEqual(
      new AppError("core.bad-message", { details: { call: id } }),
    );
    expect(asked).toEqual([]);
  },
);

test("Calls that pages may make use the session's token and answer JSON", () => {
  const calls: readonly RestCall[] = Object.values(restCalls);
  const open = calls.filter((call) => call.page === true);
  expect(open.length).toBeGreaterThan(0);
  for (const { id, auth, bodyType = "json", file = false } of open) {
    expect([id, auth, bodyType, file]).toEqual([id, "bearer", "json", false]);
  }
});
