/**
 * Three people, each with three tabs and a second device, make a group, change it in every way that the console has, and dissolve it.
 * All tabs of all of them show each step within a second from its begin, in their state and, where the group's conversation is open, on
 * the screen. The gateway and the backend then have the same members.
 */
import { seededRandom } from "../../src/shared/mutate.harness.ts";
import { expect, test } from "../support/fixtures.ts";
import { createDrawing, FIRST_TEXTS, type GroupModel } from "../support/group-model.ts";
import {
  act,
  afterStep,
  chatOpen,
  createServerLook,
  dissolve,
  dissolved,
  expectedAtServer,
  expectInAllTabs,
  expectNamedInAllTabs,
  groupPeople,
  makeGroup,
  MEMBERS,
  openOnEachDevice,
  TAB_ACTS,
} from "../support/group-tabs.ts";
import { timeLimit } from "../support/time-limits.ts";

/** ms from the begin of a step until all tabs show it. */
const SOON = 1000;
/** More than it takes until each act was done once and refused once. */
const MOST_STEPS = 200;

test("Every step of a group is seen in three tabs and on a second device of three people within a second", async ({
  people,
  server,
}) => {
  const opened = async (name: string) => [
    await people.loggedIn(name, { tabs: 3 }),
    await people.loggedIn(name),
  ];
  const all = groupPeople({
    zhangwei: await opened("zhangwei"),
    lina: await opened("lina"),
    admin: await opened("admin"),
  });
  for (const name of MEMBERS) await Promise.all(all.pagesOf(name).map(chatOpen));
  const atServer = createServerLook(server);
  const random = seededRandom(2303);
  const drawing = createDrawing(random, TAB_ACTS, MEMBERS);
  const times: { readonly ms: number; readonly about: string }[] = [];
  let began = performance.now();
  // Its number is not known before the answer.
  const [made, shown] = await Promise.all([
    makeGroup(all.pagesOf("zhangwei")[0]!, "zhangwei", "lina"),
    expectNamedInAllTabs(all, FIRST_TEXTS.name, ["zhangwei", "lina"], began),
  ]);
  times.push({ ms: shown, about: "the new group" });
  let model = made;
  for (const name of MEMBERS) await openOnEachDevice(all, name, model.id);
  for (const name of MEMBERS) await Promise.all(all.pagesOf(name).map(chatOpen));
  await expectInAllTabs(all, model, "the new group on the screens");
  /** The act is done or refused; all tabs show within a second from its begin what became of the group. */
  const seen = async (
    about: string,
    run: () => Promise<string>,
    { after, allowed }: { readonly after: GroupModel; readonly allowed: boolean },
  ): Promise<void> => {
    began = performance.now();
    const answered = run().then((answer) =>
      expect(answer === "done", `${about}: ${answer}`).toBe(allowed),
    );
    if (allowed) model = after;
    else await answered;
    const [ms] = await Promise.all([expectInAllTabs(all, model, about, began), answered]);
    times.push({ ms, about });
    expect(await atServer(model), about).toEqual(expectedAtServer(model));
  };
  for (let n = 0; drawing.untried().length > 0; n += 1) {
    expect(n, drawing.untried().join(", ")).toBeLessThan(MOST_STEPS);
    const step = drawing.draw(model);
    const pages = all.pagesOf(step.actor);
    const before = model;
    const outcome = afterStep(before, step);
    const about = `${n}: ${step.actor}, ${step.act}, ${step.other}`;
    await seen(about, () => act(pages[n % pages.length]!, before, step), outcome);
    drawing.count(step.act, outcome.allowed);
  }
  const last = model;
  for (const name of MEMBERS.toSorted((a) => (a === last.owner ? 1 : -1))) {
    const outcome = { after: dissolved(last), allowed: name === last.owner };
    await seen(`${name}, dissolve`, () => dissolve(all.pagesOf(name)[1]!, last), outcome);
  }
  const sorted = times.toSorted((a, b) => a.ms - b.ms);
  const words = sorted.map(({ ms, about }) => `${Math.round(ms)} ms: ${about}`);
  console.log(
    `      ${words.length} steps: seen everywhere after p50 ${words[words.length >> 1]}, ` +
      `the longest ${words.slice(-5).join("; ")}`,
  );
  expect(sorted.filter(({ ms }) => ms >= timeLimit(SOON))).toEqual([]);
});
