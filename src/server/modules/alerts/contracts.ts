/** What the parts of this module hand to each other (docs/server.md#alerts): the evaluation says what began and ended, the sending sends it. */
import type { AlertLevel, RuleKind } from "../../../shared/domain/alert-rules.ts";
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";

/** An alert as the evaluation has it, also while the database is away. */
export interface AlertRecord {
  /** Made by the process that saw it first. */
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

/** One alert began or ended. One process of several says so. */
export interface AlertNews {
  readonly event: "began" | "ended";
  readonly alert: AlertRecord;
}

/** Sends alerts to channels and to the consoles of those who may see them. */
export interface AlertSending {
  /** Returns at once. Needs no database: channels and receivers are known from before. Silenced alerts go to the consoles alone. */
  send(news: AlertNews): void;
  start(): Promise<void>;
  /** Gives up what is still to be tried again. */
  stop(): Promise<void>;
}
