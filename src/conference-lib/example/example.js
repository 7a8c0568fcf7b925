/** A host page of the conferencing library: logs in at the platform, enters a conference, shows every stream. */
import { createConferenceClient } from "./conference.js";

const $ = (id) => document.getElementById(id);
const platform = await fetch("/console-config.json").then((answer) => answer.json());
const client = createConferenceClient({
  appkey: platform.easemob.appKey,
  provider: platform.rtcProvider,
});
/** For whoever tries the library in the browser's own console. */
globalThis.conference = client;
let confrId = "";

/** A host application has a token of its own; this page asks for one. @returns access token */
async function login(username, password) {
  const systemName = "sec-web-company-admin";
  const { id, secret } = platform.clients[systemName];
  const answer = await fetch("/uaa/login/username", {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${id}:${secret}`)}`, systemName },
    body: new URLSearchParams({ username, password, grant_type: "password" }),
  });
  const body = await answer.json();
  if (!answer.ok || body.data?.access_token === undefined) throw new Error(body.message ?? "login");
  return body.data.access_token;
}
/** The name by which the conference knows the account. */
async function chatUserName(token) {
  const systemName = "sec-web-company-admin";
  const headers = { Authorization: `Bearer ${token}`, systemName };
  const get = async (path, query) => {
    const answer = await fetch(`${path}?${new URLSearchParams(query)}`, { headers });
    return (await answer.json()).data;
  };
  const account = await get("/uaa/api/account", { systemName });
  const source = "环信";
  const query = { accountId: account.id, source, systemName };
  return (await get("/dc-im/api/user/hx/accountId", query)).userName;
}

function tile(stream, name) {
  const figure = document.createElement("figure");
  figure.dataset.stream = stream.id;
  const video = document.createElement("video");
  video.autoplay = true;
  video.muted = true;
  const caption = document.createElement("figcaption");
  caption.textContent = `${name}${stream.type === 1 ? " · 屏幕 screen" : ""}`;
  // the element says what of its stream is on
  video.addEventListener("onMediaChanaged", ({ detail }) => {
    figure.dataset.voff = String(detail.voff);
    figure.dataset.aoff = String(detail.aoff);
  });
  figure.append(video, caption);
  $("tiles").append(figure);
  return video;
}

client.on("onStreamAdded", (member, stream) => {
  const video = tile(stream, stream.located() ? "我 me" : (member?.memName ?? ""));
  if (stream.located()) client.streamBindVideo(stream, video);
  else client.subscribe(member, stream, true, true, video).catch(report);
});
client.on("onStreamRemoved", (_member, stream) => {
  document.querySelector(`figure[data-stream="${CSS.escape(stream.id)}"]`)?.remove();
});
client.on("onMemberJoined", count);
client.on("onMemberExited", count);
client.on("onAutoplayBlocked", (blocked) => {
  $("sound").hidden = !blocked;
});
client.on("onConferenceExit", (reason) => {
  say(`已离开 Left (${reason})`);
  $("controls").hidden = true;
  $("join").hidden = false;
});

$("join").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  try {
    const token = await login(form.get("username"), form.get("password"));
    await client.setIdentity(await chatUserName(token), token);
    const wanted = String(form.get("confrId")).trim();
    const joined =
      wanted === ""
        ? await client.createConference({ name: "示例会议" })
        : await client.joinConference(wanted);
    confrId = joined.confrId;
    $("join").hidden = true;
    $("controls").hidden = false;
    count();
    await client.publish();
  } catch (error) {
    report(error);
  }
});
function toggle(button, pause, resume) {
  button.addEventListener("click", () => {
    const own = client.streams().find((stream) => stream.located() && stream.type === 0);
    if (own === undefined) return;
    const off = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(off));
    (off ? pause(own) : resume(own)).catch(report);
  });
}
toggle($("mute"), client.pauseAudio, client.resumeAudio);
toggle($("camera"), client.pauseVideo, client.resumeVideo);
$("share").addEventListener("click", () => client.shareDesktop({ confrId }).catch(report));
$("sound").addEventListener("click", () => client.resumePlayback());
$("leave").addEventListener("click", () => client.exitConference().catch(report));

function say(text) {
  $("status").textContent = text;
}
function count() {
  say(`会议 Conference ${confrId} · ${client.members().length}`);
}
function report(error) {
  say(error.message);
}
