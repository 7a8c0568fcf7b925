/**
 * A call as operations look at it: what its timeline says, already as the numbers of charts, causes and scores
 * (docs/session.md#quality-of-calls). A tab that made it of the timeline itself would stand still for a second.
 */
import { CALL_CAUSES } from "../domain/call-causes.ts";
import { CALL_CHART_TITLES, CALL_LINE_NAMES } from "../domain/call-lines.ts";
import { z } from "../zod.ts";
import { timelineEventSchema } from "./call-timeline.ts";

const figure = z.number().nullable();
const sideSchema = z.object({
  /** Chat user name. */
  memName: z.string(),
  machine: z.array(z.string()),
  events: z.array(timelineEventSchema),
  /** Changes of the pair of addresses: `detail` says the kinds of the candidates. */
  routes: z.array(timelineEventSchema),
  /** ms since the epoch; each line has one number for each. */
  times: z.array(z.number()),
  charts: z.array(
    z.object({
      title: z.enum(CALL_CHART_TITLES),
      lines: z.array(z.object({ name: z.enum(CALL_LINE_NAMES), y: z.array(figure) })),
    }),
  ),
});
export type ViewedSide = z.infer<typeof sideSchema>;

const receivedSchema = z.object({
  to: z.string(),
  from: z.string(),
  /** Means over the time. */
  mos: figure,
  /** kbit/s */
  sound: figure,
  picture: figure,
  /** px, the most; 0: no picture. */
  height: z.number(),
  /** % */
  loss: figure,
});
export type ReceivedRow = z.infer<typeof receivedSchema>;

export const callViewSchema = z.object({
  confrId: z.string(),
  /** First and last time of what was measured, ms since the epoch; null: nothing was. */
  full: z.object({ from: z.number(), to: z.number() }).nullable(),
  scores: z.array(z.object({ from: z.string(), sound: figure, picture: figure, mos: figure })),
  causes: z.array(
    z.object({
      cause: z.enum(CALL_CAUSES),
      from: z.string().nullable(),
      begin: z.number(),
      end: z.number().nullable(),
    }),
  ),
  /** Who received what of whom. */
  received: z.array(receivedSchema),
  sides: z.array(sideSchema),
});
export type CallView = z.infer<typeof callViewSchema>;
