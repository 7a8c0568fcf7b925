/** Group calls whose media go by the Agora cloud (docs/calls.md#agora-engine): who gets a token, and what the conference knows of the streams. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { cloudUidOf, writeCloudDescription } from "../../../shared/domain/cloud-description.ts";
import {
  CONFR_PATH,
  CONFR_RESULT,
  readDescription,
  writeDescription,
} from "../../../shared/protocol/confr-signalling.ts";
import { groupCallStartCall } from "../../../shared/protocol/rest/group-calls.ts";
import { ticketPath, type TicketResponse } from "../../../shared/protocol/rest/rtc.ts";
import { OP, RESULT } from "../../../shared/protocol/signalling.ts";
import { openSocket, type TestSocket } from "../../host.harness.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { readAgoraToken } from "../calls/agora-token.harness.ts";
import { agoraUidOf } from "../calls/agora-tokens.ts";

const APP_ID = "970ca35de60c44645bbae8a215061b33";
const CERTIFICATE = "5cfd2fd1755d40ecb72977518be15d3b";
const sdpOf = (name: string, sends: boolean): string =>
  writeDescription({
    type: "OFFER",
    sdp: writeCloudDescription({ uid: agoraUidOf(name), sends }),
  });

let platform: TestPlatform;
const token: Record<string, string> = {};
const sockets: TestSocket[] = [];
beforeAll(async () => {
  platform = await startTestPlatform({
    env: { AGORA_APP_ID: APP_ID, AGORA_APP_CERTIFICATE: CERTIFICATE },
  });
  for (const name of ["zhangwei", "lina", "admin"]) {
    token[name] = (await platform.login(name)).access_token;
  }
}, 120_000);
afterAll(async () => {
  for (const socket of sockets) socket.close();
  await platform.close();
});

const headersOf = (who: string) => ({
  authorization: `Bearer ${token[who] ?? ""}`,
  "content-type": "application/json",
});
async function started(who: string, people: readonly string[]): Promise<string> {
  const { body } = await platform.ask("POST", groupCallStartCall.path, {
    token: token[who] ?? "",
    json: { callId: "k1", media: "video", groupId: null, people },
  });
  return groupCallStartCall.data.parse(body.data).confrId;
}
async function tokenOf(who: string, channelName: string) {
  const query = new URLSearchParams({ userAccount: who, channelName, appkey: "hyzh#console" });
  const address = `${platform.origin}/token/rtcToken/v1?${query}`;
  const response = await fetch(address, { headers: headersOf(who) });
  const body = (await response.json()) as { accessToken?: string; agoraUserId?: number };
  return { status: response.status, ...body };
}
async function enter(who: string, confrId: string) {
  const answer = await fetch(platform.origin + ticketPath("easemob"), {
    method: "POST",
    headers: headersOf(who),
    body: JSON.stringify({ uid: who, confrId }),
  });
  const { ticket } = (await answer.json()) as TicketResponse;
  const socket = await openSocket(`${platform.origin}${CONFR_PATH}?n=1`);
  sockets.push(socket);
  socket.send({ op: OP.enter, tsxId: "e", tkt: ticket, res: { ops: [1002, 1003] } });
  const { sessId } = await socket.waitForFrame({ op: OP.response, tsxId: "e" });
  const offer = (tsxId: string, part: Record<string, unknown>) => {
    socket.send({ op: OP.offer, tsxId, sessId, ...part });
    return socket.waitForFrame({ op: OP.response, tsxId });
  };
  return { socket, offer };
}

it("Who may enter a group call gets a token of its channel, and nobody else", async () => {
  const confrId = await started("zhangwei", ["lina"]);
  for (const who of ["zhangwei", "lina"]) {
    const { status, accessToken = "", agoraUserId } = await tokenOf(who, confrId);
    expect(status).toBe(200);
    expect(readAgoraToken(accessToken, CERTIFICATE)).toMatchObject({
      appId: APP_ID,
      channel: confrId,
      uid: String(agoraUserId),
      valid: true,
    });
  }
  // A colleague, who may talk with both.
  expect((await tokenOf("admin", confrId)).status).toBe(403);
});

it("Streams are published and subscribed without a media node, and the answer names the account of who sends", async () => {
  const confrId = await started("zhangwei", ["lina"]);
  const zhang = await enter("zhangwei", confrId);
  const li = await enter("lina", confrId);
  const camera = { rtcId: "p1", sdp: sdpOf("zhangwei", true), pubS: { type: 0, voff: 0, aoff: 0 } };
  expect(await zhang.offer("p", camera)).toMatchObject({ result: RESULT.ok });
  const added = await li.socket.waitForFrame({ op: OP.streamAdded });
  expect(added).toMatchObject({ pubS: { hasAudio: true, hasVideo: true } });
  const { id: subSId } = added["pubS"] as { id: string };
  const wish = { rtcId: "s1", sdp: sdpOf("lina", false), subSId };
  expect(await li.offer("s", wish)).toMatchObject({ result: RESULT.ok });
  const described = await li.socket.waitForFrame({ op: OP.answer, rtcId: "s1" });
  expect(cloudUidOf(readDescription(String(described["sdp"]))?.sdp ?? "")).toBe(
    agoraUidOf("zhangwei"),
  );
});

it("A shared screen and the description of a browser are refused", async () => {
  const confrId = await started("zhangwei", ["lina"]);
  const zhang = await enter("zhangwei", confrId);
  const screen = { rtcId: "p2", sdp: sdpOf("zhangwei", true), pubS: { type: 1, voff: 0, aoff: 0 } };
  expect(await zhang.offer("p", screen)).toMatchObject({ msg: "会议共享桌面路数已达上限" });
  const sdp = writeDescription({
    type: "OFFER",
    sdp: "v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n",
  });
  const answer = await zhang.offer("b", { rtcId: "p3", sdp, pubS: { type: 0, voff: 0, aoff: 0 } });
  expect(answer["result"]).not.toBe(RESULT.ok);
  expect(answer["result"]).not.toBe(CONFR_RESULT.mediaUnavailable);
});
