/**
 * What a publication sends (docs/conferences.md#own-tracks-and-bitrates): limits of its encodings, and the changes of the node's answer
 * by which a browser sends a forced bitrate or DTX. The answer says what its maker wants to receive.
 */
import type { ConferenceMediaCommand } from "../../shared/protocol/confr-media.ts";

type PublishCommand = Extract<ConferenceMediaCommand, { t: "publish" }>;
type Settings = Pick<PublishCommand, "maxVideoBitrate" | "maxAudioBitrate" | "forced">;

const least = (...limits: (number | null | undefined)[]): number | null => {
  const given = limits.filter((one) => typeof one === "number");
  return given.length === 0 ? null : Math.min(...given);
};

/** bit/s at most, per kind; null without a limit. A forced bitrate is also the most that is sent. */
export const limitsOf = ({ maxVideoBitrate, maxAudioBitrate, forced }: Settings) => ({
  video: forced?.video ?? least(maxVideoBitrate),
  audio: forced?.audio ?? least(maxAudioBitrate),
});

const CODEC = /^a=rtpmap:(\d+) (VP8|VP9|H264|H265|AV1|opus)\//i;

/** Adds format parameters to each codec of the sections of a kind, in place of those with the same names. */
function withParameters(
  sdp: string,
  kind: "audio" | "video",
  parameters: Readonly<Record<string, number>>,
): string {
  const names = Object.keys(parameters);
  if (names.length === 0) return sdp;
  const added = names.map((name) => `${name}=${parameters[name]}`);
  const withThese = (given: string): string =>
    [
      ...given
        .split(";")
        .map((one) => one.trim())
        .filter((one) => one !== "" && !names.includes(one.split("=")[0] ?? "")),
      ...added,
    ].join(";");
  return sdp
    .split(/(?=^m=)/m)
    .map((section) => {
      if (!section.startsWith(`m=${kind}`)) return section;
      const lines = section.split("\r\n");
      const payloads = lines.flatMap((line) => CODEC.exec(line)?.[1] ?? []);
      return lines
        .flatMap((line) => {
          const payload = /^a=fmtp:(\d+) (.*)$/.exec(line);
          if (payload !== null && payloads.includes(payload[1] ?? "")) {
            return [`a=fmtp:${payload[1]} ${withThese(payload[2] ?? "")}`];
          }
          const codec = CODEC.exec(line)?.[1];
          const bare =
            codec !== undefined && !lines.some((one) => one.startsWith(`a=fmtp:${codec} `));
          return bare ? [line, `a=fmtp:${codec} ${withThese("")}`] : [line];
        })
        .join("\r\n");
    })
    .join("");
}

/** The figure of the whole transport also counts headers, sound and retransmissions. The encoding's own limit keeps the picture exact. */
const HEADROOM = 1.3;
const kilobits = (bits: number): number => Math.round((bits * HEADROOM) / 1000);

/** The node's answer, changed so that the browser sends what is forced. */
export function withForced(answer: string, { forced }: Settings): string {
  if (forced === undefined) return answer;
  const { video, minVideo, audio, dtx } = forced;
  const min = video ?? minVideo;
  const withVideo =
    min === undefined
      ? answer
      : withParameters(answer, "video", {
          "x-google-min-bitrate": kilobits(min),
          "x-google-start-bitrate": kilobits(min),
        });
  return withParameters(withVideo, "audio", {
    ...(audio === undefined ? {} : { maxaveragebitrate: audio, cbr: 1 }),
    ...(dtx === undefined ? {} : { usedtx: dtx ? 1 : 0 }),
  });
}
