/** Drives the package by the calls and callbacks of its guide. */
import type { Driver } from "./driver.ts";

export interface SdkIdentity {
  readonly name: string;
  readonly token: string;
  /** The server's address. */
  readonly origin: string;
  readonly appkey: string;
}

/** Runs in the page, which has loaded the package. */
export function installPackageDriver(identity: SdkIdentity): void {
  const { mgr } = emedia;
  const { log, events, element, count } = globalThis.driverBase;
  emedia.config({
    restPrefix: identity.origin,
    appkey: identity.appkey,
    // Otherwise it asks the provider's hosts for an address.
    isHttpDNS: false,
    consoleLogger: false,
  });
  const streams = new Map<
    string,
    { member: SdkMember; stream: SdkStream; video: HTMLVideoElement }
  >();
  const members = new Map<string, SdkMember>();
  let confrId = "";
  let asked: { id: string; agree: SdkAnswer; refuse: SdkAnswer } | null = null;

  /** Refusals of the package are no Errors. */
  async function attempt<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw error instanceof Error ? error : new Error(JSON.stringify(error), { cause: error });
    }
  }
  const memberId = (name: string): string =>
    [...members.values()].find(({ memName }) => memName === name)?.id ?? "";
  const cameraOf = (name: string) => {
    const found = [...streams.values()].find(
      ({ member, stream }) => member.memName === name && stream.type === 0,
    );
    if (found === undefined) throw new Error(`${name} publishes no camera`);
    return found;
  };

  mgr.onMemberJoined = (member) => {
    members.set(member.id, member);
    log("joined", member.memName);
  };
  mgr.onMemberExited = (member, reason) => {
    members.delete(member.id);
    log("exited", { member: member.memName, reason });
  };
  mgr.onStreamAdded = (member, stream) => {
    if (stream.located()) return;
    const video = streams.get(stream.id)?.video ?? element();
    streams.set(stream.id, { member, stream, video });
    log("stream", { member: member.memName, type: stream.type });
    mgr.subscribe(member, stream, true, true, video).catch((error: unknown) => {
      log("subscribe failed", JSON.stringify(error));
    });
  };
  mgr.onStreamRemoved = (member, stream) => {
    const known = streams.get(stream.id);
    if (known === undefined) return;
    streams.delete(stream.id);
    known.video.remove();
    log("stream gone", { member: member.memName, type: stream.type });
  };
  mgr.onStreamUpdated = (member, stream) => {
    const known = streams.get(stream.id);
    if (known === undefined) return;
    streams.set(stream.id, { ...known, stream });
    log("flags", { member: member.memName, voff: stream.voff, aoff: stream.aoff });
  };
  mgr.onRoleChanged = (role) => log("role", role);
  mgr.onConferenceExit = (reason, failed) => {
    streams.clear();
    members.clear();
    log("exit", failed === undefined ? { reason } : { reason, failed });
  };
  mgr.onConfrAttrsUpdated = (attributes) =>
    log(
      "attributes",
      Object.fromEntries(
        attributes.map(({ key, val, op }) => [key, op === "DEL" ? null : val] as const),
      ),
    );
  mgr.onAdminChanged = () => log("admin changed");
  mgr.onMuteAll = () => log("mute all");
  mgr.onUnMuteAll = () => log("unmute all");
  mgr.onMuted = () => log("muted");
  mgr.onUnmuted = () => log("unmuted");
  mgr.onPubVideoTooMuch = () => log("too many cameras");
  mgr.onPubDesktopTooMuch = () => log("too many screens");
  const requested =
    (name: string): SdkRequested =>
    ({ memberId: id }, agree, refuse) => {
      asked = { id, agree, refuse };
      log(name, members.get(id)?.memName);
    };
  mgr.onRequestToTalker = requested("wants to talk");
  mgr.onRequestToAdmin = requested("wants to be admin");
  mgr.onRequestToTalkerReply = (result) => log("talker reply", result);
  mgr.onRequestToAdminReply = (result) => log("admin reply", result);
  mgr._onRecvRemoteMessage = (from, message) =>
    log("message", {
      from: typeof from === "string" ? from : from.memName,
      message: typeof message === "string" ? message : message.text,
    });

  const actions: Driver["actions"] = {
    create: (config) =>
      attempt(async () => {
        const made = await mgr.createConference({ confrType: 10, password: "", ...config });
        confrId = made.confrId;
        await mgr.joinConference(confrId, String(config["password"] ?? ""), {});
        return confrId;
      }),
    join: (id, password) =>
      attempt(async () => {
        confrId = id;
        await mgr.joinConference(id, password, {});
      }),
    joinRoom: (wanted) =>
      attempt(async () => {
        const joined = await mgr.joinRoom({ ...wanted });
        ({ confrId } = joined);
        log("entered", { creator: joined.isCreator === true });
        return joined.role ?? 0;
      }),
    leave: async () => mgr.exitConference(false),
    close: () => mgr.exitConference(true),
    publish: (parts) => attempt(async () => (await mgr.publish(parts)).id),
    share: () =>
      attempt(async () => {
        const stream = await mgr.shareDesktopWithAudio({ confrId, withAudio: false });
        return stream?.id ?? null;
      }),
    hangUp: (streamId) => mgr.hungup(streamId),
    turn: (part, streamId, on) =>
      attempt(async () => void (await mgr[`${on ? "resume" : "pause"}${part}`](streamId))),
    changeCamera: () => void mgr.changeCamera(confrId),
    subscribe: (name, video, audio) =>
      attempt(async () => {
        const { member, stream, video: tag } = cameraOf(name);
        await mgr.subscribe(member, stream, video, audio, tag);
      }),
    unsubscribe: (name) => mgr.unsubscribe(cameraOf(name).stream),
    grant: (name, role) =>
      attempt(async () => void (await mgr.grantRole({ id: confrId }, [name], role))),
    degrade: (name, role) =>
      attempt(async () => void (await mgr.degradeRole(confrId, [name], role))),
    kick: (name) => attempt(async () => void (await mgr.kickMembersById({ id: confrId }, [name]))),
    muteAll: (on) => attempt(async () => void (await mgr[on ? "muteAll" : "unmuteAll"](confrId))),
    mute: (name, on) => mgr[on ? "muteBymemberId" : "unmuteBymemberId"](confrId, memberId(name)),
    request: (role) => mgr[`requestTo${role}`](confrId),
    answer: (agrees) => void asked?.[agrees ? "agree" : "refuse"](asked.id),
    setAttribute: (key, val) =>
      attempt(
        () =>
          new Promise<void>((resolve, reject) => {
            const options = { key, val: val ?? "", success: resolve, error: reject };
            mgr[val === null ? "deleteConferenceAttrs" : "setConferenceAttrs"](options);
          }),
      ),
    send: (name, text) =>
      new Promise((resolve, reject) => {
        mgr._services[confrId]?.postMessage(
          memberId(name),
          { text },
          (event) => reject(new Error(event.message())),
          ({ result }) => (result === 0 ? resolve() : undefined),
        );
      }),
  };
  globalThis.driver = {
    events,
    actions,
    members: () => [...members.values()].map(({ memName }) => memName).toSorted(),
    received: () =>
      count(
        [...streams.values()].map(({ member, stream, video }) => ({
          member: member.memName,
          streamId: stream.id,
          type: stream.type,
          voff: stream.voff,
          aoff: stream.aoff,
          video,
        })),
      ),
  };
  mgr.setIdentity(identity.name, identity.token);
}
