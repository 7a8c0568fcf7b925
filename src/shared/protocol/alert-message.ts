/**
 * The command message that the server sends to the consoles of those who may see an alert when it begins and ends
 * (docs/server.md#sending-alerts). It carries what is shown, so that it needs no request: the database may be away.
 */
import { ALERT_LEVELS } from "../domain/alert-rules.ts";
import { z } from "../zod.ts";
import { type Alert, alertSchema } from "./rest/alerts.ts";

/** The action of the command message. */
export const ALERT_ACTION = "alert";
const short = (max: number) => z.string().max(max);

/** The ext of the message. Values are texts, as in the ext of every command message. */
export const alertMessageSchema = z.object({
  event: z.enum(["began", "ended"]),
  /** Made by the server; a link to the alert may name it in place of the id. */
  key: z.string().min(1).max(64),
  rule: short(40),
  ruleName: short(50),
  level: z.enum(ALERT_LEVELS),
  subjectKind: alertSchema.shape.subject.shape.kind,
  subjectName: short(500),
  /** "" for an alert of the platform. */
  companyName: short(200),
  /** Companies in which the receiver may see it, by comma. */
  companies: short(2000).transform((text) => text.split(",").filter((id) => id !== "")),
});
export type AlertMessage = z.output<typeof alertMessageSchema>;

/** An alert that a tab shows. */
export const alertNoticeSchema = z.object({
  key: z.string(),
  rule: z.string(),
  ruleName: z.string(),
  level: z.enum(ALERT_LEVELS),
  subject: alertSchema.shape.subject,
  companyName: z.string(),
  companies: z.array(z.string()),
});
export type AlertNotice = z.infer<typeof alertNoticeSchema>;

export const alertsSliceSchema = z.object({
  /** Alerts that began while this core was connected, are open and were not closed by the person; the latest last. */
  byKey: z.record(z.string(), alertNoticeSchema),
});
export type AlertsSlice = z.infer<typeof alertsSliceSchema>;

/** @param companies in which the receiver may see it */
export const alertExt = (
  event: AlertMessage["event"],
  alert: Pick<Alert, "rule" | "ruleName" | "level" | "subject" | "companyName"> & {
    readonly key: string;
  },
  companies: readonly string[],
): Record<string, string> => ({
  event,
  key: alert.key,
  rule: alert.rule,
  ruleName: alert.ruleName,
  level: alert.level,
  subjectKind: alert.subject.kind,
  subjectName: alert.subject.name.slice(0, 500),
  companyName: alert.companyName.slice(0, 200),
  companies: companies.join(",").slice(0, 2000),
});
