/** Converts the Agora SDK's statistics to samples. Values that it does not report are null. */
import type { IAgoraRTCClient } from "agora-rtc-sdk-ng";
import type { StreamSample } from "../../shared/protocol/qoe.ts";

export type AgoraStatsSource = Pick<
  IAgoraRTCClient,
  | "getRTCStats"
  | "getLocalAudioStats"
  | "getLocalVideoStats"
  | "getRemoteAudioStats"
  | "getRemoteVideoStats"
>;

const codecOf = ({ codecType }: { readonly codecType?: string }): { readonly codec?: string } =>
  codecType === undefined ? {} : { codec: codecType };

type MakeSample = (kind: "audio" | "video", values: Partial<StreamSample>) => StreamSample;

const samplesOf =
  (rtcId: string, direction: "local" | "remote", rtt: number, now: number): MakeSample =>
  (kind, values) => ({
    id: `${rtcId}:${direction}:${kind}`,
    rtcId,
    direction,
    kind,
    at: now,
    bytes: 0,
    packets: 0,
    packetsLost: 0,
    rtt,
    jitter: null,
    frames: null,
    framesDropped: null,
    fps: null,
    width: null,
    height: null,
    freezeCount: null,
    pliCount: null,
    qpSum: null,
    audioLevel: null,
    concealedSamples: null,
    totalSamples: null,
    ...values,
  });

/** What is sent. @param now ms since the epoch */
export function agoraSentSamples(
  rtcId: string,
  client: AgoraStatsSource,
  now: number,
): StreamSample[] {
  const { RTT, OutgoingAvailableBandwidth: available } = client.getRTCStats();
  const sample = samplesOf(rtcId, "local", RTT, now);
  /** The SDK says 0 while it does not know. */
  const path = available > 0 ? { availableKbps: available } : {};
  const samples: StreamSample[] = [];
  const la = client.getLocalAudioStats();
  const lv = client.getLocalVideoStats();
  if (la.sendPackets > 0) {
    samples.push(
      sample("audio", {
        bytes: la.sendBytes,
        packets: la.sendPackets,
        packetsLost: la.sendPacketsLost,
        rtt: la.sendRttMs,
        jitter: la.sendJitterMs,
        audioLevel: la.sendVolumeLevel / 32767,
        ...path,
        ...codecOf(la),
      }),
    );
  }
  if (lv.sendPackets > 0) {
    samples.push(
      sample("video", {
        bytes: lv.sendBytes,
        packets: lv.sendPackets,
        packetsLost: lv.sendPacketsLost,
        rtt: lv.sendRttMs,
        jitter: lv.sendJitterMs,
        fps: lv.sendFrameRate ?? null,
        width: lv.sendResolutionWidth,
        height: lv.sendResolutionHeight,
        sourceWidth: lv.captureResolutionWidth,
        sourceHeight: lv.captureResolutionHeight,
        ...(lv.captureFrameRate === undefined ? {} : { sourceFps: lv.captureFrameRate }),
        ...path,
        ...codecOf(lv),
      }),
    );
  }
  return samples;
}

/** What arrives of one person. @param uid null: the one remote person of a call of two @param now ms since the epoch */
export function agoraReceivedSamples(
  rtcId: string,
  uid: number | null,
  client: AgoraStatsSource,
  now: number,
): StreamSample[] {
  const sample = samplesOf(rtcId, "remote", client.getRTCStats().RTT, now);
  const samples: StreamSample[] = [];
  const one = <T>(stats: Readonly<Record<string, T>>): T | undefined =>
    uid === null ? Object.values(stats)[0] : stats[String(uid)];
  const ra = one(client.getRemoteAudioStats());
  const rv = one(client.getRemoteVideoStats());
  if (ra !== undefined) {
    samples.push(
      sample("audio", {
        bytes: ra.receiveBytes,
        packets: ra.receivePackets,
        packetsLost: ra.receivePacketsLost,
        audioLevel: ra.receiveLevel / 32767,
        ...codecOf(ra),
      }),
    );
  }
  if (rv !== undefined) {
    samples.push(
      sample("video", {
        bytes: rv.receiveBytes,
        packets: rv.receivePackets,
        packetsLost: rv.receivePacketsLost,
        fps: rv.decodeFrameRate ?? null,
        width: rv.receiveResolutionWidth,
        height: rv.receiveResolutionHeight,
        // The SDK counts seconds.
        frozenMillis: rv.totalFreezeTime * 1000,
        ...codecOf(rv),
      }),
    );
  }
  return samples;
}

/** All of a call of two. @param now ms since the epoch */
export const agoraSamples = (
  rtcId: string,
  client: AgoraStatsSource,
  now: number,
): StreamSample[] => [
  ...agoraSentSamples(rtcId, client, now),
  ...agoraReceivedSamples(rtcId, null, client, now),
];
