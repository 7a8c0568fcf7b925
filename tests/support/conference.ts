/** Helpers for tests of conferences. They act by clicks and judge by what people see, by getStats and by pixels. */
import type { Page } from "@playwright/test";
import type { ConferenceSlice } from "../../src/shared/protocol/state.ts";
import { expect } from "./fixtures.ts";
import type { LoginOptions, Person } from "./people.ts";
import { expectArriving } from "./rtc.ts";
import { MEDIA_PATIENCE } from "./time-limits.ts";
import { consoleStarted } from "./started.ts";

export const CONFERENCE_PAGE = "/im/conference";

/** Creates a conference in the lobby and waits until it is joined. @returns its id */
export async function createConference(page: Page, name: string, password = ""): Promise<string> {
  const form = page.getByRole("form", { name: "创建会议" });
  await form.getByLabel("会议名称").fill(name);
  if (password !== "") await form.getByLabel("会议密码").fill(password);
  await form.getByRole("button", { name: "创建会议" }).click();
  await joined(page);
  return (await slice(page)).info?.confrId ?? "";
}

export async function joinFromLobby(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `加入 ${name}` }).click();
  await joined(page);
}

export async function joinById(page: Page, id: string, password = ""): Promise<void> {
  const form = page.getByRole("form", { name: "加入会议" });
  await form.getByLabel("会议号或邀请链接").fill(id);
  if (password !== "") await form.getByLabel("会议密码").fill(password);
  await form.getByRole("button", { name: "加入会议" }).click();
  await joined(page);
}

export async function slice(page: Page): Promise<ConferenceSlice> {
  await consoleStarted(page);
  return page.evaluate(
    () => JSON.parse(JSON.stringify(globalThis.consoleCore.state.conference)) as ConferenceSlice,
  );
}

export async function joined(page: Page): Promise<void> {
  await expect(page.locator(".conference-inside")).toHaveAttribute("data-status", "joined", {
    timeout: MEDIA_PATIENCE,
  });
}

/** Chat user names of the members, as this page shows them. */
export const memberNames = async (page: Page): Promise<string[]> =>
  Object.values((await slice(page)).members)
    .map((member) => member.memName)
    .toSorted();

export interface TileState {
  readonly member: string;
  readonly width: number;
  readonly hash: string | null;
}

/** The current pictures of the other members' tiles: size, and a hash of the pixels. */
export function tiles(page: Page): Promise<TileState[]> {
  return page.evaluate(() => {
    return [...document.querySelectorAll<HTMLElement>(".conference-tile")].flatMap((tile) => {
      const video = tile.querySelector("video");
      if (video === null || video.dataset["self"] === "true") return [];
      return [
        {
          member: tile.dataset["member"] ?? "",
          width: video.videoWidth,
          hash: globalThis.pictureHash(video),
        },
      ];
    });
  });
}

/** Waits until frames and audio arrive and the pictures of all these members change. */
export async function expectPictures(page: Page, members: readonly string[]): Promise<void> {
  const { length } = members;
  await expectArriving(
    page,
    { frames: 5 * length + 1, audioPackets: 10 * length + 1 },
    MEDIA_PATIENCE,
  );
  await expect
    .poll(
      async () => {
        const first = await tiles(page);
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 250)));
        const second = await tiles(page);
        return members.filter((member) => {
          const a = first.find((tile) => tile.member === member)?.hash ?? null;
          const b = second.find((tile) => tile.member === member)?.hash ?? null;
          return a !== null && b !== null && a !== b;
        });
      },
      { timeout: MEDIA_PATIENCE, message: "moving pictures" },
    )
    .toEqual([...members]);
}

/** Waits until every page has the same members, roles and streams. */
export async function expectEqualViews(people: readonly Person[]): Promise<void> {
  await expect
    .poll(
      async () => {
        const views = await Promise.all(
          people.map(async ({ pages: [page] }) => {
            const { members, streams, muteAll, attrs } = await slice(page!);
            return JSON.stringify({
              members: Object.values(members)
                .map(({ memId, role }) => [memId, role])
                .toSorted(),
              streams: Object.values(streams)
                .map(({ id, memId, type, voff, aoff }) => [id, memId, type, voff, aoff])
                .toSorted(),
              muteAll,
              attrs,
            });
          }),
        );
        return new Set(views).size;
      },
      { timeout: MEDIA_PATIENCE, message: "equal views" },
    )
    .toBe(1);
}

/** The people in a conference of four. */
const NAMES = ["admin", "lina", "ops", "zhangwei"] as const;
/** Everyone except this person. */
export const others = (name: string): string[] => NAMES.filter((one) => one !== name);

export interface Four {
  readonly admin: Person;
  readonly lina: Person;
  readonly ops: Person;
  readonly zhangwei: Person;
}

/**
 * Each person in a separate browser context, at the conference page. lina has two tabs.
 * @param killed the person whose core the test kills
 */
export async function four(
  people: { loggedIn(name: string, options?: LoginOptions): Promise<Person> },
  killed?: keyof Four,
): Promise<Four> {
  const at = { path: CONFERENCE_PAGE };
  return {
    admin: await people.loggedIn("admin", at),
    lina: await people.loggedIn("lina", { ...at, tabs: 2 }),
    ops: await people.loggedIn("ops", at),
    zhangwei: await people.loggedIn("zhangwei", { ...at, killsCore: killed === "zhangwei" }),
  };
}

/** What one page receives from one member. */
export interface Pair {
  readonly member: string;
  readonly frames: number;
  readonly audioPackets: number;
  /** Last audio level, 0..1. */
  readonly level: number;
  readonly energy: number;
  /** What a failed test says of the connection and of its picture. */
  readonly connection: string;
}

/** For each tile of another member, the connection that carries it and what it has received. */
export function pairs(page: Page): Promise<Pair[]> {
  return page.evaluate(async () => {
    const found: Pair[] = [];
    for (const tile of document.querySelectorAll<HTMLElement>(".conference-tile")) {
      const video = tile.querySelector("video");
      if (video === null || video.dataset["self"] === "true") continue;
      const ids = ((video.srcObject as MediaStream | null)?.getTracks() ?? []).map(({ id }) => id);
      const pc = (globalThis.peerConnections ?? []).find(
        (one) =>
          one.connectionState !== "closed" &&
          one.getReceivers().some(({ track }) => ids.includes(track.id)),
      );
      if (pc === undefined) continue;
      const pair = { frames: 0, audioPackets: 0, level: 0, energy: 0, connection: "" };
      (await pc.getStats()).forEach((entry: Record<string, unknown>) => {
        if (entry["type"] !== "inbound-rtp") return;
        if (entry["kind"] === "video") {
          pair.frames = Number(entry["framesDecoded"] ?? 0);
          const { packetsReceived, packetsLost, keyFramesDecoded, pliCount } = entry;
          pair.connection = `${pc.connectionState} ${JSON.stringify({ packetsReceived, packetsLost, keyFramesDecoded, pliCount })}`;
        } else {
          pair.audioPackets = Number(entry["packetsReceived"] ?? 0);
          pair.level = Number(entry["audioLevel"] ?? 0);
          pair.energy = Number(entry["totalAudioEnergy"] ?? 0);
        }
      });
      found.push({ member: tile.dataset["member"] ?? "", ...pair });
    }
    return found;
  });
}

/** A pair whose media was proved. */
export interface ProvedPair extends Pair {
  /** When frames were decoded and sound was received first over the pair's connection, ms since the epoch. */
  readonly since: number;
}

/**
 * Waits until frames of each of these members are decoded and sound is heard, over the connection of that pair. The fake
 * microphone beeps once per second, so the proof takes longer than the media; `since` is when the media came.
 *
 * @param options.interval ms between two looks, which read the statistics of every connection
 * @param options.patience ms for all of them
 * @returns what each pair has received, with the loudest level per member
 */
export async function expectPairs(
  page: Page,
  members: readonly string[],
  { sound = true, interval = 100, patience = MEDIA_PATIENCE } = {},
): Promise<ProvedPair[]> {
  const first = new Map<string, Pair>();
  const since = new Map<string, number>();
  const loudest = new Map<string, number>();
  let now: Pair[] = [];
  const proved = expect
    .poll(
      async () => {
        now = await pairs(page);
        return members.filter((member) => {
          const pair = now.find((one) => one.member === member);
          if (pair === undefined) return false;
          const before = first.get(member);
          // A new connection counts from zero.
          if (before === undefined || pair.frames < before.frames) {
            first.set(member, pair);
            since.delete(member);
          }
          loudest.set(member, Math.max(pair.level, loudest.get(member) ?? 0));
          const { frames, energy, audioPackets } = first.get(member) ?? pair;
          const arrives = pair.frames > frames && (pair.audioPackets > audioPackets || !sound);
          const heard = pair.energy > energy && (loudest.get(member) ?? 0) > 0.01;
          const isProved = pair.frames >= frames + 10 && (heard || !sound);
          if ((arrives || isProved) && !since.has(member)) since.set(member, Date.now());
          return isProved;
        });
      },
      { timeout: patience, intervals: [interval], message: "frames and sound of each pair" },
    )
    .toEqual([...members]);
  await proved.catch((error: unknown) => {
    console.log(JSON.stringify(now, null, 1));
    throw error;
  });
  return members.flatMap((member) => {
    const pair = now.find((one) => one.member === member);
    const at = since.get(member);
    return pair === undefined || at === undefined
      ? []
      : [{ ...pair, since: at, level: loudest.get(member) ?? 0 }];
  });
}
