/**
 * Messages between the core and the owner tab about a conference, inside `conference` of the media port. The core decides which
 * connections exist, the tab makes them. Each stream has its own PeerConnection, named by rtcId.
 */
import { z } from "../zod.ts";
import { ICE_STATES } from "../domain/ice-states.ts";
import { cameraActionSchema, cameraDoneSchema, cameraStateSchema } from "./confr-camera.ts";
import { wireErrorSchema } from "./wire-error.ts";
import { layerSchema, streamTypeSchema, videoCodecSchema } from "./confr-model.ts";
import { forcedSchema } from "./confr-publish.ts";
import { controlAbleEvent, controlCommands } from "./remote-control.ts";
import { recordCommands, recordEvents } from "./confr-recording.ts";
import { candidateSchema } from "./signalling.ts";

const rtcId = z.string().min(1).max(64);
const streamId = z.string().min(1).max(64);

export const confrCommandSchema = z.discriminatedUnion("t", [
  /**
   * Make the connection (with `restart`: restart its ICE) and answer by `description` with an offer. Type 0 sends the camera and
   * microphone that `own` opened. Type 1 sends the screen capture that the person has just granted in this tab.
   */
  z.object({
    t: z.literal("publish"),
    rtcId,
    type: streamTypeSchema,
    vcodes: z.array(videoCodecSchema),
    /** Send two video sections: high and low. */
    simulcast: z.boolean(),
    restart: z.boolean(),
    /** bit/s; null: what the congestion control finds. */
    maxVideoBitrate: z.number().int().nullable(),
    maxAudioBitrate: z.number().int().nullable(),
    /** Bitrates that the congestion control does not decide, and DTX. */
    forced: forcedSchema.optional(),
  }),
  /** As `publish`, for receiving another member's stream. */
  z.object({
    t: z.literal("subscribe"),
    rtcId,
    streamId,
    memId: z.string(),
    type: streamTypeSchema,
    video: z.boolean(),
    audio: z.boolean(),
    restart: z.boolean(),
  }),
  /** The media node's answer to the tab's offer. */
  z.object({ t: z.literal("answer"), rtcId, sdp: z.string() }),
  /** The media node's offer in place of an answer; the tab answers by `description` with an answer. */
  z.object({ t: z.literal("offer"), rtcId, sdp: z.string() }),
  z.object({ t: z.literal("candidates"), rtcId, cands: z.array(candidateSchema) }),
  z.object({ t: z.literal("close"), rtcId }),
  /** Ends the screen capture that was granted in this tab. */
  z.object({ t: z.literal("stop-screen") }),
  ...controlCommands,
  /** Another member controls the camera; answered by `camera-done`, except an empty id. */
  z.object({ t: z.literal("camera"), id: z.string().max(64), action: cameraActionSchema }),
  ...recordCommands,
]);
export type ConferenceMediaCommand = z.infer<typeof confrCommandSchema>;

export const confrEventSchema = z.discriminatedUnion("t", [
  z.object({
    t: z.literal("description"),
    rtcId,
    type: z.enum(["offer", "answer"]),
    sdp: z.string(),
    restart: z.boolean(),
  }),
  z.object({ t: z.literal("candidates"), rtcId, cands: z.array(candidateSchema) }),
  z.object({
    t: z.literal("ice"),
    rtcId,
    state: z.enum(ICE_STATES),
  }),
  /** A tile has painted a frame of this stream. Said only beside a call. */
  z.object({ t: z.literal("shown"), streamId: z.string().min(1).max(64) }),
  z.object({
    t: z.literal("first-media"),
    rtcId,
    kind: z.enum(["audio", "video"]),
    at: z.number(),
  }),
  /** Nothing arrives on this connection any more, though its ICE has not failed (docs/conferences.md#silence). */
  z.object({ t: z.literal("silent"), rtcId }),
  /** During a silence: this machine has other addresses than the connection. Connections that are made now use them. */
  z.object({ t: z.literal("moved"), rtcId }),
  /** ICE went over to a path of lower priority by itself. The media node may not follow. */
  z.object({ t: z.literal("fell"), rtcId }),
  /** Something arrives again, after a silence or an ICE restart. */
  z.object({ t: z.literal("heard"), rtcId }),
  /** The browser refused a candidate of the media node. The others may still connect. */
  z.object({ t: z.literal("candidate-refused"), rtcId }),
  /** This connection could not be created or negotiated. */
  z.object({ t: z.literal("failed"), rtcId, error: wireErrorSchema }),
  /** The layer that the tiles of this tab need; `none` while the tile or the tab is hidden. Sent on change, at most twice per second. */
  z.object({ t: z.literal("wish"), streamId, layer: layerSchema }),
  /** Streams that are heard now, loudest first, sent on change. "self" is the tab's own microphone. */
  z.object({ t: z.literal("talking"), streamIds: z.array(z.string()) }),
  /** The person granted a screen capture in this tab, or the capture ended. */
  z.object({ t: z.literal("screen"), on: z.boolean(), audio: z.boolean() }),
  z.object({ t: z.literal("camera-done"), id: z.string().max(64), ...cameraDoneSchema.shape }),
  /** What others have made of the own camera. Sent on change. */
  z.object({ t: z.literal("camera-state"), ...cameraStateSchema.shape }),
  /** Resolution of the published video, for tiles and quality records. */
  z.object({ t: z.literal("resolution"), rtcId, w: z.number().int(), h: z.number().int() }),
  controlAbleEvent,
  ...recordEvents,
]);
export type ConferenceMediaEvent = z.infer<typeof confrEventSchema>;
