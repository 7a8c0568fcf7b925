/**
 * One conference from the attempt to enter until its exit: opens the signalling session and shows its states in the slice. frames.ts passes
 * on what the server sends, versions.ts keeps the model complete, ending.ts ends it.
 */
import { AppError } from "../../../shared/errors.ts";
import { memberOf } from "../../../shared/protocol/confr-signalling.ts";
import { END_REASON } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Stats, Store } from "../contracts.ts";
import type { Annotations } from "./annotations.ts";
import type { ConferenceConfig } from "./config.ts";
import { type ConferenceState, createEnding } from "./ending.ts";
import { createFrameReader } from "./frames.ts";
import type { ConferenceRecord, KeptConference } from "./kept.ts";
import { acceptedOps } from "./accepted-ops.ts";
import { CODECS } from "./connection.ts";
import type { Media } from "./media-contracts.ts";
import type { MemberRequests } from "./member-requests.ts";
import type { Control } from "./control/index.ts";
import type { Model } from "./model.ts";
import type { People } from "./people.ts";
import type { ConferenceRest } from "./rest.ts";
import { AUDIENCE } from "./rules.ts";
import { type ConferenceSession, createSession, type Entered } from "./session.ts";
import type { ConferenceServerSignal } from "../../../shared/protocol/confr-signalling.ts";
import type { Signals } from "./signals.ts";
import { createVersions } from "./versions.ts";

export interface ConferenceDeps {
  readonly env: CoreEnv;
  readonly stats: Pick<Stats, "socket" | "socketTraffic">;
  readonly config: ConferenceConfig;
  readonly rest: ConferenceRest;
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly media: Media;
  readonly people: People;
  readonly annotations: Pick<Annotations, "entered" | "received" | "reset">;
  readonly requests: MemberRequests;
  readonly control: Pick<Control, "changed" | "over">;
  readonly notice: Store["notice"];
  readonly signals: Signals;
  readonly onEntered: (resumed: boolean) => void;
  readonly onExit: () => void;
}

export interface Conference {
  readonly wire: ConferenceSession | null;
  /** Applies an event to the model, with its consequences. */
  apply(signal: ConferenceServerSignal): void;
  /** Shows the conference in the slice and opens the socket. Resolves once entered; rejects with AppError conference.refused. */
  join(record: KeptConference): Promise<void>;
  /** Continues the conference of an earlier core. */
  restore(record: KeptConference): void;
  /**
   * Resolves when no later core continues the conference; the session may still be closing.
   *
   * @param close ends the conference for all members
   */
  leave(close: boolean): Promise<void>;
  /** Ends the conference for a reason of this side. @param reason an end reason (docs/conferences.md#ends) */
  end(reason: number): Promise<void>;
  stop(): void;
}

export function createConference(deps: ConferenceDeps): Conference {
  const { env, config, model, record, media, people, requests } = deps;
  const slice = () => model.slice;
  const conference: ConferenceState = { wire: null, joining: null };
  const versions = createVersions({
    env,
    config,
    model,
    wire: () => conference.wire,
    onChanges({ removed, added, gone }) {
      for (const stream of removed) media.removed(stream);
      for (const stream of added) media.added(stream);
      for (const member of gone) {
        people.gone(member);
        requests.gone(member.memId);
      }
      deps.control.changed({ removed, gone });
      media.followMutes();
    },
  });
  const ending = createEnding({ ...deps, versions }, conference);
  const read = createFrameReader({
    model,
    record,
    media,
    people,
    annotations: deps.annotations,
    requests,
    notice: deps.notice,
    versions,
    signals: deps.signals,
    onEnded: ending.over,
  });

  function begin(kept: KeptConference): void {
    record.begin(kept);
    const { confrId, name, type, isCreator } = kept;
    const { audioMuted, audioOff, videoOff, publishing, cameraControl = false } = kept;
    model.patch({
      info: { confrId, name, type, isCreator },
      screens: kept.cloud === undefined,
      startedAt: kept.startedAt,
      local: {
        ...slice().local,
        audioMuted,
        audioOff,
        videoOff,
        publishing,
        cameraControl,
        sharing: false,
      },
      lastExit: null,
    });
    conference.wire = createSession({
      env,
      stats: deps.stats,
      config,
      ticket: kept.ticket,
      nickName: kept.nickName,
      resource: env.coreId,
      ext: kept.ext,
      vcodes: kept.codecs?.receive ?? CODECS,
      ops: () => acceptedOps(record.now?.cameraControl === true),
      sessId: kept.sessId,
      cver: () => slice().cver,
      renew,
      onEntered: entered,
      onLost() {
        if (slice().status === "joined") model.patch({ status: "reconnecting" });
        ending.armGiveUp();
      },
      onRefused(end) {
        const exit = { ...end, failed: true };
        deps.signals.refused(exit);
        ending.over(exit);
      },
      onEvent: read,
      onVersion: versions.seen,
    });
  }
  function open(status: "connecting" | "reconnecting"): void {
    model.patch({ status });
    conference.wire?.open();
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
    deps.signals.watchTicket();
    return fresh.ticket;
  }

  function entered(answer: Entered, resumed: boolean): void {
    ending.disarmGiveUp();
    const { memId = "", role = 3, sessId = null, roleToken, rtcCfg } = answer;
    const startedAt = slice().startedAt ?? env.clock.now();
    record.patch({
      sessId,
      startedAt,
      ...(roleToken === undefined ? {} : { roleToken }),
      ...(rtcCfg === undefined ? {} : { rtcCfg }),
    });
    const self = answer.mems?.find(({ id }) => id === memId);
    model.patch({ self: self === undefined ? null : memberOf(self), startedAt });
    const changes = model.reset(answer);
    deps.annotations.entered(answer.annotations);
    if (role === AUDIENCE) media.turnOff();
    model.patch({ status: "joined" });
    conference.joining?.resolve();
    conference.joining = null;
    // A server that has forgotten this session lacks the own streams: they are published again under their ids.
    const removed = changes.removed.filter((stream) => resumed || stream.memId !== memId);
    versions.apply({ ...changes, removed, added: [] });
    if (!resumed) {
      deps.control.over();
      requests.reset();
      people.forgotten();
    }
    media.entered(resumed, answer.yourIp);
    deps.signals.watchTicket();
    deps.onEntered(resumed);
    versions.schedule();
  }

  return {
    apply: (signal) => versions.apply(model.apply(signal)),
    get wire() {
      return conference.wire;
    },
    join(kept) {
      begin(kept);
      const inside = new Promise<void>((resolve, reject) => {
        conference.joining = { resolve, reject };
      });
      open("connecting");
      return inside;
    },
    restore(kept) {
      begin(kept);
      open("reconnecting");
      ending.armGiveUp();
    },
    leave: (close) =>
      ending.leave({ reason: close ? END_REASON.closed : END_REASON.hangup, failed: false }),
    end: (reason) => ending.leave({ reason, failed: reason !== END_REASON.hangup }),
    stop() {
      versions.stop();
      ending.disarmGiveUp();
      conference.joining?.reject(new AppError("core.gone"));
      conference.joining = null;
      conference.wire?.close();
    },
  };
}
