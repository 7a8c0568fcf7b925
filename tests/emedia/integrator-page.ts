/**
 * A page as an application writes it that knows only the guide of the package easemob-emedia: a script tag, an address, a name and a
 * token, the callbacks, `joinRoom` and `publish`. None of this suite's drivers is in it, so that none of them can hide a fault.
 */
import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "@playwright/test";
import type { SdkIdentity } from "./package-driver.ts";

const SCRIPT = readFileSync(new URL(import.meta.resolve("easemob-emedia")));
/** The server has no such address, so the test serves what is there. */
const FOLDER = "/application/";

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>Application</title>
<video id="own" autoplay muted></video>
<div id="others"></div>
<script src="EMedia_sdk-dev.js"></script>
<script>
  const asked = new URLSearchParams(location.search);
  window.said = [];
  emedia.config({ restPrefix: asked.get("server"), appkey: asked.get("appkey"), isHttpDNS: false });
  emedia.mgr.setIdentity(asked.get("name"), asked.get("token"));
  emedia.mgr.onMemberJoined = (member) => said.push("joined " + member.memName);
  emedia.mgr.onMemberExited = (member) => said.push("exited " + member.memName);
  emedia.mgr.onConferenceExit = (reason) => said.push("exit " + reason);
  emedia.mgr.onStreamAdded = (member, stream) => {
    if (stream.located()) {
      emedia.mgr.streamBindVideo(stream, document.getElementById("own"));
      return;
    }
    const video = document.createElement("video");
    video.autoplay = true;
    video.muted = true;
    video.dataset.member = member.memName;
    video.dataset.stream = stream.id;
    document.getElementById("others").append(video);
    emedia.mgr.subscribe(member, stream, true, true, video);
  };
  emedia.mgr.onStreamRemoved = (member, stream) => {
    document.querySelector('[data-stream="' + stream.id + '"]')?.remove();
  };
  window.enter = async () => {
    await emedia.mgr.joinRoom({
      roomName: asked.get("roomName"),
      password: asked.get("password"),
      role: Number(asked.get("role")),
    });
    await emedia.mgr.publish({ audio: true, video: true }, document.getElementById("own"));
  };
</script>`;

export interface WantedConference {
  readonly roomName: string;
  readonly password: string;
  readonly role: number;
}

/** Runs in the page. */
declare global {
  var enter: () => Promise<void>;
  var said: string[];
}

/** @param origin where the page is; the server is where the identity says */
export async function openIntegrator(
  context: BrowserContext,
  origin: string,
  identity: SdkIdentity,
  wanted: WantedConference,
): Promise<Page> {
  await context.route(`${origin}${FOLDER}**`, (route) =>
    new URL(route.request().url()).pathname.endsWith(".js")
      ? route.fulfill({ contentType: "text/javascript; charset=utf-8", body: SCRIPT })
      : route.fulfill({ contentType: "text/html; charset=utf-8", body: PAGE }),
  );
  const page = await context.newPage();
  const query = new URLSearchParams({
    server: identity.origin,
    appkey: identity.appkey,
    name: identity.name,
    token: identity.token,
    roomName: wanted.roomName,
    password: wanted.password,
    role: String(wanted.role),
  });
  await page.goto(`${origin}${FOLDER}?${query.toString()}`);
  return page;
}
