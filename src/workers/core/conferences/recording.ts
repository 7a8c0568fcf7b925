/**
 * The own recording (docs/conferences.md#recording). The core decides what is recorded and announces it to the server (op 500); the tab that
 * owns the media records. Another owner goes on with a segment of its own, and so does another core.
 */
import { CONFERENCE_ROLE, STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { AppError } from "../../../shared/errors.ts";
import type {
  ConferenceMediaCommand,
  ConferenceMediaEvent,
} from "../../../shared/protocol/confr-media.ts";
import {
  type KeptRecording,
  type RecordedTile,
  RECORDING_REFUSALS,
} from "../../../shared/protocol/confr-recording.ts";
import { OP, RESULT } from "../../../shared/protocol/signalling.ts";
import type { ConferenceSlice, ConferenceStreamView } from "../../../shared/protocol/state.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import type { ConferenceRecord } from "./kept.ts";
import { hasSoundOfItsOwn } from "./mixing.ts";
import type { Model } from "./model.ts";
import { invalid } from "./rules.ts";
import type { Answer, ConferenceRequest } from "./session.ts";

type RecordCommand = Extract<ConferenceMediaCommand, { t: "record" }>;
type RecordEvent = Extract<ConferenceMediaEvent, { t: "recording" }>;

/** ms that the owner tab may take to store the last part. */
const STOP_MS = 10_000;

export interface Recording {
  /** @throws AppError conference.invalid or conference.refused */
  start(streamId: string | null): Promise<{ readonly id: string }>;
  pause(on: boolean): void;
  /** @throws AppError conference.invalid when nothing is recorded */
  stop(): Promise<{ readonly id: string }>;
  heard(event: RecordEvent): void;
  /** The conference, its connections or its owner changed. */
  look(): void;
  /** Another tab owns the media, or the same one begins again. */
  ownerChanged(): void;
  /** The conference was entered. A server that forgot the session forgot the recording too. */
  entered(resumed: boolean): void;
  /** The conference ended here. What was recorded stays in the store. */
  end(): void;
}

/** What is recorded now: the names as tiles show them, screens first drawn large by the tab. */
export function tilesOf(
  { streams, members }: Pick<ConferenceSlice, "streams" | "members">,
  streamId: string | null,
): RecordedTile[] {
  const own = ({ located, type, id }: ConferenceStreamView): string =>
    !located ? id : type === STREAM_TYPE.screen ? "screen" : "self";
  // The sound of another's mixer stream is in the mix.
  const isRecorded = (stream: ConferenceStreamView): boolean =>
    streamId === null ? stream.located || hasSoundOfItsOwn(stream) : stream.id === streamId;
  return Object.values(streams)
    .filter(isRecorded)
    .map((stream) => {
      const member = members[stream.memId];
      return {
        streamId: own(stream),
        name: member?.nickName || member?.memName || "",
        picture: stream.hasVideo && stream.voff === 0 && (stream.located || stream.video),
        screen: stream.type === STREAM_TYPE.screen,
      };
    });
}

export function createRecording(deps: {
  readonly env: Pick<CoreEnv, "clock" | "newId">;
  readonly model: Model;
  readonly record: ConferenceRecord;
  /** The rtcId of the stream's established connection; null for none. */
  readonly rtcIdOf: (stream: ConferenceStreamView) => string | null;
  readonly ask: (request: ConferenceRequest) => Promise<Answer>;
  readonly reachable: () => boolean;
  /** Whether a tab owns the media and hears commands. */
  readonly ready: () => boolean;
  readonly command: (body: ConferenceMediaCommand) => void;
  readonly onFailed: () => void;
}): Recording {
  const { env, model, record } = deps;
  /** The last command of this owner, as text. */
  let sent = "";
  /** The connection that the server knows as recorded. */
  let announced: string | null = null;
  let announcing = false;
  let stopping: { resolve(): void; timer: Timer } | null = null;
  /** What the segment that goes on has. */
  let running = 0;

  const now = (): KeptRecording | null => record.now?.recording ?? null;
  const show = (recording: KeptRecording): void => {
    const { id, streamId, state, elapsed, since, ended } = recording;
    const bytes = ended + running;
    model.patch({ recording: { id, streamId, state, elapsed, since, bytes } });
  };
  const keep = (recording: KeptRecording | null): void => {
    record.patch({ recording });
    if (recording === null) model.patch({ recording: null });
    else show(recording);
  };
  const rtcIdOfRecording = (streamId: string | null): string | null => {
    const { streams } = model.slice;
    const found = streamId === null ? Object.values(streams) : [streams[streamId]];
    for (const stream of found) {
      const rtcId = stream === undefined ? null : deps.rtcIdOf(stream);
      if (rtcId !== null) return rtcId;
    }
    return null;
  };
  const askToRecord = (rtcId: string, flag: 0 | 1): Promise<Answer> =>
    deps.ask({ op: OP.record, rtcId, flag });
  /** Restarts the announcement when the connection of the recorded stream changed: first the new one, so that the mark stays. */
  async function announce(): Promise<void> {
    const recording = now();
    if (recording === null || recording.state === "stopping" || announcing || !deps.reachable())
      return;
    const rtcId = rtcIdOfRecording(recording.streamId);
    if (rtcId === null || rtcId === announced) return;
    const before = announced;
    announcing = true;
    try {
      const answer = await askToRecord(rtcId, 1);
      if (now()?.id !== recording.id || answer.result !== RESULT.ok) return;
      announced = rtcId;
      if (before !== null) void askToRecord(before, 0);
    } finally {
      announcing = false;
    }
  }
  function sendCommand(): void {
    const recording = now();
    if (recording === null || recording.state === "paused" || recording.state === "stopping")
      return;
    if (!deps.ready()) return;
    const { id, startedAt, run, streamId, type, size } = recording;
    const command: RecordCommand = {
      t: "record",
      id,
      name: record.now?.name ?? "",
      startedAt,
      run,
      whole: streamId === null,
      tiles: tilesOf(model.slice, streamId),
      type,
      size,
    };
    const text = JSON.stringify([run, command.tiles]);
    if (text === sent) return;
    sent = text;
    deps.command(command);
  }
  const look = (): void => {
    const recording = now();
    if (recording === null) return;
    if (model.slice.self?.role === CONFERENCE_ROLE.audience) {
      if (recording.state !== "stopping") void stop();
      return;
    }
    sendCommand();
    void announce();
  };
  const settle = (): void => {
    stopping?.timer.cancel();
    stopping?.resolve();
    stopping = null;
  };
  const clear = (): void => {
    sent = "";
    announced = null;
    running = 0;
    settle();
  };

  async function stop(): Promise<{ readonly id: string }> {
    const recording = now();
    if (recording === null) throw invalid(RECORDING_REFUSALS.none, "没有正在进行的录制");
    const { id, state, elapsed, since } = recording;
    const at = env.clock.now();
    keep({
      ...recording,
      state: "stopping",
      since: null,
      elapsed: elapsed + (since === null ? 0 : at - since),
    });
    if (deps.ready() && state !== "paused") {
      const ended = new Promise<void>((resolve) => {
        stopping = { resolve, timer: env.clock.after(STOP_MS, settle) };
      });
      deps.command({ t: "record-stop", id });
      await ended;
    }
    if (announced !== null) void askToRecord(announced, 0);
    clear();
    keep(null);
    return { id };
  }

  return {
    async start(streamId) {
      const { self, streams } = model.slice;
      if (self?.role === CONFERENCE_ROLE.audience) {
        throw invalid(RECORDING_REFUSALS.audience, "观众不能录制");
      }
      if (now() !== null || announcing) throw invalid(RECORDING_REFUSALS.twice, "正在录制");
      if (streamId !== null && streams[streamId] === undefined) {
        throw invalid("Bad stream", "流不存在");
      }
      const rtcId = rtcIdOfRecording(streamId);
      if (rtcId === null) throw invalid(RECORDING_REFUSALS.notConnected, "画面接通后才能录制");
      announcing = true;
      const answer = await askToRecord(rtcId, 1).finally(() => {
        announcing = false;
      });
      if (answer.result !== RESULT.ok) {
        const { result, msg } = answer;
        throw new AppError("conference.refused", {
          message: msg === "" ? "未能开始录制，请重试" : msg,
          details: { result, text: msg },
        });
      }
      if (record.now === null) throw invalid(RECORDING_REFUSALS.none, "会议已结束");
      clear();
      announced = rtcId;
      const at = env.clock.now();
      const id = env.newId();
      keep({
        id,
        streamId,
        state: "waiting",
        elapsed: 0,
        since: null,
        bytes: 0,
        startedAt: at,
        run: 0,
        type: null,
        size: null,
        ended: 0,
      });
      look();
      return { id };
    },
    pause(on) {
      const recording = now();
      if (recording === null) throw invalid(RECORDING_REFUSALS.none, "没有正在进行的录制");
      const { state, since, elapsed, id, run } = recording;
      if (state === "stopping" || (state === "paused") === on) return;
      if (on) {
        const at = env.clock.now();
        sent = "";
        deps.command({ t: "record-stop", id });
        keep({
          ...recording,
          state: "paused",
          since: null,
          elapsed: elapsed + (since === null ? 0 : at - since),
        });
      } else {
        keep({ ...recording, state: "waiting", run: run + 1 });
        look();
      }
    },
    stop,
    heard({ id, state, type, size, bytes }) {
      const recording = now();
      if (recording === null || recording.id !== id) return;
      if (state === "failed") {
        if (announced !== null) void askToRecord(announced, 0);
        clear();
        keep(null);
        deps.onFailed();
        return;
      }
      if (state === "stopped") {
        running = 0;
        keep({ ...recording, ended: recording.ended + bytes });
        return settle();
      }
      running = bytes;
      const begins = recording.state === "waiting";
      if (!begins && recording.type !== null) return show(recording);
      keep({
        ...recording,
        type: recording.type ?? type,
        size: recording.size ?? size,
        ...(begins ? { state: "on" as const, since: recording.since ?? env.clock.now() } : {}),
      });
    },
    look,
    ownerChanged() {
      sent = "";
      const recording = now();
      if (recording === null) return;
      const ended = recording.ended + running;
      running = 0;
      const waits = recording.state === "on";
      keep({ ...recording, ended, ...(waits ? { state: "waiting" as const } : {}) });
      if (recording.state === "stopping") settle();
    },
    entered(resumed) {
      if (!resumed) announced = null;
      const recording = now();
      if (recording !== null && model.slice.recording === null) keep(recording);
      look();
    },
    end: clear,
  };
}
