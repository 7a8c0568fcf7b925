/**
 * Three people, each with three tabs and a second device, change a group in every way that the console has. All tabs of all of them
 * show each step within a second, and the gateway and the backend then have the same members.
 */
import { seededRandom } from "../../src/shared/mutate.harness.ts";
import { expect, test } from "../support/fixtures.ts";
import { createDrawing } from "../support/group-model.ts";
import {
  act,
  afterStep,
  chatOpen,
  createServerLook,
  expectedAtServer,
  expectInAllTabs,
  groupPeople,
  makeGroup,
  MEMBERS,
  TAB_ACTS,
} from "../support/group-tabs.ts";
import { timeLimit } from "../support/time-limits.ts";

/** ms from the answer to a step until all tabs show it. */
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
  const random = seededRandom(2028);
  const drawing = createDrawing(random, TAB_ACTS, MEMBERS);
  let model = await makeGroup(all.pagesOf("zhangwei")[0]!, "zhangwei", "lina");
  await expectInAllTabs(all, model, "the new group");
  const times: number[] = [];
  for (let n = 0; drawing.untried().length > 0; n += 1) {
    expect(n, drawing.untried().join(", ")).toBeLessThan(MOST_STEPS);
    const step = drawing.draw(model);
    const about = `${n}: ${step.actor}, ${step.act}, ${step.other}`;
    const pages = all.pagesOf(step.actor);
    const { after, allowed } = afterStep(model, step);
    const answer = await act(pages[n % pages.length]!, model, step);
    expect(answer === "done", `${about}: ${answer}`).toBe(allowed);
    if (allowed) model = after;
    times.push(await expectInAllTabs(all, model, about));
    expect(await atServer(model), about).toEqual(expectedAtServer(model));
    drawing.count(step.act, allowed);
  }
  const sorted = times.toSorted((a, b) => a - b);
  console.log(
    `      ${times.length} steps: seen everywhere after p50 ${Math.round(sorted[times.length >> 1] ?? 0)} ms, ` +
      `at most ${Math.round(sorted.at(-1) ?? 0)} ms`,
  );
  expect(Math.max(...times)).toBeLessThan(timeLimit(SOON));
});
