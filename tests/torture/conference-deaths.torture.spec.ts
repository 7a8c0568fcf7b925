/**
 * A conference of four in which a tab with the media, a core or the server is killed again and again. Each time, all media must
 * be back within 5 s.
 */
import type { Page } from "@playwright/test";
import { coreId, crash, killCore } from "../support/crash.ts";
import {
  CONFERENCE_PAGE,
  createConference,
  expectPairs,
  four,
  joinById,
  joined,
  others,
  slice,
} from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import type { Person } from "../support/people.ts";
import { between, rounds, tortureRandom } from "../support/seed.ts";

// The random pauses below choose the moment of each kill; no assertion waits for them.
const ROUNDS = rounds(20);
/** Most ms until every pair has picture and sound again. */
const BACK = 5000;
const NAMES = ["admin", "lina", "ops", "zhangwei"] as const;

async function meeting(people: Parameters<typeof four>[0]) {
  const team = await four(people);
  const pages = new Map<string, Page>(NAMES.map((name) => [name, team[name].pages[0]!]));
  const page = (name: string): Page => pages.get(name)!;
  const confrId = await createConference(page("admin"), "演练");
  for (const name of NAMES.slice(1)) await joinById(page(name), confrId);
  for (const name of NAMES) await expectPairs(page(name), others(name));
  const members = Object.keys((await slice(page("admin"))).members).toSorted();
  /**
   * Waits until every pair has picture and sound, and no member was added or lost.
   *
   * @returns ms from `at` until the last pair's first new frame was decoded and its sound was received
   */
  const back = async (at: number): Promise<number> => {
    const proved = await Promise.all(
      NAMES.map(async (name) => {
        await joined(page(name));
        return expectPairs(page(name), others(name));
      }),
    );
    const pairs = proved.flat();
    expect(pairs).toHaveLength(NAMES.length * (NAMES.length - 1));
    const took = Math.max(...pairs.map(({ since }) => since)) - at;
    expect(Object.keys((await slice(page("admin"))).members).toSorted()).toEqual(members);
    return took;
  };
  return { team, pages, page, back };
}

function report(what: string, waits: readonly number[]): void {
  const sorted = waits.toSorted((x, y) => x - y);
  console.log(`      ${what}: p50 ${sorted[sorted.length >> 1]} ms, at most ${sorted.at(-1)} ms`);
  expect(waits.filter((wait) => wait > BACK)).toEqual([]);
}

/** A random time, so that a death comes at any moment. @param most ms */
const aWhile = (page: Page, random: () => number, most: number): Promise<void> =>
  page.waitForTimeout(between(random, 0, most));

test(`A conference of four recovers each of ${ROUNDS} times that the tab with the media is killed`, async ({
  people,
}) => {
  test.setTimeout(120_000 + ROUNDS * 30_000);
  const random = tortureRandom("tabs killed in a conference");
  const { team, pages, page, back } = await meeting(people);
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = NAMES[between(random, 0, 3)] ?? "lina";
    const who: Person = team[name];
    const next = await who.open(CONFERENCE_PAGE);
    await expect(next.getByRole("button", { name: "在此标签页打开" })).toBeVisible();
    await aWhile(next, random, 1000);
    const dead = page(name);
    const at = Date.now();
    await crash(dead);
    pages.set(name, next);
    waits.push(await back(at));
    await dead.close();
  }
  report(`${ROUNDS} tabs killed`, waits);
});

test(`A conference of four recovers each of ${ROUNDS} times that a core is killed`, async ({
  people,
}) => {
  test.setTimeout(120_000 + ROUNDS * 30_000);
  const random = tortureRandom("cores killed in a conference");
  people.expectComplaints(/WebSocket connection|Failed to load resource/);
  const { page, back } = await meeting(people);
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = NAMES[between(random, 0, 3)] ?? "lina";
    await aWhile(page(name), random, 1000);
    const before = await coreId(page(name));
    const at = Date.now();
    await killCore(page(name));
    await expect.poll(() => coreId(page(name)), { intervals: [20] }).not.toBe(before);
    waits.push(await back(at));
  }
  report(`${ROUNDS} cores killed`, waits);
});

test(`A conference of four recovers each of ${ROUNDS} times that the server is killed`, async ({
  people,
  server,
}) => {
  test.setTimeout(120_000 + ROUNDS * 60_000);
  const random = tortureRandom("servers killed in a conference");
  people.expectComplaints(/WebSocket connection|ERR_CONNECTION|Failed to load resource/);
  const { page, back } = await meeting(people);
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await aWhile(page("admin"), random, 1000);
    await server.kill("SIGKILL");
    await aWhile(page("admin"), random, 3000);
    await server.start();
    waits.push(await back(Date.now()));
  }
  report(`${ROUNDS} servers killed, from when it is up`, waits);
});
