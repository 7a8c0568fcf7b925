/** Tests a conference on the whole platform: real logins, companies, database and embedded media node. */
import { expect, it } from "vitest";
import {
  browserOffer,
  receiverOffer,
} from "../../src/server/modules/media-node/sfu/sfu.harness.ts";
import { readDescription, writeDescription } from "../../src/shared/protocol/confr-signalling.ts";
import { platformForTests } from "../../src/server/asking.harness.ts";
import { OP } from "../../src/shared/protocol/signalling.ts";
import { CONFR_PATH } from "../../src/shared/protocol/confr-signalling.ts";
import { CONFR_REST } from "../../src/shared/protocol/rest/confr.ts";
import {
  ticketPath,
  ticketResponseSchema,
  type TicketResponse,
} from "../../src/shared/protocol/rest/rtc.ts";
import { openSocket, until } from "../../src/server/host.harness.ts";

const op = OP;
const { host: platform } = platformForTests([], { env: { MEDIA_BIND: "127.0.0.1" } });

const post = async (token: string, path: string, body: object): Promise<unknown> => {
  const response = await fetch(platform.origin + path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.json();
};
const ticket = async (token: string, body: object): Promise<TicketResponse> =>
  ticketResponseSchema.parse(await post(token, ticketPath("easemob"), { confrType: 10, ...body }));

async function enter(given: TicketResponse) {
  const socket = await openSocket(platform.origin + CONFR_PATH);
  socket.send({ op: op.enter, tsxId: "e", ticket: given.ticket });
  const answer = await socket.waitForFrame({ op: op.response });
  return { ...socket, answer, sessId: String(answer["sessId"]) };
}

it("A conference is created, entered with its password, carried by the embedded node, and disbanded", async () => {
  const [zhangwei, lina] = await Promise.all(
    ["zhangwei", "lina"].map(async (user) => (await platform.login(user)).access_token),
  );
  if (zhangwei === undefined || lina === undefined) throw new Error("no logins");
  const made = await ticket(zhangwei, { uid: "zhangwei", password: "密码", name: "周会" });
  expect(made).toMatchObject({ error: 0, type: 10 });
  const { confrId } = made;
  expect(await ticket(lina, { uid: "lina", confrId, password: "x" })).toMatchObject({
    error: -502,
  });
  const invited = await ticket(lina, { uid: "lina", confrId, password: "密码" });
  const a = await enter(made);
  const b = await enter(invited);
  expect([a.answer, b.answer]).toMatchObject([
    { result: 0, role: 7 },
    { result: 0, role: 3 },
  ]);

  const publish = (rtcId: string, sdp: string): void =>
    a.send({
      op: op.offer,
      tsxId: rtcId,
      sessId: a.sessId,
      rtcId,
      sdp: writeDescription({ type: "OFFER", sdp }),
      pubS: { type: 0, vcodes: ["VP8"] },
    });
  publish("bad", "v=0\r\nm=audio 9 x\r\n");
  expect(await a.waitForFrame({ op: op.response, tsxId: "bad" })).toMatchObject({ result: -9527 });
  publish("good", browserOffer({ videos: 2 }));
  const published = await a.waitForFrame({ op: op.response, tsxId: "good" });
  expect(published).toMatchObject({
    result: 0,
    stream: { memId: "zhangwei", hasAudio: true, hasVideo: true, vcodes: ["VP8"] },
  });
  const described = await a.waitForFrame({ op: op.answer, rtcId: "good" });
  expect(String(described["sdp"])).toContain("a=fingerprint:");
  const { id } = published["stream"] as { id: string };
  await b.waitForFrame({ op: op.streamAdded });
  const sdp = writeDescription({ type: "OFFER", sdp: receiverOffer() });
  b.send({ op: op.offer, tsxId: "s", sessId: b.sessId, rtcId: "s", subSId: id, sdp });
  expect(await b.waitForFrame({ op: op.response, tsxId: "s" })).toMatchObject({
    result: 0,
    streamId: id,
  });
  const answered = await b.waitForFrame({ op: op.answer, rtcId: "s" });
  expect(readDescription(String(answered["sdp"]))).toMatchObject({ type: "ANSWER" });
  const metrics = async (): Promise<string> => (await fetch(`${platform.origin}/metrics`)).text();
  expect(await metrics()).toMatch(/^conference_members 2$/m);

  const { roleToken } = a.answer as { roleToken: string };
  const { roleToken: linas } = b.answer as { roleToken: string };
  const refused = await post(lina, CONFR_REST.disband("easemob"), { confrId, roleToken: linas });
  expect(refused).toMatchObject({ error: -405 });
  expect(await post(zhangwei, CONFR_REST.disband("easemob"), { confrId, roleToken })).toEqual({
    error: 0,
  });
  expect(await b.waitForFrame({ op: op.closeConference })).toMatchObject({ confrId, reason: 11 });
  platform.clock.advance(500);
  expect([await a.closed(), await b.closed()]).toEqual([1000, 1000]);
  await until("all are gone", async () => /^signalling_sockets 0$/m.test(await metrics()));
}, 60_000);
