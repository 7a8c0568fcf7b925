/**
 * A member's network is really cut or changed: the virtual cable of a browser in a network namespace. A cut of 20 s must not
 * remove the member.
 */
import {
  CONFERENCE_PAGE,
  createConference,
  expectPictures,
  joinById,
  joined,
  memberNames,
} from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { noNamespaces, otherMachine } from "../support/netns.ts";
import { loggedIn } from "../support/people.ts";

const why = noNamespaces();

test("After a cut of 2 s, one of 20 s, and another address, the member stays and pictures return", async ({
  people,
  server,
}) => {
  // `why` says what the machine lacks for this network.
  test.skip(why !== null, why ?? "");
  test.setTimeout(240_000);
  const machine = otherMachine(1);
  try {
    const origin = `http://${machine.gateway}:${new URL(server.url).port}`;
    const browser = await machine.launch(origin);
    const far = await loggedIn(browser, origin, "lina", { path: CONFERENCE_PAGE });
    const near = await people.loggedIn("zhangwei", { path: CONFERENCE_PAGE });
    const [f, n] = [far.pages[0]!, near.pages[0]!];
    const id = await createConference(n, "断网演练");
    await joinById(f, id);
    await expectPictures(f, ["zhangwei"]);
    await expectPictures(n, ["lina"]);
    // Records a member that disappears even for a moment.
    await n.evaluate(() => {
      globalThis.lost = 0;
      let before = Object.keys(globalThis.consoleCore.state.conference.members).length;
      setInterval(() => {
        const now = Object.keys(globalThis.consoleCore.state.conference.members).length;
        if (now < before) globalThis.lost += 1;
        before = now;
      }, 100);
    });
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const back = async (what: string): Promise<void> => {
      const began = Date.now();
      await joined(f);
      await expectPictures(f, ["zhangwei"]);
      await expectPictures(n, ["lina"]);
      console.log(`      ${what}: pictures on both sides after ${Date.now() - began} ms`);
      expect(await memberNames(n)).toEqual(["lina", "zhangwei"]);
    };
    for (const seconds of [2, 20]) {
      machine.unplug();
      await wait(seconds * 1000);
      machine.plug();
      await back(`a cut of ${seconds} s`);
    }
    machine.moveTo(7);
    await back("another address");
    expect(await n.evaluate(() => globalThis.lost)).toBe(0);
    await far.close();
  } finally {
    await machine.dispose();
  }
});

declare global {
  var lost: number;
}
