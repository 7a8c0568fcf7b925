/** A conference of four whose media pass through Janus, which dies and restarts. */
import {
  createConference,
  expectPictures,
  four,
  joinById,
  others,
  slice,
} from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { freePort } from "../../scripts/lib/free-port.mjs";
import {
  JANUS_SECRET,
  janusPath,
  type JanusProcess,
  NO_JANUS,
  startJanus,
} from "../media/janus-process.ts";

const port = await freePort();
test.use({
  serverEnv: { MEDIA_EMBEDDED: "off", JANUS_URL: `ws://127.0.0.1:${port}`, JANUS_SECRET },
});

let janus: JanusProcess | null = null;
test.beforeAll(async () => {
  // Reason: Janus is a system package, not a dependency of this project.
  test.skip(janusPath === undefined, NO_JANUS);
  janus = await startJanus(port);
});
test.afterAll(() => janus?.close());

test("After Janus is killed and restarted in a conference of four, the members are the same and pictures return", async ({
  people,
}) => {
  test.setTimeout(240_000);
  const team = await four(people);
  const all = Object.values(team);
  const [a] = team.admin.pages;
  await createConference(a!, "消防演练", "");
  const id = (await slice(a!)).info?.confrId ?? "";
  for (const { pages } of all.slice(1)) await joinById(pages[0]!, id);
  for (const { pages, name } of all) await expectPictures(pages[0]!, others(name));
  const members = Object.keys((await slice(a!)).members).toSorted();

  await janus?.kill();
  await expect
    .poll(async () => Object.values((await slice(a!)).streams).map(({ connection }) => connection))
    .not.toContain("connected");
  await janus?.start();
  const began = Date.now();
  await Promise.all(all.map(({ pages, name }) => expectPictures(pages[0]!, others(name))));
  console.log(`      pictures on all sides ${Date.now() - began} ms after Janus`);
  for (const { pages } of all) {
    const { status, members: there } = await slice(pages[0]!);
    expect([status, Object.keys(there).toSorted()]).toEqual(["joined", members]);
  }
});
