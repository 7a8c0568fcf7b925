/** What the parts of this module pass to each other (docs/server.md#alerts): the evaluation reports what began and ended, the sending sends it. */
import type { AlertLevel, RuleKind } from "../../../shared/domain/alert-rules.ts";
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";

/** An alert as the evaluation keeps it, which also works while the database is away. */
export interface AlertRecord {
  /** The process that saw the alert first makes it. */
  readonly key: string;
  readonly rule: string;
  readonly ruleName: string;
  readonly level: AlertLevel;
  readonly kind: RuleKind;
  readonly metric: string;
  /** Null: of the platform. */
  readonly companyId: string | null;
  readonly subject: Alert["subject"];
  readonly cores: Alert["cores"];
  readonly value: number;
  readonly worst: number;
  readonly limit: number;
  /** ms since the epoch */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly silenced: boolean;
}

/** One alert began or ended. Of several processes only one reports it. */
export interface AlertNews {
  readonly event: "began" | "ended";
  readonly alert: AlertRecord;
}

/** Sends alerts to channels and to the consoles of those who may see them. */
export interface AlertSending {
  /** Returns at once. Needs no database, because channels and receivers are in memory. A silenced alert goes to the consoles only. */
  send(news: AlertNews): void;
  start(): Promise<void>;
  /** Gives up the messages that would be tried again. */
  stop(): Promise<void>;
}
