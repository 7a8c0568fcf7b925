/** What the tests that kill cores during chat do in each round: cause deaths, and compare what all devices show. */
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { pick } from "../../src/shared/mutate.harness.ts";
import { between } from "../support/seed.ts";
import type { TestServer } from "../support/server.ts";
import { type Core, isOrdered, shown } from "./chat-cores.ts";

/** Messages of a round. */
export const MESSAGES = 40;
/** Most ms until all devices agree after a round. */
export const WHOLE = 90_000;

export interface Deaths {
  core: number;
  socket: number;
  server: number;
}

/** Kills a core or the server, or cuts a socket, three times at random moments, and counts it in `deaths`. */
export async function causeDeaths(
  random: () => number,
  server: TestServer,
  cores: readonly Core[],
  deaths: Deaths,
): Promise<void> {
  for (let n = 0; n < 3; n += 1) {
    await pause(between(random, 0, 900));
    const what = pick(random, ["core", "core", "socket", "socket", "server"] as const);
    deaths[what] += 1;
    if (what === "core") pick(random, cores).kill();
    else if (what === "socket") pick(random, cores).cut();
    else {
      await server.kill("SIGKILL");
      await pause(between(random, 0, 500));
      await server.start();
    }
  }
}

/** Lines that only one of two lists has, by their side; the places that differ when both have the same lines. */
function differences(first: readonly string[], other: readonly string[]): string[] {
  const only = [
    ...first.filter((line) => !other.includes(line)).map((line) => `- ${line}`),
    ...other.filter((line) => !first.includes(line)).map((line) => `+ ${line}`),
  ];
  if (only.length > 0) return only;
  return first.flatMap((line, at) => (line === other[at] ? [] : [`at ${at}: ${line}`]));
}

/** Waits until all devices show `texts`, each once, in the server's order and sent, and the same list everywhere. */
export const expectAgreement = (
  cores: readonly Core[],
  texts: readonly string[],
): Promise<unknown> =>
  expect
    .poll(
      async () => {
        const looks = await Promise.all(
          cores.map(async (core) => {
            const { conversation } = await core.look();
            // A core that began from zero has read the newest page alone.
            const isShort = (conversation?.order.length ?? 0) < MESSAGES;
            if (isShort && conversation?.historyEnd !== true) await core.scrollUp();
            return await core.look();
          }),
        );
        const [first = [], ...others] = looks.map((look) => shown(look, MESSAGES));
        return {
          complete: texts.filter((text) => first.some((line) => line.includes(text))).length,
          differing: others
            .map((lines) => differences(first, lines))
            .filter(({ length }) => length > 0),
          once: new Set(first).size === first.length,
          ordered: isOrdered(first),
          unsent: first.filter((line) => line.startsWith("null")).length,
        };
      },
      { timeout: WHOLE, interval: 200 },
    )
    .toEqual({ complete: texts.length, differing: [], once: true, ordered: true, unsent: 0 });

export const deathsText = ({ core, socket, server }: Deaths): string =>
  `killed: ${core} cores, ${socket} sockets, ${server} servers`;
