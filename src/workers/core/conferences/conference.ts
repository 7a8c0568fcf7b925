/**
 * One conference from the attempt to enter until its exit: drives the session table and the signalling session, and passes each frame to
 * media, people or model.
 */
import {
  conferenceSessionGuards,
  conferenceSessionTable,
  type ConferenceSessionEffect,
  type ConferenceSessionEvent,
} from "../../../shared/domain/conference-session.ts";
import { step } from "../../../shared/domain/machine.ts";
import { told } from "../../../shared/domain/notice-texts.ts";
import { AppError } from "../../../shared/errors.ts";
import {
  CONFR_OP,
  type ConfrRole,
  type ConfrServerSignal,
} from "../../../shared/protocol/confr-signalling.ts";
import { END_REASON, RESULT } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Stats, Store, Timer } from "../contracts.ts";
import type { ConferenceConfig } from "./config.ts";
import type { ConferenceRecord, KeptConference } from "./kept.ts";
import { CODECS } from "./connections.ts";
import type { Media } from "./media.ts";
import type { Changes, Model } from "./model.ts";
import type { People } from "./people.ts";
import type { ConferenceRest } from "./rest.ts";
import { ADMIN, AUDIENCE } from "./rules.ts";
import { type ConferenceSession, createSession, type Entered } from "./session.ts";

export interface ConferenceDeps {
  readonly env: CoreEnv;
  readonly stats?: Pick<Stats, "socket" | "socketTraffic">;
  readonly config: ConferenceConfig;
  readonly rest: ConferenceRest;
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly media: Media;
  readonly people: People;
  readonly notice: Store["notice"];
  readonly onEntered?: (resumed: boolean) => void;
  readonly onExit?: () => void;
}

interface Exit {
  readonly reason: number;
  readonly failed: boolean;
  /** The server's result and message. Set after a refusal. */
  readonly result?: number;
  readonly msg?: string;
}

export interface Conference {
  readonly wire: ConferenceSession | null;
  /** Shows the conference in the slice and opens the socket. Resolves once entered; rejects with AppError conference.refused. */
  join(record: KeptConference): Promise<void>;
  /** Continues the conference of an earlier core. */
  restore(record: KeptConference): void;
  /** @param close ends the conference for all members */
  leave(close: boolean): void;
  /** Ends the conference for a reason of this side. @param reason an end reason (docs/conferences.md#ends) */
  end(reason: number): void;
  stop(): void;
}

export function createConference(deps: ConferenceDeps): Conference {
  const { env, config, model, record, media, people } = deps;
  const slice = () => model.slice;
  let wire: ConferenceSession | null = null;
  let joining: { resolve(): void; reject(error: AppError): void } | null = null;
  let exit: Exit = { reason: END_REASON.hangup, failed: false };
  let copyTimer: Timer | null = null;
  let giveUp: Timer | null = null;
  let copying = false;

  // --- the session's table
  function dispatch(event: ConferenceSessionEvent, how?: Exit): void {
    const found = step(
      conferenceSessionTable,
      conferenceSessionGuards,
      slice().status,
      null,
      event,
    );
    if (found.rule < 0) return;
    if (how !== undefined) exit = how;
    if (found.to !== found.from) model.patch({ status: found.to });
    for (const effect of found.effects) run(effect);
  }
  function run(effect: ConferenceSessionEffect): void {
    switch (effect) {
      case "openSocket":
        wire?.open();
        return;
      case "sayJoined":
        joining?.resolve();
        joining = null;
        return;
      case "sayFailed":
        joining?.reject(refusalOf(exit));
        joining = null;
        return;
      case "stopMedia":
        copyTimer?.cancel();
        copyTimer = null;
        media.end();
        return;
      case "sendLeave":
        void sendLeave();
        return;
      case "closeSocket":
        giveUp?.cancel();
        giveUp = null;
        wire?.close();
        wire = null;
        return;
      case "tellExit":
        tellExit();
    }
  }
  function tellExit(): void {
    const { info } = slice();
    const { reason, failed } = exit;
    people.reset();
    record.end();
    const at = env.clock.now();
    const { confrId = "", name = "" } = info ?? {};
    model.clear(info === null ? null : { confrId, name, reason, failed, at });
    deps.onExit?.();
  }
  async function sendLeave(): Promise<void> {
    const closing = exit.reason === END_REASON.closed;
    const timeout = closing ? config.exitDelayMillis : config.sessionCloseMillis;
    const op = closing ? CONFR_OP.closeConference : CONFR_OP.leave;
    // Without a session nothing can be sent. The server tells the others when the grace time is over.
    if (wire?.entered === true) await wire.ask({ op }, { timeout });
    dispatch({ type: "left" });
  }

  function begin(kept: KeptConference): void {
    record.begin(kept);
    exit = { reason: END_REASON.fail, failed: true };
    const { confrId, name, type, isCreator } = kept;
    const { audioMuted, audioOff, videoOff, publishing } = kept;
    model.patch({
      info: { confrId, name, type, isCreator },
      startedAt: kept.startedAt,
      local: { ...slice().local, audioMuted, audioOff, videoOff, publishing, sharing: false },
      lastExit: null,
    });
    wire = createSession({
      env,
      ...(deps.stats === undefined ? {} : { stats: deps.stats }),
      config,
      ticket: kept.ticket,
      nickName: kept.nickName,
      resource: env.coreId,
      ext: kept.ext,
      vcodes: kept.codecs?.receive ?? CODECS,
      sessId: kept.sessId,
      cver: () => slice().cver,
      renew,
      onEntered: entered,
      onLost() {
        dispatch({ type: "socketLost" });
        armGiveUp();
      },
      onRefused: (reason, result, msg) =>
        dispatch({ type: "refused" }, { reason, failed: true, result, msg }),
      onEvent: received,
      onVersion(cver) {
        if (cver > slice().cver) void copy();
      },
    });
  }
  async function renew() {
    const { now } = record;
    if (now === null) throw new AppError("conference.not-joined");
    const { me: uid, type, confrId, password, roleToken } = now;
    const fresh = await deps.rest.ticket({
      uid,
      confrType: type,
      confrId,
      password,
      ...(roleToken === null ? {} : { roleToken }),
    });
    record.patch({ ticket: fresh.ticket, rtcCfg: fresh.rtcCfg });
    return fresh.ticket;
  }
  function armGiveUp(): void {
    giveUp ??= env.clock.after(config.giveUpMillis, () =>
      dispatch({ type: "gaveUp" }, { reason: END_REASON.offline, failed: true }),
    );
  }

  function entered(answer: Entered, resumed: boolean): void {
    giveUp?.cancel();
    giveUp = null;
    const { memId = "", role = 3, sessId = null, roleToken, rtcCfg } = answer;
    const startedAt = slice().startedAt ?? env.clock.now();
    record.patch({
      sessId,
      startedAt,
      ...(roleToken === undefined ? {} : { roleToken }),
      ...(rtcCfg === undefined ? {} : { rtcCfg }),
    });
    const self = answer.mems?.find((member) => member.memId === memId) ?? null;
    model.patch({ self, startedAt });
    const changes = model.reset(answer);
    if (role === AUDIENCE) media.local.publishing(false);
    dispatch({ type: "entered" });
    // A server that has forgotten this session lacks the own streams: they are published again under their ids.
    const removed = changes.removed.filter((stream) => resumed || stream.memId !== memId);
    apply({ ...changes, removed, added: [] });
    if (!resumed) people.forgotten();
    media.entered(resumed);
    deps.onEntered?.(resumed);
    scheduleCopy();
  }

  // --- the model's versions
  function scheduleCopy(): void {
    copyTimer?.cancel();
    copyTimer = env.clock.after(config.getCopyIntervalMillis, () => {
      void copy().finally(() => {
        if (slice().status === "joined") scheduleCopy();
      });
    });
  }
  async function copy(): Promise<void> {
    // An enter brings everything that a copy would bring.
    if (copying || wire?.entered !== true) return;
    copying = true;
    const asked = wire;
    const { signal } = await wire.ask({ op: CONFR_OP.copy });
    copying = false;
    if (asked !== wire || signal?.op !== CONFR_OP.copy || signal.result !== RESULT.ok) return;
    if ((signal.cver ?? 0) >= slice().cver) apply(model.reset(signal));
  }
  /** Passes changes of the model to the connections and requests. */
  function apply(changes: Changes | "gap"): void {
    if (changes === "gap") return void copy();
    for (const stream of changes.removed) media.removed(stream);
    for (const stream of changes.added) media.added(stream);
    for (const member of changes.gone) people.gone(member);
    followSilence();
  }
  /** Applies the admins' mutes to the own microphone after every event, copy or enter. Admins themselves cannot be muted. */
  function followSilence(): void {
    const { self, muteAll, mutedByAdmin } = slice();
    // Becoming an admin lifts the mute but does not turn the microphone on.
    if (self?.role === ADMIN) return media.local.lift();
    media.local.silence("all", muteAll);
    media.local.silence("one", mutedByAdmin);
  }

  function received(signal: ConfrServerSignal): void {
    const self = slice().self?.memId;
    switch (signal.op) {
      case CONFR_OP.memberExited:
        if (signal.memId !== self) return apply(model.apply(signal));
        return dispatch(
          { type: "ended" },
          { reason: signal.endReason, failed: signal.endReason !== END_REASON.hangup },
        );
      case CONFR_OP.closeConference:
        if (signal.tsxId !== undefined) return;
        return dispatch(
          { type: "ended" },
          { reason: signal.endReason ?? END_REASON.closed, failed: false },
        );
      case CONFR_OP.role: {
        const mine = signal.memId === self;
        if (mine && signal.roleToken !== undefined) record.patch({ roleToken: signal.roleToken });
        const before = slice().members[signal.memId]?.role;
        apply(model.apply(signal));
        if (signal.muted !== undefined) people.mutedChanged(signal.memId, signal.muted);
        const role = slice().members[signal.memId]?.role;
        if (role === undefined || role === before) return;
        const answered = people.roleChanged(signal.memId, role);
        if (mine) roleChanged(role, before === AUDIENCE && !answered);
        return;
      }
      case CONFR_OP.terminate:
        return media.terminated(signal);
      case CONFR_OP.candidates:
        if (signal.rtcId !== undefined) media.links.candidates(signal.rtcId, signal.cands ?? []);
        return;
      case CONFR_OP.controlRequest:
        people.requested(signal);
        return followSilence();
      case CONFR_OP.controlResponse:
        return people.answered(signal);
      case CONFR_OP.message:
        return people.message(signal);
      default:
        return apply(model.apply(signal));
    }
  }
  /** A role only permits to speak. The person turns microphone and camera on. */
  function roleChanged(role: ConfrRole, mayTalk: boolean): void {
    if (role === AUDIENCE) {
      media.unpublish(1);
      media.unpublish(0);
    } else if (mayTalk) deps.notice({ style: "info", ...told("conference.may-talk") });
  }

  return {
    get wire() {
      return wire;
    },
    join(kept) {
      begin(kept);
      const inside = new Promise<void>((resolve, reject) => {
        joining = { resolve, reject };
      });
      dispatch({ type: "join" });
      return inside;
    },
    restore(kept) {
      begin(kept);
      dispatch({ type: "restore" });
      armGiveUp();
    },
    leave: (close) =>
      dispatch(
        { type: "leave" },
        { reason: close ? END_REASON.closed : END_REASON.hangup, failed: false },
      ),
    end: (reason) => dispatch({ type: "leave" }, { reason, failed: reason !== END_REASON.hangup }),
    stop() {
      copyTimer?.cancel();
      giveUp?.cancel();
      joining?.reject(new AppError("core.gone"));
      joining = null;
      wire?.close();
    },
  };
}

/** The person sees the server's message. Its result code and the end reason go into `details`. */
function refusalOf({ reason, failed, result, msg }: Exit): AppError {
  return new AppError("conference.refused", {
    ...(msg === undefined || msg === "" || result === RESULT.clientFailure ? {} : { message: msg }),
    details: {
      reason,
      failed,
      ...(result === undefined ? {} : { result }),
      ...(msg === undefined ? {} : { text: msg }),
    },
  });
}
