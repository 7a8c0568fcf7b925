/** The unmodified package easemob-emedia over a minute of pictures, a long cut of its socket, and the death of the server. */
import type { Client } from "../emedia/client.ts";
import { expect, type Place, test } from "../emedia/fixtures.ts";
import { launchOptions } from "../support/chromium.ts";

const MINUTE = 60_000;
/** Pictures per second of the fake camera, and the least of them that arrive. */
const CAMERA_FPS = 30;
const FPS = 25;
/** More than the grace time of a lost member. */
const LONG_CUT = 25_000;

test.use({
  launchOptions: launchOptions([`--use-fake-device-for-media-stream=fps=${CAMERA_FPS}`]),
});

async function pair(sdk: (name: string, place?: Place) => Promise<Client>, server?: string) {
  const lina = await sdk("lina");
  const ops = await sdk("ops", server === undefined ? {} : { server });
  const confrId = await lina.host();
  await ops.join(confrId);
  await ops.publish();
  const bothSee = async (): Promise<void> => {
    await ops.expectMedia("lina", { timeout: 60_000 });
    await lina.expectMedia("ops", { timeout: 60_000 });
  };
  await bothSee();
  return { lina, ops, confrId, bothSee };
}

test(`Both sides decode ${FPS} pictures a second for a minute`, async ({ sdk }) => {
  const { lina, ops } = await pair(sdk);
  const frames = async () => {
    const both = await Promise.all([lina.received(), ops.received()]);
    return both.map(([one]) => one?.frames ?? 0);
  };
  const at = Date.now();
  const before = await frames();
  await expect.poll(() => Date.now() - at, { timeout: 2 * MINUTE }).toBeGreaterThan(MINUTE);
  const seconds = (Date.now() - at) / 1000;
  const rates = (await frames()).map((count, side) => (count - (before[side] ?? 0)) / seconds);
  console.log(`      ${rates.map((rate) => rate.toFixed(1)).join(" and ")} pictures a second`);
  for (const rate of rates) expect(rate).toBeGreaterThanOrEqual(FPS);
});

test("A client whose socket is cut for 25 s enters again and publishes under the same id", async ({
  sdk,
  relay,
}) => {
  const { lina, ops, bothSee } = await pair(sdk, relay.url);
  const [before] = await lina.received();
  await relay.cutFor(LONG_CUT);
  await bothSee();
  expect(await lina.received()).toMatchObject([{ streamId: before?.streamId }]);
  expect(await ops.events("exit")).toEqual([]);
});

test("Two clients enter again when the server was killed and started", async ({ sdk, server }) => {
  const { lina, ops, bothSee } = await pair(sdk);
  await server.kill("SIGKILL");
  await server.start();
  await bothSee();
  expect([...(await lina.events("exit")), ...(await ops.events("exit"))]).toEqual([]);
  expect([await lina.members(), await ops.members()]).toEqual([["ops"], ["lina"]]);
});
