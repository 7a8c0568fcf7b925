/**
 * The port between the core and the rtc-main half of a tab. The core decides, the tab does. Every message bears the owner epoch;
 * a receiver drops one whose epoch is not the current one.
 */
import { z } from "../zod.ts";
import { DEVICE_STATES } from "../domain/device-states.ts";
import { wireErrorSchema } from "../errors.ts";
import { callMediaSchema } from "./call-message.ts";
import { confrCommandSchema, confrEventSchema } from "./confr-media.ts";
import { streamSampleSchema } from "./qoe.ts";
import { rtcCfgSchema } from "./rest/rtc.ts";
import { candidateSchema } from "./signalling.ts";

const epoch = z.number().int();
const rtcId = z.string().min(1).max(64);
/** Of a conference: the microphone stays closed. A muted one is open. */
const audioOff = z.boolean().optional();

export const mediaCommandSchema = z.discriminatedUnion("t", [
  /**
   * Take the lock `call-owner` and answer `owned`. A call then opens the devices and answers `opened` or `failed`. A conference needs
   * none of them: it opens what is wanted and answers `capture` on every change.
   */
  z.object({
    t: z.literal("own"),
    epoch,
    callId: z.string(),
    media: callMediaSchema,
    audioMuted: z.boolean(),
    audioOff,
    videoOff: z.boolean(),
    rtcCfg: rtcCfgSchema,
    engine: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("native") }),
      /** callId is the conference; everything else goes by `confr`. */
      z.object({ kind: z.literal("conference") }),
      z.object({
        kind: z.literal("agora"),
        appId: z.string(),
        channel: z.string(),
        token: z.string(),
        uid: z.number().int(),
      }),
    ]),
  }),
  /** Stop tracks, close peers, give the lock back; answered by `released`. */
  z.object({ t: z.literal("release"), epoch }),
  /** Make (or, with iceRestart, restart) the connection rtcId and answer `description` with an offer. */
  z.object({ t: z.literal("offer"), epoch, rtcId, iceRestart: z.boolean() }),
  /** A description from the other side; an offer is answered by `description` with an answer. */
  z.object({
    t: z.literal("description"),
    epoch,
    rtcId,
    type: z.enum(["offer", "answer"]),
    sdp: z.string(),
  }),
  z.object({ t: z.literal("candidates"), epoch, rtcId, cands: z.array(candidateSchema) }),
  z.object({ t: z.literal("close"), epoch, rtcId }),
  z.object({
    t: z.literal("local"),
    epoch,
    audioMuted: z.boolean(),
    audioOff,
    videoOff: z.boolean(),
    /** The person asks for these: open them though that failed before. */
    retry: z.array(z.enum(["audio", "video"])).optional(),
  }),
  z.object({ t: z.literal("sample"), epoch, id: z.string() }),
  /** Say again what there is: devices and connections. A new core may have missed what was said when it came. */
  z.object({ t: z.literal("replay"), epoch }),
  z.object({ t: z.literal("confr"), epoch, body: confrCommandSchema }),
]);
export type MediaCommand = z.infer<typeof mediaCommandSchema>;

export const mediaEventSchema = z.discriminatedUnion("t", [
  /** The lock is held. */
  z.object({ t: z.literal("owned"), epoch }),
  /**
   * Devices open; `notice` names what was left out (say, no camera) and why. Sent again when what can be had changes: a device
   * unplugged or found, or a camera that did not come on (hasVideo false: it is off again). hasVideo: a camera is there or was
   * not asked for yet.
   */
  z.object({
    t: z.literal("opened"),
    epoch,
    hasAudio: z.boolean(),
    hasVideo: z.boolean(),
    notice: wireErrorSchema.optional(),
  }),
  z.object({
    t: z.literal("capture"),
    epoch,
    audio: z.enum(DEVICE_STATES),
    video: z.enum(DEVICE_STATES),
  }),
  z.object({ t: z.literal("failed"), epoch, rtcId: rtcId.optional(), error: wireErrorSchema }),
  z.object({ t: z.literal("released"), epoch }),
  z.object({
    t: z.literal("description"),
    epoch,
    rtcId,
    type: z.enum(["offer", "answer"]),
    sdp: z.string(),
    iceRestart: z.boolean(),
  }),
  z.object({ t: z.literal("candidates"), epoch, rtcId, cands: z.array(candidateSchema) }),
  z.object({
    t: z.literal("ice"),
    epoch,
    rtcId,
    state: z.enum([
      "new",
      "checking",
      "connected",
      "completed",
      "disconnected",
      "failed",
      "closed",
    ]),
  }),
  /** First decoded video frame or first received audio packet of a connection. */
  z.object({
    t: z.literal("first-media"),
    epoch,
    rtcId,
    kind: z.enum(["audio", "video"]),
    /** ms since the epoch */
    at: z.number(),
  }),
  z.object({
    t: z.literal("samples"),
    epoch,
    id: z.string(),
    samples: z.array(streamSampleSchema),
  }),
  /** Sound was refused by the autoplay rule until a gesture; false when it plays. */
  z.object({ t: z.literal("autoplay"), epoch, blocked: z.boolean() }),
  z.object({ t: z.literal("devices"), epoch, text: z.string() }),
  z.object({ t: z.literal("confr"), epoch, body: confrEventSchema }),
]);
export type MediaEvent = z.infer<typeof mediaEventSchema>;
