/**
 * Handles what the connections of a conference report: shows it in the model, stores it for the next core, notifies the person, and
 * adds it to the quality records.
 */
import { SERVER_WORDS, noticeFields } from "../../../shared/domain/notice-texts.ts";
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import {
  CONFR_END,
  type ConferenceServerSignal,
} from "../../../shared/protocol/confr-signalling.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { QUALITY_EVENT, type QualityEvent } from "../../../shared/protocol/qoe.ts";
import type { Store } from "../contracts.ts";
import type { Camera } from "./camera.ts";
import type { Connections, ConnectionsDeps } from "./connections.ts";
import type { ConferenceRecord } from "./kept.ts";
import type { Local } from "./local.ts";
import type { Model } from "./model.ts";
import type { OwnStreams } from "./own-streams.ts";
import type { ScreenShare } from "./screen.ts";
import type { Signals } from "./signals.ts";
import { PUBLISH_REFUSED } from "./texts.ts";

/** @param rtcId the connection that the event is about; null when it is closed */
export type OnQuality = (code: QualityEvent, rtcId: string | null, detail: string) => void;

export type ConnectionReports = Pick<
  ConnectionsDeps,
  | "onPublished"
  | "onUnpublished"
  | "onState"
  | "onIce"
  | "onTrouble"
  | "onUp"
  | "onRefused"
  | "onFailed"
>;

/** The parts of the media that a report may change. */
export interface ReportTargets {
  readonly connections: Connections;
  readonly local: Local;
  readonly camera: Camera;
  readonly screen: ScreenShare;
}

export function createConnectionReports(deps: {
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly own: OwnStreams;
  readonly targets: () => ReportTargets;
  readonly notice: Store["notice"];
  /** Applies an event of the conference. */
  readonly apply: (signal: ConferenceServerSignal) => void;
  /** Checks whether the socket still answers. */
  readonly probe: () => void;
  readonly onQuality?: OnQuality | undefined;
  readonly signals: Pick<Signals, "report">;
}): ConnectionReports {
  const { model, record, own, notice, onQuality } = deps;

  /** Stores the established connections for the next core. */
  const keepConnections = (connections: Connections): void => {
    const entries = Object.entries(connections.rtcIds).flatMap(([key, rtcId]) => {
      const sver = model.slice.streams[own.streamOf(key)]?.sver;
      return sver === undefined ? [] : [[key, { rtcId, sver }] as const];
    });
    record.patch({ connections: Object.fromEntries(entries) });
  };

  return {
    onPublished(type, stream, cver) {
      own.remember(type, stream.id);
      model.put(stream);
      const { memId } = stream;
      // The event that the others get.
      if (cver !== undefined) {
        deps.apply({ op: OP.streamAdded, sessId: "", cver, memId, pubS: stream });
      }
      if (type === STREAM_TYPE.camera) deps.targets().local.sendState();
    },
    onUnpublished({ signal }) {
      if (signal?.op !== OP.response) return;
      const { pubSId, cver } = signal;
      if (pubSId === undefined || cver === undefined) return;
      const memId = model.slice.self?.memId ?? "";
      deps.apply({ op: OP.streamRemoved, sessId: "", cver, memId, pubSId });
    },
    onState(key, state) {
      const { connections } = deps.targets();
      model.patchStream(own.streamOf(key), {
        connection: state,
        rtcId: connections.rtcIdOf(key),
      });
      keepConnections(connections);
      if (state !== "weak") return;
      // If the media path is lost, the socket's path may be lost too.
      deps.probe();
      onQuality?.(QUALITY_EVENT.disconnected, connections.rtcIdOf(key), "disconnected");
    },
    onIce: (rtcId, state) => onQuality?.(QUALITY_EVENT.ice, rtcId, state),
    onTrouble(key, code) {
      deps.signals.report({ code, streamId: own.streamOf(key) });
    },
    onUp({ kind }, rtcId) {
      onQuality?.(QUALITY_EVENT.connected, rtcId, "connected");
      onQuality?.(
        kind === "pub" ? QUALITY_EVENT.published : QUALITY_EVENT.subscribed,
        rtcId,
        kind === "pub" ? "push" : "sub",
      );
    },
    onRefused(wish, { answer, endReason }) {
      if (wish.kind === "sub") {
        if (endReason !== CONFR_END.codecUnsupported) return;
        const streamId = wish.stream.id;
        deps.signals.report({ code: "SubFailNotSupportVCodes", streamId, result: endReason });
        notice({ style: "warning", ...noticeFields("conference.codec") });
        return;
      }
      const { screen, camera, local } = deps.targets();
      if (wish.type === STREAM_TYPE.screen) screen.ended();
      else if (endReason === CONFR_END.tooManyVideos) camera.tooMany();
      else local.publishing(false);
      const known = endReason === null ? undefined : PUBLISH_REFUSED[endReason];
      if (known !== undefined) notice({ style: "warning", ...noticeFields(known) });
      // Show the server's own message unchanged.
      else if (answer.msg !== "") notice({ style: "warning", text: answer.msg, key: SERVER_WORDS });
    },
    onFailed({ kind }) {
      const key = kind === "pub" ? "conference.pub-failed" : "conference.sub-failed";
      notice({ style: "warning", ...noticeFields(key) });
      onQuality?.(QUALITY_EVENT.poor, null, kind === "pub" ? "push-fail" : "sub-fail");
    },
  };
}
