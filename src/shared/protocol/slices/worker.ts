/** Measurements of the core itself. */
import { z } from "../../zod.ts";
import { connectionStateSchema } from "./connection.ts";

export const latencySchema = z.object({
  count: z.number().int(),
  p50: z.number(),
  p99: z.number(),
});
export const workerSliceSchema = z.object({
  coreId: z.string(),
  build: z.string(),
  epoch: z.string(),
  startedAt: z.number(),
  /** How many times this person's core was restarted while tabs were open. */
  restarts: z.number().int(),
  sockets: z.record(
    z.enum(["chat", "signalling", "quality"]),
    z.object({
      state: connectionStateSchema,
      since: z.number(),
      attempts: z.number().int(),
      sent: z.number().int(),
      received: z.number().int(),
    }),
  ),
  /** Newest 120 seconds, oldest first. */
  perSecond: z.array(
    z.object({
      at: z.number(),
      commands: z.number(),
      messages: z.number(),
      opsOut: z.number(),
    }),
  ),
  commands: z.record(z.string(), latencySchema),
  fanOut: latencySchema,
  refreshes: z.number().int(),
  errors: z.array(z.object({ at: z.number(), message: z.string() })),
});
export type WorkerSlice = z.infer<typeof workerSliceSchema>;

/** Data for measuring the fan-out; sent at once like call changes. Nothing else reads it. */
export const probeSliceSchema = z.object({
  n: z.number().int(),
  at: z.number(),
  payload: z.string(),
});
