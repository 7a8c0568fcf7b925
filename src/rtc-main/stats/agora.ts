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

/** @param now ms since the epoch */
export function agoraSamples(rtcId: string, client: AgoraStatsSource, now: number): StreamSample[] {
  const rtt = client.getRTCStats().RTT;
  const sample = (
    direction: "local" | "remote",
    kind: "audio" | "video",
    values: Partial<StreamSample>,
  ): StreamSample => ({
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
  const samples: StreamSample[] = [];
  const la = client.getLocalAudioStats();
  const lv = client.getLocalVideoStats();
  if (la.sendPackets > 0) {
    samples.push(
      sample("local", "audio", {
        bytes: la.sendBytes,
        packets: la.sendPackets,
        packetsLost: la.sendPacketsLost,
        rtt: la.sendRttMs,
        jitter: la.sendJitterMs,
        audioLevel: la.sendVolumeLevel / 32767,
      }),
    );
  }
  if (lv.sendPackets > 0) {
    samples.push(
      sample("local", "video", {
        bytes: lv.sendBytes,
        packets: lv.sendPackets,
        packetsLost: lv.sendPacketsLost,
        rtt: lv.sendRttMs,
        jitter: lv.sendJitterMs,
        fps: lv.sendFrameRate ?? null,
        width: lv.sendResolutionWidth,
        height: lv.sendResolutionHeight,
      }),
    );
  }
  // A call has one remote user.
  const ra = Object.values(client.getRemoteAudioStats())[0];
  const rv = Object.values(client.getRemoteVideoStats())[0];
  if (ra !== undefined) {
    samples.push(
      sample("remote", "audio", {
        bytes: ra.receiveBytes,
        packets: ra.receivePackets,
        packetsLost: ra.receivePacketsLost,
        audioLevel: ra.receiveLevel / 32767,
      }),
    );
  }
  if (rv !== undefined) {
    samples.push(
      sample("remote", "video", {
        bytes: rv.receiveBytes,
        packets: rv.receivePackets,
        packetsLost: rv.receivePacketsLost,
        fps: rv.decodeFrameRate ?? null,
        width: rv.receiveResolutionWidth,
        height: rv.receiveResolutionHeight,
      }),
    );
  }
  return samples;
}
