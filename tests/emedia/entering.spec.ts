/** Other ways in for the unmodified package easemob-emedia: a ticket, the chat's identity, a stream with the enter; mixed types. */
import { expect, test } from "./fixtures.ts";

const LIVE = 12;
const MIXED = 11;

test("A client with the chat's identity joins by a ticket that it was given", async ({ sdk }) => {
  const lina = await sdk("lina");
  const ops = await sdk("ops", { chat: true });
  const confrId = await lina.host();
  const joined = await ops.page.evaluate(async (id) => {
    const { ticket } = await emedia.mgr.getConferenceTkt(id, "");
    const conference = await emedia.mgr.joinConferenceWithTicket(id, ticket, {});
    return { confrId: conference.confrId, role: conference.role };
  }, confrId);
  expect(joined).toEqual({ confrId, role: 3 });
  await ops.publish();
  await lina.expectMedia("ops");
  await ops.expectMedia("lina");
  await expect.poll(() => lina.members()).toEqual(["ops"]);
});

test("A client enters with its stream, and another one subscribes to it", async ({ sdk }) => {
  const lina = await sdk("lina");
  const ops = await sdk("ops");
  const confrId = await lina.host();
  const streamId = await ops.page.evaluate(async (id) => {
    const { ticket } = await emedia.mgr.getConferenceTkt(id, "");
    const membership = new emedia.XService({ listeners: { mgr: emedia.mgr } });
    membership.setup(ticket, {});
    const constaints = { audio: true, video: true };
    const stream = new membership.AVPubstream({ voff: 0, aoff: 0, constaints });
    await new Promise<void>((opened, failed) => {
      membership.openUserMedia(stream).then(opened, failed);
    });
    return new Promise<string>((entered, failed) => {
      membership.withpublish(stream).join(
        (_, published) => entered(published.id),
        (event) => failed(new Error(event.message())),
      );
    });
  }, confrId);
  await lina.expectMedia("ops");
  await expect
    .poll(() => lina.received())
    .toMatchObject([{ member: "ops", streamId, voff: 0, aoff: 0 }]);
});

test("In a mixed conference each hears the other; in a live one the guest only watches", async ({
  sdk,
}) => {
  const lina = await sdk("lina");
  const ops = await sdk("ops");
  await ops.join(await lina.host({ confrType: MIXED }));
  await ops.publish();
  await lina.expectMedia("ops");
  await ops.expectMedia("lina");
  await lina.act("close");
  await ops.expectEvent("exit", { reason: 11 });

  await ops.join(await lina.host({ confrType: LIVE }));
  await ops.expectMedia("lina");
  await expect(ops.publish()).rejects.toThrow("Audience not allow publish");
});
