/** The ways in which a conference ends: its media stop, the session is left where that is possible, and the slice is cleared. */
import { noticeFields } from "../../../shared/domain/notice-texts.ts";
import { AppError } from "../../../shared/errors.ts";
import { END_REASON, OP, RESULT } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Store } from "../contracts.ts";
import { createRestartableTimer } from "../restartable-timer.ts";
import type { Annotations } from "./annotations.ts";
import type { ConferenceConfig } from "./config.ts";
import { type Exit, refusalOf } from "./exit.ts";
import type { ConferenceRecord } from "./kept.ts";
import type { Media } from "./media-contracts.ts";
import type { Control } from "./control/index.ts";
import type { MemberRequests } from "./member-requests.ts";
import type { Model } from "./model.ts";
import type { People } from "./people.ts";
import type { ConferenceRest } from "./rest.ts";
import type { ConferenceSession } from "./session.ts";

/** What a conference holds besides its slice. */
export interface ConferenceState {
  /** Null outside a conference. */
  wire: ConferenceSession | null;
  /** The caller of `join`, who waits until the conference is entered. */
  joining: { resolve(): void; reject(error: AppError): void } | null;
}

export interface Ending {
  /** Ends the conference here: it has ended, or this person could not enter it. Does nothing when there is none. */
  over(exit: Exit): void;
  /**
   * Leaves the session, then ends the conference. The reason `closed` ends it for all members: over the session, or by REST when the
   * session is lost or does not answer (docs/conferences.md#ends). Resolves when no later core continues the conference.
   */
  leave(exit: Exit): Promise<void>;
  /** Ends the conference when the server stays away for too long. */
  armGiveUp(): void;
  disarmGiveUp(): void;
}

export function createEnding(
  deps: {
    readonly env: Pick<CoreEnv, "clock">;
    readonly config: ConferenceConfig;
    readonly model: Model;
    readonly rest: Pick<ConferenceRest, "disband">;
    readonly record: Pick<ConferenceRecord, "now" | "forget" | "end">;
    readonly notice: Store["notice"];
    readonly media: Pick<Media, "end">;
    readonly people: Pick<People, "reset">;
    readonly annotations: Pick<Annotations, "reset">;
    readonly requests: Pick<MemberRequests, "reset">;
    readonly control: Pick<Control, "over">;
    readonly versions: { stop(): void };
    readonly onExit: () => void;
  },
  conference: ConferenceState,
): Ending {
  const { env, config, model } = deps;
  const giveUp = createRestartableTimer(env.clock);

  function stopMedia(exit: Exit): void {
    conference.joining?.reject(refusalOf(exit));
    conference.joining = null;
    deps.versions.stop();
    deps.control.over();
    deps.media.end();
  }
  function clear({ reason, failed }: Exit): void {
    giveUp.cancel();
    conference.wire?.close();
    conference.wire = null;
    const { info } = model.slice;
    deps.people.reset();
    deps.annotations.reset();
    deps.requests.reset();
    deps.record.end();
    const at = env.clock.now();
    const { confrId = "", name = "" } = info ?? {};
    model.clear(info === null ? null : { confrId, name, reason, failed, at });
    deps.onExit();
  }
  function left(exit: Exit): void {
    model.patch({ status: "idle" });
    clear(exit);
  }
  async function closeForAll(wire: ConferenceSession, exit: Exit): Promise<void> {
    const { confrId = "", roleToken = null } = deps.record.now ?? {};
    const { result } = await wire.leave(
      { op: OP.closeConference, reason: END_REASON.closed },
      config.exitDelayMillis,
    );
    if (conference.wire === wire) left(exit);
    if (result === RESULT.ok || roleToken === null) return;
    await deps.rest.disband(confrId, roleToken).catch((error: unknown) => {
      // A refusal means that the conference has ended already.
      if (AppError.from(error).code === "conference.refused") return;
      deps.notice({ style: "error", ...noticeFields("conference.not-closed") });
    });
  }
  function over(exit: Exit): void {
    if (conference.wire === null) return;
    model.patch({ status: "idle" });
    stopMedia(exit);
    clear(exit);
  }

  return {
    over,
    leave(exit) {
      const { wire } = conference;
      if (wire === null || model.slice.status === "leaving") return Promise.resolve();
      model.patch({ status: "leaving" });
      const forgotten = deps.record.forget();
      stopMedia(exit);
      if (exit.reason === END_REASON.closed) void closeForAll(wire, exit);
      // Nothing can be sent without a session. The server announces the leave when its grace time ends.
      else if (!wire.entered) left(exit);
      else {
        void wire.leave({ op: OP.leave }, config.sessionCloseMillis).then(() => {
          if (conference.wire === wire) left(exit);
        });
      }
      return forgotten;
    },
    armGiveUp() {
      if (giveUp.pending) return;
      const exit = { reason: END_REASON.offline, failed: true };
      giveUp.start(config.giveUpMillis, () => over(exit));
    },
    disarmGiveUp: giveUp.cancel,
  };
}
