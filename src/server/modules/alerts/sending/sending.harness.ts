/** For tests: an alert, and sending over a stand-in of the database, of the bus and of chat. */
import type { SQL } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { PgDialect } from "drizzle-orm/pg-core";
import pino from "pino";
import { createLocalBus } from "../../../base/cluster/bus.ts";
import { readConfig } from "../../../base/config.ts";
import { createManualClock } from "../../../host.harness.ts";
import type { AlertRecord } from "../contracts.ts";
import { createAlertSending } from "./index.ts";
import type { KnownChannel } from "./known.ts";

export const alertOf = (part: Partial<AlertRecord> = {}): AlertRecord => ({
  key: "2b1c7a52-7c1e-4bd0-9a55-1f0d8b5a9e01",
  rule: "http-slow",
  ruleName: "",
  level: "warning",
  kind: "threshold",
  metric: "server.http",
  companyId: null,
  subject: { kind: "platform", name: "" },
  cores: [],
  value: 1500,
  worst: 2100,
  limit: 1000,
  startedAt: Date.UTC(2026, 10, 28, 2),
  endedAt: null,
  silenced: false,
  ...part,
});

export const channelOf = (part: Partial<KnownChannel> = {}): KnownChannel => ({
  id: "7",
  companyId: "1",
  platform: true,
  type: "webhook",
  target: "https://example.org/hook",
  format: "json",
  leastLevel: "notice",
  language: "zh",
  secret: "",
  people: [],
  ...part,
});

interface Seer extends Record<string, unknown> {
  readonly name: string;
  readonly companyId: string;
  readonly all: boolean;
}

export function createSendingWorld(
  rows: {
    readonly channels?: readonly KnownChannel[];
    readonly seers?: readonly Seer[];
  },
  env: Readonly<Record<string, string>> = {},
) {
  const manual = createManualClock();
  /** The ms of each timer that has not run. */
  const timers: number[] = [];
  const clock: typeof manual = {
    ...manual,
    get pending() {
      return manual.pending;
    },
    setTimeout(run, ms) {
      timers.push(ms);
      const end = () => {
        const at = timers.indexOf(ms);
        if (at !== -1) timers.splice(at, 1);
      };
      const timer = manual.setTimeout(() => {
        end();
        run();
      }, ms);
      return {
        cancel() {
          end();
          timer.cancel();
        },
      };
    },
  };
  const log = pino({ level: "silent" });
  const bus = createLocalBus(log);
  const dialect = new PgDialect();
  const database = { away: false };
  /** What was written to alert_deliveries. */
  const written: Record<string, unknown>[] = [];
  const said: { to: string; text: string; key: string }[] = [];
  const signals: { to: string; action: string; ext: Readonly<Record<string, string>> }[] = [];
  const execute = async (query: SQL) => {
    if (database.away) throw new Error("the database is away");
    const { sql: text, params } = dialect.sqlToQuery(query);
    if (text.includes("INSERT INTO alert_deliveries")) {
      written.push(...(JSON.parse(String(params[0])) as Record<string, unknown>[]));
      return { rows: [{ companyId: "1" }] };
    }
    if (text.includes("FROM alert_channels c JOIN")) return { rows: rows.channels ?? [] };
    if (text.includes("FROM employees e")) return { rows: rows.seers ?? [] };
    return { rows: [{ id: "1", name: "华安物业服务有限公司" }] };
  };
  const sending = createAlertSending({
    db: { execute } as unknown as NodePgDatabase,
    bus,
    clock,
    log,
    config: readConfig({ APP_SECRET: "s".repeat(40), ...env }),
    voice: {
      say(to, text, key) {
        if (database.away) return Promise.reject(new Error("the database is away"));
        said.push({ to, text, key });
        return Promise.resolve();
      },
      signal(to, action, ext) {
        signals.push({ to, action, ext });
        return Promise.resolve();
      },
    },
  });
  return { clock, timers, bus, database, written, said, signals, sending };
}
