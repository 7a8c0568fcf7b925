import { expect, test } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { alertExt, alertMessageSchema } from "../../../shared/protocol/alert-message.ts";
import type { Http, SessionUser } from "../contracts.ts";
import { createFakeClock } from "../core.fake.ts";
import { createStore, initialSlices } from "../store/index.ts";
import { createAlerts } from "./index.ts";

const context = { tabId: "a", id: "1" };
/** The message as the server makes it. */
const message = (key: string, event: "began" | "ended" = "began") =>
  alertMessageSchema.parse(
    alertExt(
      event,
      {
        key,
        rule: "database-away",
        ruleName: "",
        level: "critical",
        subject: { kind: "database", name: "PostgreSQL" },
        companyName: "",
      },
      ["1", "2"],
    ),
  );

function setUp() {
  const store = createStore({
    clock: createFakeClock(),
    epoch: "e",
    newId: () => "1",
    slices: initialSlices({ coreId: "c", build: "b", now: 0 }),
  });
  const answers = new Map<string, string | null>();
  const users = new Set<(user: SessionUser | null) => void>();
  const call = (_call: unknown, { params }: { readonly params: { readonly id: string } }) => {
    const endTime = answers.get(params.id);
    return endTime === undefined
      ? Promise.reject(new AppError("request.not-found"))
      : Promise.resolve({ endTime });
  };
  const alerts = createAlerts({
    store,
    http: { call: call as unknown as Http["call"] },
    session: { onUser: (handler) => (users.add(handler), () => users.delete(handler)) },
  });
  return { alerts, answers, users, keys: () => Object.keys(store.get("alerts").byKey), store };
}

test("An alert stands in the slice from its beginning to its end, or until the person closes it", async () => {
  const { alerts, store, keys } = setUp();
  alerts.heard(message("a"));
  alerts.heard(message("b"));
  expect(store.get("alerts").byKey["a"]).toEqual({
    key: "a",
    rule: "database-away",
    ruleName: "",
    level: "critical",
    subject: { kind: "database", name: "PostgreSQL" },
    companyName: "",
    companies: ["1", "2"],
  });
  alerts.heard(message("a", "ended"));
  expect(keys()).toEqual(["b"]);
  await alerts.handlers.dismiss({ key: "b" }, context);
  await alerts.handlers.dismiss({ key: "b" }, context);
  expect(keys()).toEqual([]);
});

test("Of very many alerts the latest stay, and a logout takes all away", () => {
  const { alerts, users, keys } = setUp();
  for (let n = 0; n < 60; n += 1) alerts.heard(message(`k${n}`));
  expect([keys().length, keys()[0], keys().at(-1)]).toEqual([50, "k10", "k59"]);
  for (const user of users) user(null);
  expect(keys()).toEqual([]);
  alerts.stop();
  expect(users.size).toBe(0);
});

test("After the connection was away an alert that has ended meanwhile, or is unknown, goes", async () => {
  const { alerts, answers, keys } = setUp();
  for (const key of ["open", "ended", "unknown"]) alerts.heard(message(key));
  answers.set("open", null);
  answers.set("ended", "2026-11-28T02:00:00.000Z");
  alerts.missed();
  await expect.poll(keys).toEqual(["open"]);
});
