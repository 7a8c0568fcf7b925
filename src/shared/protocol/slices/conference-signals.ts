/**
 * What happened in a conference and is no state: refusals, failures, changes of the network, and what the server said once. Every tab
 * reads each once, by its id.
 */
import { z } from "../../zod.ts";

/** Names of the specification (its error catalogue), and those of our own for what it does not name. */
export const CONFERENCE_SIGNALS = [
  "SubFailNotSupportVCodes",
  "NetworkChanaged",
  /** ICE of a stream's connection failed, or a description could not be set. */
  "ICEConnectFail",
  "AddIceCandError",
  "ServerRefuseEnter",
  "EnterFail",
  /** Our own: an own track of a host page could not move with the media to another tab. */
  "OwnTracksLost",
  /** Our own: the ticket ends soon, or has ended. */
  "TicketExpiring",
  "TicketExpired",
  /** Op 452. */
  "LiveCfgs",
] as const;

/** At most this many are kept. */
export const SIGNALS_KEPT = 20;

export const conferenceSignalSchema = z.object({
  /** Grows by each signal of a core. */
  id: z.string(),
  code: z.enum(CONFERENCE_SIGNALS),
  streamId: z.string().optional(),
  /** A result of the server, or an end reason. */
  result: z.number().int().optional(),
  /** What the server said. */
  text: z.string().optional(),
  /** ms since the epoch */
  at: z.number(),
  details: z.record(z.string(), z.unknown()).default({}),
});
export type ConferenceSignal = z.infer<typeof conferenceSignalSchema>;
