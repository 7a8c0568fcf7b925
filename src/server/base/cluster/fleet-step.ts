/** What each server process says to all of them every 10 s: the figures of the step that it closed (docs/server.md#alerts). */
import { z } from "zod";
import { sparseHistogramSchema } from "../../../shared/protocol/fleet.ts";

export const FLEET_STEP = "fleet:step";
/** Cores that are named for one thing that happened. */
export const NAMED_MAX = 5;

const number = z.number();
const figuresSchema = z.object({
  c: z.record(z.string(), number),
  h: z.record(z.string(), sparseHistogramSchema),
  l: z.record(z.string(), z.tuple([number, number, number])),
});

export const fleetStepSchema = z.object({
  process: z.string(),
  /** Host and port, for people; a build before this one does not say it. */
  name: z.string().default(""),
  /** Begin of the step, ms since the epoch. */
  at: number,
  rows: z.array(z.object({ companyId: z.string(), figures: figuresSchema })),
  /** Cores to which something happened. `metric`: `restarts`, or a part as a rule names it, like `lost.chat` and `errors.core.deadline`. */
  named: z.array(
    z.object({
      companyId: z.string(),
      metric: z.string(),
      cores: z.array(z.object({ core: z.string(), accountId: z.string() })).max(NAMED_MAX),
    }),
  ),
});
export type FleetStep = z.infer<typeof fleetStepSchema>;
