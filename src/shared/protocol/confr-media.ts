/**
 * What the core and the owner tab tell each other about a conference, inside the media port's `confr`: the core decides which
 * connections there are, the tab makes them. One PeerConnection a stream, named by rtcId.
 */
import { z } from "../zod.ts";
import { wireErrorSchema } from "../errors.ts";
import { layerSchema, streamTypeSchema, videoCodecSchema } from "./confr-signalling.ts";
import { candidateSchema } from "./signalling.ts";

const rtcId = z.string().min(1).max(64);
const streamId = z.string().min(1).max(64);

export const confrCommandSchema = z.discriminatedUnion("t", [
  /**
   * Make (or with restart: ICE restart) the connection and answer by `description` (offer). Camera and microphone are those of
   * `own`; of a screen (type 1) the capture that the person has just granted in this tab.
   */
  z.object({
    t: z.literal("publish"),
    rtcId,
    type: streamTypeSchema,
    vcodes: z.array(videoCodecSchema),
    /** Two video sections: high and low. */
    simulcast: z.boolean(),
    restart: z.boolean(),
    maxVideoBitrate: z.number().int().nullable(),
    maxAudioBitrate: z.number().int().nullable(),
  }),
  z.object({ t: z.literal("answer"), rtcId, sdp: z.string() }),
  /** The node's offer of somebody's stream; answered by `description` (answer). */
  z.object({
    t: z.literal("subscribe"),
    rtcId,
    streamId,
    memId: z.string(),
    type: streamTypeSchema,
    sdp: z.string(),
    video: z.boolean(),
    audio: z.boolean(),
  }),
  z.object({ t: z.literal("candidates"), rtcId, cands: z.array(candidateSchema) }),
  z.object({ t: z.literal("close"), rtcId }),
  /** Ends a capture of the screen that was granted here. */
  z.object({ t: z.literal("stop-screen") }),
]);
export type ConfrCommand = z.infer<typeof confrCommandSchema>;

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
  z.object({
    t: z.literal("first-media"),
    rtcId,
    kind: z.enum(["audio", "video"]),
    at: z.number(),
  }),
  /** This connection could not be made or negotiated. */
  z.object({ t: z.literal("failed"), rtcId, error: wireErrorSchema }),
  /** What the tiles of this tab need: none when hidden or the tab is. Told on change, not more than twice a second. */
  z.object({ t: z.literal("wish"), streamId, layer: layerSchema }),
  /** Who is heard, loudest first (judgeTalkingByInstantGE); told on change. "self" is the own microphone. */
  z.object({ t: z.literal("talking"), streamIds: z.array(z.string()) }),
  /** The person granted a capture of the screen in this tab, or it ended. */
  z.object({ t: z.literal("screen"), on: z.boolean(), audio: z.boolean() }),
  /** The own resolution, for tiles and records. */
  z.object({ t: z.literal("resolution"), rtcId, w: z.number().int(), h: z.number().int() }),
]);
export type ConfrEvent = z.infer<typeof confrEventSchema>;
