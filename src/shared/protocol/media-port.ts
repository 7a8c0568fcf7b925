/**
 * The port between the core and the media code of a tab (src/rtc-main). The core decides, the tab acts. Every message carries the
 * owner epoch; the receiver drops a message with another epoch than the current one. Beside a conference, a call has an epoch of its own.
 */
import { z } from "../zod.ts";
import { DEVICE_STATES } from "../domain/device-states.ts";
import { ICE_STATES } from "../domain/ice-states.ts";
import { PICTURE_LEVELS } from "../domain/picture-levels.ts";
import { wireErrorSchema } from "./wire-error.ts";
import { callMediaSchema } from "./call-message.ts";
import { captureSourcesSchema } from "./confr-publish.ts";
import { confrCommandSchema, confrEventSchema } from "./confr-media.ts";
import { videoCodecsSchema } from "./confr-model.ts";
import { streamSampleSchema } from "./qoe.ts";
import { rtcCfgSchema } from "./rest/rtc.ts";
import { candidateSchema } from "./signalling.ts";

const epoch = z.number().int();
const rtcId = z.string().min(1).max(64);
/** In a conference: the microphone is closed. A muted microphone stays open. */
const audioOff = z.boolean().optional();
/** In a conference: where sound and picture come from. Absent: from devices. */
const sources = captureSourcesSchema.optional();

/** With what a tab joins a channel of the Agora cloud. */
export const agoraAccessSchema = z.object({
  appId: z.string(),
  channel: z.string(),
  token: z.string(),
  uid: z.number().int(),
});
export type AgoraAccess = z.infer<typeof agoraAccessSchema>;

export const mediaCommandSchema = z.discriminatedUnion("t", [
  /**
   * Take the lock `call-owner` and answer `owned`. For a call, then open the devices and answer `opened` or `failed`. A conference
   * works without devices: the tab opens what is wanted and answers `capture` on every change.
   */
  z.object({
    t: z.literal("own"),
    epoch,
    callId: z.string(),
    media: callMediaSchema,
    audioMuted: z.boolean(),
    audioOff,
    videoOff: z.boolean(),
    sources,
    rtcCfg: rtcCfgSchema,
    engine: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("native") }),
      /** callId is the conference's id; everything else goes through `conference`. With `cloud` a channel there carries the media. */
      z.object({ kind: z.literal("conference"), cloud: agoraAccessSchema.optional() }),
      z.object({ kind: z.literal("agora"), ...agoraAccessSchema.shape }),
    ]),
    /**
     * The tab keeps what it carries, a call beside a conference, until that is released: a call of two becomes a group call without a
     * gap. Otherwise the tab ends it.
     */
    beside: z.boolean().optional(),
    /**
     * Another tab carries the media and holds the lock. Open devices and connections now, and answer `owned` once that tab has given the
     * lock back.
     */
    ahead: z.boolean().optional(),
  }),
  /** Stop the tracks, close the connections and release the lock; answered by `released`. */
  z.object({ t: z.literal("release"), epoch }),
  /** Make the connection rtcId (with iceRestart: restart its ICE) and answer by `description` with an offer. */
  z.object({ t: z.literal("offer"), epoch, rtcId, iceRestart: z.boolean() }),
  /** A description from the other side. An offer is answered by `description` with an answer. */
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
    sources,
    /** Devices that the person asks for: open them even though that failed before. */
    retry: z.array(z.enum(["audio", "video"])).optional(),
  }),
  /** How much of the own picture a call sends from now on, by each of its connections. */
  z.object({ t: z.literal("picture"), epoch, level: z.enum(PICTURE_LEVELS) }),
  /** Go on with this token of the Agora cloud: the answer to `token-expiring`. */
  z.object({ t: z.literal("token"), epoch, token: z.string() }),
  z.object({ t: z.literal("sample"), epoch, id: z.string() }),
  /** Send the state of devices and connections again, for a new core that may have missed the events. */
  z.object({ t: z.literal("replay"), epoch }),
  z.object({ t: z.literal("conference"), epoch, body: confrCommandSchema }),
]);
export type MediaCommand = z.infer<typeof mediaCommandSchema>;

export const mediaEventSchema = z.discriminatedUnion("t", [
  /** The tab holds the lock. */
  z.object({ t: z.literal("owned"), epoch }),
  /**
   * The devices are open; `notice` says what was left out (e.g. no camera) and why. Sent again when the available devices change:
   * one was unplugged or found, or a camera failed to start (hasVideo false: it is off again). hasVideo is true when a camera is
   * available or was not asked for yet.
   */
  z.object({
    t: z.literal("opened"),
    epoch,
    hasAudio: z.boolean(),
    hasVideo: z.boolean(),
    microphone: z.enum(DEVICE_STATES).optional(),
    camera: z.enum(DEVICE_STATES).optional(),
    notice: wireErrorSchema.optional(),
    /** What the browser receives and sends, should the call become a group call. Absent when it does not say. */
    codecs: videoCodecsSchema.optional(),
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
    state: z.enum(ICE_STATES),
  }),
  /** Nothing arrives any more on a connection that had traffic; something arrives again after that or after an ICE restart. */
  z.object({ t: z.enum(["silent", "heard"]), epoch, rtcId }),
  /** The machine has none of this connection's addresses any more. Connections that are made now have its present ones. */
  z.object({ t: z.literal("moved"), epoch, rtcId }),
  /** The first decoded video frame or the first received audio packet of a connection. */
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
    /** ms by which half of the tab's timers were late at least since the answer before. Absent where the tab was hidden meanwhile. */
    late: z.number().nonnegative().optional(),
  }),
  /** The browser's autoplay rule blocks sound until a gesture; false once it plays. */
  z.object({ t: z.literal("autoplay"), epoch, blocked: z.boolean() }),
  z.object({ t: z.literal("devices"), epoch, text: z.string() }),
  /** The token of the Agora cloud ends soon, or has ended. */
  z.object({ t: z.literal("token-expiring"), epoch }),
  z.object({ t: z.literal("conference"), epoch, body: confrEventSchema }),
]);
export type MediaEvent = z.infer<typeof mediaEventSchema>;
