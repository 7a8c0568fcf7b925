import { expect, it } from "vitest";
import { LEFT_ALONE } from "../../shared/domain/renewal.ts";
import { initialSlices } from "../../shared/protocol/initial-state.ts";
import { createFakeClock, settle } from "../../workers/core/core.fake.ts";
import { createRenewals, LOOK_EVERY } from "./renewal.ts";

function setUp() {
  const clock = createFakeClock();
  const state = initialSlices({ coreId: "c", build: "b1", now: 0 });
  const connection = {
    state: "ready" as "ready" | "failed",
    unsupported: null,
    newerBuild: null as string | null,
    unreachable: false,
  };
  const work = { inCall: false, importing: false, sending: false };
  const person = { hidden: true, touchedAt: 0, unsaved: false, tried: null as string | null };
  const reloads: string[] = [];
  let asked = 0;
  const renewals = createRenewals({
    core: {
      connection,
      state,
      commands: {
        worker: {
          busy: () => {
            asked += 1;
            return Promise.resolve({ ...work });
          },
        },
      },
    },
    page: {
      hidden: () => person.hidden,
      touchedAt: () => person.touchedAt,
      unsaved: () => person.unsaved,
      tried: () => person.tried,
      reload: (build) => void reloads.push(build),
    },
    clock,
    random: () => 0.5,
  });
  const deploy = (build: string | null): void => {
    connection.newerBuild = build;
    renewals.changed();
  };
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await settle();
  };
  return {
    clock,
    state,
    connection,
    work,
    person,
    reloads,
    renewals,
    deploy,
    pass,
    asked: () => asked,
  };
}

it("A hidden tab in which nothing goes on reloads after a pause that differs from tab to tab", async () => {
  const { reloads, deploy, pass } = setUp();
  deploy("b2");
  await pass(LOOK_EVERY / 2 - 1);
  expect(reloads).toEqual([]);
  await pass(1);
  expect(reloads).toEqual(["b2"]);
});

it("A tab waits for the end of what goes on, also of what only the core knows", async () => {
  const { reloads, deploy, pass, person, work } = setUp();
  person.unsaved = true;
  deploy("b2");
  await pass(LOOK_EVERY);
  person.unsaved = false;
  work.importing = true;
  await pass(LOOK_EVERY);
  expect(reloads).toEqual([]);
  work.importing = false;
  await pass(LOOK_EVERY);
  expect(reloads).toEqual(["b2"]);
});

it("A tab that the person looks at reloads once it is left alone, without asking the core before", async () => {
  const { reloads, deploy, pass, person, clock, asked } = setUp();
  person.hidden = false;
  person.touchedAt = clock.now();
  deploy("b2");
  await pass(LOOK_EVERY);
  expect([reloads, asked()]).toEqual([[], 0]);
  person.touchedAt = clock.now() - LEFT_ALONE;
  await pass(LOOK_EVERY);
  expect(reloads).toEqual(["b2"]);
});

it("A call keeps every tab until its end", async () => {
  const { reloads, deploy, pass, state } = setUp();
  state.call.status = "chat";
  deploy("b2");
  await pass(2 * LOOK_EVERY);
  expect(reloads).toEqual([]);
  state.call.status = "idle";
  await pass(LOOK_EVERY);
  expect(reloads).toEqual(["b2"]);
});

it("A tab without a core reloads, but not under a call whose core is gone", async () => {
  const { reloads, deploy, pass, state, connection, asked } = setUp();
  connection.state = "failed";
  state.call.status = "chat";
  deploy("b2");
  await pass(2 * LOOK_EVERY);
  expect(reloads).toEqual([]);
  state.call.status = "idle";
  await pass(LOOK_EVERY);
  expect([reloads, asked()]).toEqual([["b2"], 0]);
});

it("A tab that got the old build again by its reload does not reload for the same build", async () => {
  const { reloads, deploy, pass, person } = setUp();
  person.tried = "b2";
  deploy("b2");
  await pass(3 * LOOK_EVERY);
  expect(reloads).toEqual([]);
  deploy("b3");
  await pass(LOOK_EVERY);
  expect(reloads).toEqual(["b3"]);
});

it("A deployment that is taken back, and a tab that ends, leave no timer", async () => {
  const { reloads, deploy, pass, clock, renewals } = setUp();
  deploy("b2");
  deploy(null);
  await pass(2 * LOOK_EVERY);
  expect([reloads, clock.pending]).toEqual([[], 0]);
  deploy("b2");
  renewals.stop();
  expect(clock.pending).toBe(0);
});
