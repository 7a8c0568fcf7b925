/** Drives this project's own library by the same steps. */
import type * as Library from "../../src/conference-lib/index.ts";
import type { Actions } from "./driver.ts";
import type { SdkIdentity } from "./package-driver.ts";

declare global {
  /** Set by the page that the test serves. */
  var conferenceLibrary: typeof Library;
  var conferenceClient: Library.ConferenceClient;
}

/** Runs in the page, which has loaded the library. */
export async function installLibraryDriver(identity: SdkIdentity): Promise<void> {
  const { log, events, element, count } = globalThis.driverBase;
  const library = globalThis.conferenceLibrary.createConferenceClient({ appkey: identity.appkey });
  globalThis.conferenceClient = library;
  const videos = new Map<string, HTMLVideoElement>();
  let confrId = "";
  let asked: { agree: Library.Answer; refuse: Library.Answer } | null = null;
  const others = () => library.streams().filter((stream) => !stream.located());
  const idOf = (name: string): string =>
    library.members().find(({ memName }) => memName === name)?.id ?? "";
  const cameraOf = (name: string): Library.Stream => {
    const found = others().find(({ owner, type }) => owner?.memName === name && type === 0);
    if (found === undefined) throw new Error(`${name} publishes no camera`);
    return found;
  };

  library.on("onMemberJoined", ({ memName }) => log("joined", memName));
  library.on("onMemberExited", ({ memName }) => log("exited", { member: memName }));
  library.on("onStreamAdded", (member, stream) => {
    if (member === null || stream.located()) return;
    const video = element();
    videos.set(stream.id, video);
    log("stream", { member: member.memName, type: stream.type });
    library
      .subscribe(member, stream, true, true, video)
      .catch((error: unknown) => log("subscribe failed", String(error)));
  });
  library.on("onStreamRemoved", (member, { id, type }) => {
    videos.get(id)?.remove();
    if (videos.delete(id)) log("stream gone", { member: member?.memName, type });
  });
  library.on("onStreamUpdated", (member, stream) => {
    if (stream.located()) return;
    log("flags", { member: member?.memName, voff: stream.voff, aoff: stream.aoff });
  });
  library.on("onRoleChanged", (role) => log("role", role));
  library.on("onConferenceExit", (reason) => log("exit", { reason }));
  library.on("onConfrAttrsUpdated", (attributes) =>
    log(
      "attributes",
      Object.fromEntries(
        attributes.map(({ key, val, op }) => [key, op === "DEL" ? null : val] as const),
      ),
    ),
  );
  library.on("onAdminChanged", () => log("admin changed"));
  library.on("onMuteAll", () => log("mute all"));
  library.on("onUnMuteAll", () => log("unmute all"));
  library.on("onMuted", () => log("muted"));
  library.on("onUnmuted", () => log("unmuted"));
  const requested =
    (name: string) =>
    (applicant: Library.Applicant, agree: Library.Answer, refuse: Library.Answer) => {
      asked = { agree, refuse };
      log(name, applicant.memName);
    };
  library.on("onRequestToTalker", requested("wants to talk"));
  library.on("onRequestToAdmin", requested("wants to be admin"));
  library.on("onRequestToTalkerReply", (result) => log("talker reply", result));
  library.on("onRequestToAdminReply", (result) => log("admin reply", result));
  library.on("onPubVideoTooMuch", () => log("too many cameras"));
  library.on("onPubDesktopTooMuch", () => log("too many screens"));
  library.on("onTextMessage", ({ from, text, mine }) => {
    if (mine) return;
    const name = library.members().find(({ id }) => id === from)?.memName;
    log("message", { from: name, message: text });
  });

  const run = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => log("failed", String(error)));
  };
  const actions: Actions = {
    async create({ password, confrType = 10, ...config }) {
      ({ confrId } = await library.createConference({
        confrType: confrType as 10,
        password: String(password ?? ""),
        config,
      }));
      return confrId;
    },
    async join(id, password) {
      confrId = id;
      await library.joinConference(id, password);
    },
    async joinRoom({ roomName, password, role }) {
      ({ confrId } = await library.joinRoom({ roomName, password, role: role as 7 }));
      return library.self()?.role ?? 0;
    },
    leave: () => library.exitConference(),
    close: () => run(library.exitConference(true)),
    publish: (parts) => library.publish(parts),
    share: () => library.shareDesktop({ confrId }),
    hangUp: (streamId) => run(library.hungup(streamId)),
    turn: (part, streamId, on) => library[`${on ? "resume" : "pause"}${part}`](streamId),
    changeCamera: () => run(library.changeCamera()),
    async subscribe(name, video, audio) {
      const stream = cameraOf(name);
      await library.subscribe(stream.owner, stream, video, audio, videos.get(stream.id));
    },
    unsubscribe: (name) => run(library.unsubscribe(cameraOf(name))),
    grant: (name, role) => library.grantRole(confrId, [name], role as 3),
    degrade: (name, role) => library.degradeRole(confrId, [name], role as 1),
    kick: (name) => library.kickMember(confrId, [name]),
    muteAll: (on) => library[on ? "muteAll" : "unmuteAll"](confrId),
    mute: (name, on) =>
      run(library[on ? "muteBymemberId" : "unmuteBymemberId"](confrId, idOf(name))),
    request: (role) => run(library[`requestTo${role}`](confrId)),
    answer: (agrees) => run(Promise.resolve(asked?.[agrees ? "agree" : "refuse"]())),
    setAttribute: (key, val) =>
      val === null
        ? library.deleteConferenceAttrs({ key })
        : library.setConferenceAttrs({ key, val }),
    send: (name, text) => library.sendTextMessage(text, name),
  };
  globalThis.driver = {
    events,
    actions,
    members: () =>
      library
        .members()
        .filter(({ id }) => id !== library.self()?.id)
        .map(({ memName }) => memName)
        .toSorted(),
    received: () =>
      count(
        others().flatMap(({ id, type, voff, aoff, owner }) => {
          const video = videos.get(id);
          return video === undefined
            ? []
            : [{ member: owner?.memName ?? "", streamId: id, type, voff, aoff, video }];
        }),
      ),
  };
  await library.setIdentity(identity.name, identity.token);
}
