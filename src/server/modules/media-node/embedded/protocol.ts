/** The messages between the server and the media process. Both come from one build, and both still validate. */
import { z } from "zod";
import { wireErrorSchema } from "../../../../shared/protocol/wire-error.ts";
import { layerSchema, videoCodecSchema } from "../../../../shared/protocol/confr-model.ts";
import { candidateSchema } from "../../../../shared/protocol/signalling.ts";

const id = z.string().min(1).max(200);
const cands = z.array(candidateSchema).max(200);

/** The process's first argument, as JSON. */
export const processOptionsSchema = z.object({
  /** 0: any free port */
  port: z.number().int().min(0).max(65_535),
  bind: z.string().optional(),
  announce: z.string().optional(),
  /** UDP port for browsers that come by TURN over TCP or TLS; 0: any free port. Without one there is none. */
  turnPort: z.number().int().min(0).max(65_535).optional(),
  capacity: z.number().int().positive(),
});
export type ProcessOptions = z.infer<typeof processOptionsSchema>;

const heldSchema = z.object({ video: z.boolean(), audio: z.boolean() });
const publishSchema = z.object({
  id,
  conferenceId: id,
  offer: z.string(),
  vcodes: z.array(videoCodecSchema),
  maxVideoBitrate: z.number().positive().optional(),
  held: heldSchema.optional(),
});
const wanted = { video: z.boolean(), audio: z.boolean(), layer: layerSchema };
const subscribeSchema = z.object({
  id,
  conferenceId: id,
  publisher: id,
  offer: z.string(),
  ...wanted,
});

export const toProcessSchema = z.discriminatedUnion("t", [
  z.object({ t: z.literal("publish"), n: z.number(), request: publishSchema }),
  z.object({ t: z.literal("subscribe"), n: z.number(), request: subscribeSchema }),
  z.object({ t: z.literal("restart"), n: z.number(), id, offer: z.string() }),
  z.object({ t: z.literal("stats"), n: z.number() }),
  z.object({ t: z.literal("candidates"), id, cands }),
  z.object({ t: z.literal("select"), id, wanted: z.object(wanted) }),
  z.object({ t: z.literal("hold"), id, held: heldSchema }),
  z.object({ t: z.literal("closeConnection"), id }),
  z.object({ t: z.literal("closeConference"), conferenceId: id }),
  z.object({
    t: z.literal("impair"),
    to: z.object({ loss: z.number(), delay: z.number(), cut: z.boolean() }),
  }),
  z.object({ t: z.literal("end") }),
]);
export type ToProcess = z.infer<typeof toProcessSchema>;

export const statsSchema = z.object({
  publishers: z.number(),
  subscribers: z.number(),
  forwarded: z.number(),
  packetsIn: z.number(),
  packetsOut: z.number(),
  resent: z.number(),
  bytesIn: z.number(),
  bytesOut: z.number(),
});

export const publishedSchema = z.object({
  answer: z.string(),
  hasAudio: z.boolean(),
  hasVideo: z.boolean(),
  vcodec: videoCodecSchema.nullable(),
  layers: z.array(layerSchema),
});

export const descriptionSchema = z.object({ type: z.enum(["offer", "answer"]), sdp: z.string() });

export const fromProcessSchema = z.discriminatedUnion("t", [
  z.object({ t: z.literal("ready"), port: z.number() }),
  z.object({ t: z.literal("answered"), n: z.number(), value: z.unknown() }),
  z.object({ t: z.literal("refused"), n: z.number(), error: wireErrorSchema }),
  z.object({ t: z.literal("stats"), stats: statsSchema }),
  z.object({
    t: z.literal("event"),
    event: z.discriminatedUnion("t", [
      z.object({ t: z.literal("candidates"), id, cands }),
      z.object({
        t: z.literal("state"),
        id,
        state: z.enum(["connected", "disconnected", "failed", "closed"]),
      }),
      z.object({ t: z.literal("layer"), id, layer: layerSchema }),
    ]),
  }),
]);
export type FromProcess = z.infer<typeof fromProcessSchema>;
