/** The periodic quality record (type 1) of one stream, from what is known of it after a sample. Numbers are whole. */
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import type { StreamJudgement } from "../../../shared/domain/quality.ts";
import type { QualityRecord } from "../../../shared/protocol/qoe.ts";
import type { QoeCall } from "./contracts.ts";

type Value = number | null | undefined;
const whole = (value: Value): number => Math.round(value ?? 0);
/** Leaves out what the browser did not say. */
const known = <T extends Record<string, unknown>>(
  fields: T,
): { readonly [K in keyof T]?: Exclude<T[K], null | undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as never;
/** What is no number in JSON would have the whole batch refused. */
const rounded = (value: Value, factor = 1): number | null =>
  value == null || !Number.isFinite(value) ? null : Math.round(value * factor);

/**
 * @param time of the sample by the server's clock, ms since the epoch
 * @param late ms by which timers of this machine were late; null: unknown
 */
export function periodicRecord(
  call: QoeCall,
  { last: sample, rates, mos }: StreamJudgement,
  time: number,
  late: number | null,
): QualityRecord {
  const local = sample.direction === "local";
  const about = call.about?.(sample.rtcId, sample.direction);
  return {
    kind: 1,
    confrId: call.confrId,
    memId: call.memId,
    memName: call.memName,
    time: Math.round(time),
    sessionId: call.sessionId,
    streamType: about?.type ?? STREAM_TYPE.camera,
    // The stream may be gone when its last sample comes.
    sId: about?.id ?? sample.id,
    rtcId: sample.rtcId,
    isPub: local,
    subMemName: local ? "" : (about?.memName ?? call.peerName),
    subMemId: local ? "" : (about?.memId ?? ""),
    media: sample.kind,
    packets: whole(sample.packets),
    bytes: whole(sample.bytes),
    packetsLost: whole(sample.packetsLost),
    packetLossRate: whole(rates.loss),
    KBps: whole(rates.kbps === null ? null : rates.kbps / 8),
    frameWidth: whole(sample.width),
    frameHeight: whole(sample.height),
    fps: whole(rates.fps),
    rtt: whole(rates.rtt),
    audioInputLevel: whole(sample.audioLevel === null ? null : sample.audioLevel * 100),
    ...known({
      mos: rounded(mos, 100),
      on: (about?.flows ?? call.expected()[sample.direction])[sample.kind],
      jitter: rounded(rates.jitter),
      buffer: rounded(rates.buffer),
      freezes: rates.freezes,
      frozen: rounded(rates.frozen, rates.elapsed ?? 0),
      dropped: rates.dropped,
      frames: rates.frames,
      coding: rounded(rates.coding, 100),
      limited: sample.limited,
      available: rounded(sample.availableKbps),
      sourceFps: rounded(sample.sourceFps),
      sourceWidth: rounded(sample.sourceWidth),
      sourceHeight: rounded(sample.sourceHeight),
      sounds: rates.sounds,
      codec: sample.codec,
      pair: sample.pair,
      route: sample.route,
      late: rounded(late),
    }),
  };
}
