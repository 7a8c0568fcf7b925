/**
 * Quality of a call, watched from the core: asks the owner tab for samples every 2 s, turns them into figures, scores and the
 * call monitor's verdict for every tab, and uploads the records (docs/calls.md#quality-upload).
 */
import {
  CALL_MONITOR,
  type DirectionMonitor,
  monitorStep,
  resetDirection,
  startDirection,
} from "../../../shared/domain/call-monitor.ts";
import {
  QUALITY_EVENT,
  type QualityEvent,
  type QualityRecord,
} from "../../../shared/protocol/qoe.ts";
import type { OwnDevice } from "../../../shared/domain/device-errors.ts";
import type { DeviceState } from "../../../shared/domain/device-states.ts";
import { createTimerLateness, type TimerLateness } from "../../../shared/domain/timer-lateness.ts";
import type { CoreEnv, Session, Stats, Store, Timer } from "../contracts.ts";
import { createServerTime } from "../server-time.ts";
import type { Qoe, QoeCall } from "./contracts.ts";
import { periodicRecord } from "./periodic.ts";
import { createStreams, type Watching } from "./streams.ts";
import { createUpload, type Upload } from "./upload.ts";

export type { Qoe, QoeCall } from "./contracts.ts";

const EVENTS = 100;
/** Requests for samples that a busy tab may still answer after the next ones. */
const ANSWERABLE = 5;
const DIRECTIONS = ["local", "remote"] as const;
/** Names of the event codes, for the event list. */
const EVENT_KIND: Readonly<Record<QualityEvent, string>> = {
  [QUALITY_EVENT.enter]: "enter",
  [QUALITY_EVENT.connected]: "ice-connected",
  [QUALITY_EVENT.poor]: "ice-poor",
  [QUALITY_EVENT.disconnected]: "ice-disconnected",
  [QUALITY_EVENT.published]: "push",
  [QUALITY_EVENT.subscribed]: "subscribe",
  [QUALITY_EVENT.ice]: "ice",
  [QUALITY_EVENT.takeover]: "takeover",
  [QUALITY_EVENT.serverRestarted]: "server-restarted",
  [QUALITY_EVENT.device]: "devices",
  [QUALITY_EVENT.moved]: "moved",
  [QUALITY_EVENT.picture]: "picture",
};

export interface QoeDeps {
  readonly env: CoreEnv;
  readonly store: Store;
  readonly session: Pick<Session, "accessToken">;
  readonly stats: Pick<Stats, "socket" | "socketTraffic">;
  /** ms of a monotonic clock. */
  readonly precise: () => number;
  /** ms between two records of a stream. Left out: each sample is one. */
  readonly recordMillis?: number | undefined;
}

interface Watch {
  readonly call: QoeCall;
  readonly streams: Watching;
  readonly monitors: Record<"local" | "remote", DirectionMonitor>;
  readonly devices: Map<OwnDevice, DeviceState>;
  /** Requests without an answer, oldest first. */
  asked: readonly string[];
  readonly lateness: TimerLateness;
  /** When the streams were last recorded. */
  recordedAt: number;
}

export function createQoe(deps: QoeDeps): Qoe {
  const { env, store, recordMillis = CALL_MONITOR.pollMillis } = deps;
  /** A shorter interval of records asks more often; the monitor never asks less often. */
  const pollMillis = Math.min(recordMillis, CALL_MONITOR.pollMillis);
  const serverTime = createServerTime(env.clock, store);
  let watch: Watch | null = null;
  let upload: Upload | null = null;
  let timer: Timer | null = null;
  let freshMonitor = startDirection;

  const common = (call: QoeCall) => ({
    confrId: call.confrId,
    memId: call.memId,
    memName: call.memName,
    time: serverTime.now(),
    sessionId: call.sessionId,
  });
  const push = (record: QualityRecord): void => upload?.push(record);

  const mark = (kind: string, text: string): void => {
    const events = [{ at: env.clock.now(), kind, text }, ...store.get("quality").events];
    store.set(["quality", "events"], events.slice(0, EVENTS));
  };

  /** @param at ms since the epoch by the server's clock; left out: now */
  const event = (
    code: QualityEvent,
    about: { readonly rtcId?: string; readonly detail?: string; readonly at?: number } = {},
  ): void => {
    const { rtcId, detail, at } = about;
    mark(EVENT_KIND[code], [detail, rtcId].filter((part) => part !== undefined).join(" "));
    if (watch === null) return;
    push({
      ...common(watch.call),
      kind: 2,
      event: code,
      ...(at === undefined ? {} : { time: Math.round(at) }),
      ...(rtcId === undefined ? {} : { rtcId }),
      ...(detail === undefined ? {} : { detail: detail.slice(0, 300) }),
    });
  };

  /** `flowing`: whether data flowed in each direction during this poll; false for both when the tab did not answer. */
  const monitor = (now: Watch, flowing: Record<"local" | "remote", boolean>): void => {
    const expected = now.call.expected();
    for (const direction of DIRECTIONS) {
      const { audio, video } = expected[direction];
      const step = monitorStep(
        now.monitors[direction],
        env.clock.now(),
        flowing[direction],
        audio || video,
      );
      now.monitors[direction] = step.next;
      now.call.onNoData(direction, step.noData, step.report);
    }
  };

  /** What changed since the last poll. A device that was never wanted says nothing. */
  const noteDevices = ({ call, devices }: Watch): void => {
    for (const [device, state] of Object.entries(call.devices()) as [OwnDevice, DeviceState?][]) {
      const before = devices.get(device);
      if (state === undefined || state === before) continue;
      devices.set(device, state);
      if (before !== undefined || state !== "off")
        event(QUALITY_EVENT.device, { detail: `${device}:${state}` });
    }
  };

  const poll = (): void => {
    timer = env.clock.after(pollMillis, poll);
    if (watch === null) return;
    noteDevices(watch);
    // an owner that did not answer the last request counts as no data, which the monitor must notice
    if (watch.asked.length > 0) monitor(watch, { local: false, remote: false });
    const id = env.newId();
    watch.asked = watch.call.sample(id) ? [...watch.asked, id].slice(-ANSWERABLE) : [];
  };
  const unwatch = (): void => {
    watch?.lateness.stop();
    watch = null;
    timer?.cancel();
    timer = null;
  };

  return {
    start(call) {
      if (watch !== null && watch.call.callId === call.callId) return;
      for (const id of Object.keys(store.get("quality").streams)) {
        store.del(["quality", "streams", id]);
      }
      unwatch();
      watch = {
        call,
        streams: createStreams(call),
        monitors: { local: freshMonitor(), remote: freshMonitor() },
        devices: new Map(),
        asked: [],
        lateness: createTimerLateness({ precise: deps.precise, after: env.clock.after }),
        recordedAt: -Infinity,
      };
      timer = env.clock.after(pollMillis, poll);
      upload?.close();
      upload = null;
      if (call.uploadUrl === null) return;
      upload = createUpload({
        env,
        session: deps.session,
        stats: deps.stats,
        url: call.uploadUrl,
        memName: call.memName,
        onState(state, attempts) {
          store.set(["quality", "upload"], state);
          store.set(["quality", "uploadAttempts"], attempts);
        },
        onRestarted(lostAt) {
          event(QUALITY_EVENT.serverRestarted, { at: serverTime.fromLocal(lostAt) });
        },
        onQueued: (records) => store.set(["quality", "uploadQueued"], records),
      });
      push({
        ...common(call),
        kind: 0,
        appkey: env.config.easemob.appKey,
        joinConfrTime: serverTime.now(),
        networkType: env.device.network().slice(0, 32),
        sdkOS: "Web",
        sdkVersion: env.build.slice(0, 32),
        deviceInfo: env.device.browser.slice(0, 300),
        osVersion: env.device.os.slice(0, 100),
        result: 0,
      });
    },
    event,
    mark,
    samples(id, samples, late) {
      const place = watch?.asked.indexOf(id) ?? -1;
      if (watch === null || place === -1) return;
      watch.asked = watch.asked.slice(place + 1);
      const own = watch.lateness.read();
      // The timers of a hidden tab are held back by the browser, and those of its core may be.
      const latest = late === undefined ? null : Math.max(late, own ?? 0);
      const flowing = { local: false, remote: false };
      const now = env.clock.now();
      // A sample is late by what its tab needed; the next one may be on time.
      const records =
        recordMillis <= pollMillis || now - watch.recordedAt > recordMillis - pollMillis / 2;
      if (records) watch.recordedAt = now;
      for (const judged of watch.streams.addSamples(samples)) {
        const { last: sample, rates } = judged;
        const entry = watch.streams.entry(sample.id);
        if (entry !== undefined) store.set(["quality", "streams", sample.id], entry);
        // a connection's first sample has no rate yet, which does not count as silence
        if (rates.kbps === null || rates.kbps > 0) flowing[sample.direction] = true;
        if (records)
          push(periodicRecord(watch.call, judged, serverTime.fromLocal(sample.at), latest));
      }
      for (const gone of watch.streams.gone(samples)) store.del(["quality", "streams", gone]);
      monitor(watch, flowing);
    },
    stop() {
      if (watch !== null) freshMonitor = resetDirection;
      unwatch();
      upload?.stop();
    },
    close() {
      unwatch();
      upload?.close();
      upload = null;
    },
  };
}
