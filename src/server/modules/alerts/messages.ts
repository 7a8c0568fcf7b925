/** What server processes say to each other of their lives and of open alerts (docs/server.md#alerts). */
import { z } from "zod";
import { ALERT_LEVELS, RULE_KINDS } from "../../../shared/domain/alert-rules.ts";
import { type Alert, alertSchema } from "../../../shared/protocol/rest/alerts.ts";
import type { AlertRecord } from "./contracts.ts";

/** A process lives. */
export const ALIVE = "alerts:alive";
/** A process stops properly. */
export const GOODBYE = "alerts:goodbye";
/** All alerts that the leader has open. */
export const OPEN = "alerts:open";
/** What a process had open that was the leader until it heard of an older one. */
export const HANDED = "alerts:handed";
/** Somebody has acknowledged an alert. */
export const ACKNOWLEDGED = "alerts:acknowledged";
/** Rules or silences in the database have changed. */
export const SETTINGS = "alerts:settings";

export const signSchema = z.object({
  id: z.string(),
  /** Host and port, as people read them. */
  name: z.string(),
  startedAt: z.number(),
  nodes: z.array(
    z.object({
      name: z.string(),
      up: z.boolean(),
      /** How often its process ended since this server process began. */
      restarts: z.number(),
    }),
  ),
  /** `silent`: ms since it last answered this process; 0 while it answers. */
  database: z.object({ name: z.string(), silent: z.number() }),
  /** Whether it reaches what carries messages between processes; none: it is the only one. */
  bus: z.enum(["none", "up", "away"]).default("none"),
  /** The process has just begun and asks which others live. */
  asks: z.boolean(),
});
export type Sign = z.infer<typeof signSchema>;

export const goodbyeSchema = z.object({ id: z.string() });

const recordSchema = alertSchema
  .pick({ subject: true, cores: true, value: true, worst: true, limit: true, silenced: true })
  .extend({
    key: z.string(),
    rule: z.string(),
    ruleName: z.string(),
    level: z.enum(ALERT_LEVELS),
    kind: z.enum(RULE_KINDS),
    metric: z.string(),
    companyId: z.string().nullable(),
    startedAt: z.number(),
    endedAt: z.number().nullable(),
  });

export const acknowledgedSchema = z.object({
  key: z.string(),
  acknowledged: alertSchema.shape.acknowledged,
});

/** An open alert in memory. */
const openAlertSchema = z.object({
  record: recordSchema,
  /** Since when the condition no longer holds; null while it holds. */
  goodAt: z.number().nullable(),
  /** The id of its row; null until the row is written. */
  id: z.string().nullable(),
  companyName: z.string(),
  acknowledged: acknowledgedSchema.shape.acknowledged,
});
export type OpenAlert = Omit<z.infer<typeof openAlertSchema>, "record"> & {
  readonly record: AlertRecord;
};
export const openSchema = z.object({
  from: z.string(),
  startedAt: z.number(),
  alerts: z.array(openAlertSchema),
});

export function alertOf({ record, id, companyName, acknowledged }: OpenAlert): Alert {
  const { key, startedAt, endedAt, ...rest } = record;
  return {
    ...rest,
    cores: [...rest.cores],
    // As long as it has no row, its key is a name that no row has.
    id: id ?? key,
    companyName,
    startTime: new Date(startedAt).toISOString(),
    endTime: endedAt === null ? null : new Date(endedAt).toISOString(),
    acknowledged,
  };
}
