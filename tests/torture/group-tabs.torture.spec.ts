/**
 * Three people, each with three tabs and a second device, do random things with a group while cores, tabs and the server are killed.
 * After each step all tabs, the gateway and the backend agree with a model of the rules: what was answered is done, what was refused
 * is not, and what the death cut off is one or the other, everywhere.
 */
import { setTimeout as pause } from "node:timers/promises";
import { pick } from "../../src/shared/mutate.harness.ts";
import { killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { createDrawing, type GroupModel } from "../support/group-model.ts";
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
  modelViews,
  TAB_ACTS,
  viewsOf,
} from "../support/group-tabs.ts";
import type { Person } from "../support/people.ts";
import { between, rounds, tortureRandom } from "../support/seed.ts";

const STEPS = rounds(500);
/** Share of the steps during which something dies. */
const DEADLY = 0.25;
/** Most ms until all agree after a death. */
const WHOLE = 90_000;
/** All agree so long on what a death may have cut off, ms: a call that was on its way arrives within it, or never. */
const SETTLED = 1_500;

test(`${STEPS} random steps of a group end equal everywhere while cores, tabs and the server are killed`, async ({
  people,
  server,
}) => {
  test.setTimeout(240_000 + STEPS * 15_000);
  people.expectComplaints(/WebSocket connection|ERR_CONNECTION|Failed to load|preload CSS/);
  const random = tortureRandom("deaths during the steps of a group");
  const opened = async (name: string): Promise<readonly Person[]> => [
    await people.loggedIn(name, { tabs: 3 }),
    await people.loggedIn(name),
  ];
  const all = groupPeople({
    zhangwei: await opened("zhangwei"),
    lina: await opened("lina"),
    admin: await opened("admin"),
  });
  const ready = async (): Promise<void> => {
    for (const name of MEMBERS) await Promise.all(all.pagesOf(name).map(chatOpen));
  };
  await ready();
  const deaths = { core: 0, tab: 0, server: 0 };
  /** Kills something at a random moment; afterwards everybody has the tabs as before. */
  const kill = async (): Promise<void> => {
    await pause(between(random, 0, 80));
    const what = pick(random, ["core", "core", "tab", "tab", "server"] as const);
    deaths[what] += 1;
    const who = pick(random, all.tabs[pick(random, MEMBERS)]);
    const page = pick(
      random,
      who.pages.filter((one) => !one.isClosed()),
    );
    if (what === "core") return killCore(page);
    if (what === "tab") {
      // Opened before the other one closes, so that the last tab does not take the core along each time.
      const next = random() < 0.5 ? who.open("/im/people") : null;
      await page.close();
      await (next ?? who.open("/im/people"));
      return;
    }
    await server.kill("SIGKILL");
    await pause(between(random, 0, 500));
    await server.start();
  };
  const atServer = createServerLook(server);
  /** @returns which of these models all tabs, the gateway and the backend show, for some time */
  const settled = async (models: readonly GroupModel[], about: string): Promise<GroupModel> => {
    const deadline = performance.now() + WHOLE;
    let since = null as { readonly model: GroupModel; readonly at: number } | null;
    for (;;) {
      const views = JSON.stringify(await viewsOf(all, models[0]!.id));
      const fits = models.filter((one) => JSON.stringify(modelViews(all, one)) === views);
      // The block list is in no tab's state, so that two models can look the same there.
      const facts = fits[0] === undefined ? "" : JSON.stringify(await atServer(fits[0]));
      const model = fits.find((one) => JSON.stringify(expectedAtServer(one)) === facts);
      const now = performance.now();
      if (model === undefined) since = null;
      else if (since?.model !== model) since = { model, at: now };
      else if (now - since.at > SETTLED) return model;
      if (now > deadline) {
        expect(JSON.parse(views), `${about}: none of the states that it may be in`).toEqual(
          modelViews(all, models[0]!),
        );
      }
      await pause(50);
    }
  };

  const drawing = createDrawing(random, TAB_ACTS, MEMBERS);
  let model = await makeGroup(all.pagesOf("zhangwei")[0]!, "zhangwei", "lina");
  await expectInAllTabs(all, model, "the new group");
  let cut = 0;
  for (let n = 0; n < STEPS; n += 1) {
    const step = drawing.draw(model);
    const about = `${n}: ${step.actor}, ${step.act}, ${step.other}`;
    const page = pick(random, all.pagesOf(step.actor));
    const { after, allowed } = afterStep(model, step);
    const isDeadly = random() < DEADLY;
    const dying = isDeadly ? kill() : Promise.resolve();
    const answer = await act(page, model, step);
    await dying;
    if (!isDeadly) expect(answer === "done", `${about}: ${answer}`).toBe(allowed);
    if (answer === "done") expect(allowed, about).toBe(true);
    if (isDeadly) {
      await ready();
      const isOpen = allowed && answer !== "done";
      if (isOpen) cut += 1;
      const may = isOpen ? [model, after] : [allowed ? after : model];
      model = await settled(may, `${about}: ${answer}`);
    } else {
      model = allowed ? after : model;
      await expectInAllTabs(all, model, about);
    }
    expect(await atServer(model), about).toEqual(expectedAtServer(model));
    drawing.count(step.act, allowed);
  }
  if (STEPS >= 200) expect(drawing.untried()).toEqual([]);
  console.log(
    `      ${STEPS} steps, killed: ${deaths.core} cores, ${deaths.tab} tabs, ${deaths.server} servers; ` +
      `${cut} steps without an answer`,
  );
});
