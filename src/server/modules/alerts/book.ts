/**
 * The alerts that are open, and the conditions that may become one, in the memory of this process (docs/server.md#alerts). The leader
 * decides; the other processes copy what it says.
 */
import { randomUUID } from "node:crypto";
import type { AlertRule } from "../../../shared/domain/alert-rules.ts";
import {
  alertTable,
  CALM_MS,
  type AlertEvent,
  type AlertGuard,
  type AlertState,
} from "../../../shared/domain/alert-states.ts";
import { type Guards, step } from "../../../shared/domain/machine.ts";
import type { AlertRecord } from "./contracts.ts";
import type { Finding } from "./measures.ts";
import type { OpenAlert } from "./messages.ts";

/** Most alerts that are open at a time. Nobody could read more. */
export const OPEN_MAX = 500;

export interface Judged {
  readonly rule: AlertRule;
  readonly finding: Finding;
}

interface Tracker {
  rule: Pick<AlertRule, "id" | "lasting">;
  state: AlertState;
  /** Since when the condition holds, and since when it does not. */
  badAt: number;
  goodAt: number;
  alert: OpenAlert | null;
}
interface Moment {
  readonly type: AlertEvent;
  readonly now: number;
}

const guards: Guards<AlertGuard, Tracker, Moment> = {
  lasted: ({ rule, badAt }, { now }) => now - badAt >= rule.lasting * 1000,
  calm: ({ goodAt }, { now }) => now - goodAt >= CALM_MS,
};

const keyOf = (
  rule: string,
  { companyId, subject }: Pick<AlertRecord, "companyId" | "subject">,
): string => JSON.stringify([rule, companyId, subject.kind, subject.name]);

export interface AlertBook {
  /**
   * @param rules that are on
   * @param judged what they found now; a condition that was found before and is missing here no longer holds
   */
  judge(rules: readonly AlertRule[], judged: readonly Judged[], now: number): void;
  open(): OpenAlert[];
  /** What the leader has, or what the database had open. */
  replace(alerts: readonly OpenAlert[]): void;
  /** Adds what another process had open. @returns those about which this process has an alert of its own */
  merge(alerts: readonly OpenAlert[]): OpenAlert[];
  /** Changes an open alert. @returns the changed alert; null when it is no longer open */
  patch(key: string, change: (alert: OpenAlert) => OpenAlert): OpenAlert | null;
}

/**
 * @param deps.begins adds to the alert what the evaluation does not know, such as the silence
 * @param deps.onEnd called after the alert has left the book
 */
export function createAlertBook(deps: {
  readonly begins: (record: AlertRecord, finding: Finding) => AlertRecord;
  readonly onBegin: (alert: OpenAlert, finding: Finding) => void;
  readonly onEnd: (alert: OpenAlert) => void;
}): AlertBook {
  const trackers = new Map<string, Tracker>();
  const openCount = (): number =>
    [...trackers.values()].filter(({ alert }) => alert !== null).length;

  function begin(tracker: Tracker, { rule, finding }: Judged, now: number): void {
    const { companyId, subject, value, limit } = finding;
    const record = deps.begins(
      {
        key: randomUUID(),
        rule: rule.id,
        ruleName: rule.name,
        level: rule.level,
        kind: rule.kind,
        metric: rule.metric,
        companyId,
        subject,
        cores: [],
        value,
        worst: value,
        limit,
        startedAt: now,
        endedAt: null,
        silenced: false,
      },
      finding,
    );
    tracker.alert = { record, goodAt: null, id: null, companyName: "", acknowledged: null };
    deps.onBegin(tracker.alert, finding);
  }
  function end(tracker: Tracker, now: number): void {
    const { alert } = tracker;
    tracker.alert = null;
    if (alert !== null) deps.onEnd({ ...alert, record: { ...alert.record, endedAt: now } });
  }

  function apply(tracker: Tracker, type: AlertEvent, now: number, judged: Judged | null): void {
    const { to, from, effects } = step(alertTable, guards, tracker.state, tracker, { type, now });
    tracker.state = to;
    if (to === "calming" && from !== to) tracker.goodAt = now;
    for (const effect of effects) {
      if (effect === "end") end(tracker, now);
      else if (judged !== null) begin(tracker, judged, now);
    }
  }

  function worse(tracker: Tracker, { rule, finding }: Judged): void {
    const { alert } = tracker;
    if (alert === null) return;
    const { worst } = alert.record;
    const isWorse = rule.above ? finding.value > worst : finding.value < worst;
    tracker.alert = {
      ...alert,
      goodAt: null,
      record: { ...alert.record, worst: isWorse ? finding.value : worst },
    };
  }
  const trackerOf = (alert: OpenAlert): Tracker => ({
    rule: { id: alert.record.rule, lasting: 0 },
    state: alert.goodAt === null ? "open" : "calming",
    badAt: alert.record.startedAt,
    goodAt: alert.goodAt ?? 0,
    alert,
  });

  return {
    judge(rules, judged, now) {
      const on = new Set(rules.map(({ id }) => id));
      const bad = new Set<string>();
      for (const one of judged) {
        const key = keyOf(one.rule.id, one.finding);
        bad.add(key);
        let tracker = trackers.get(key);
        if (tracker === undefined) {
          if (openCount() >= OPEN_MAX) continue;
          tracker = { rule: one.rule, state: "quiet", badAt: now, goodAt: now, alert: null };
          trackers.set(key, tracker);
        }
        tracker.rule = one.rule;
        worse(tracker, one);
        apply(tracker, "bad", now, one);
      }
      for (const [key, tracker] of trackers) {
        if (!on.has(tracker.rule.id)) {
          end(tracker, now);
          trackers.delete(key);
        } else if (!bad.has(key)) {
          apply(tracker, "good", now, null);
          if (tracker.alert !== null) tracker.alert = { ...tracker.alert, goodAt: tracker.goodAt };
          if (tracker.state === "quiet") trackers.delete(key);
        }
      }
    },
    open: () => [...trackers.values()].flatMap(({ alert }) => alert ?? []),
    replace(alerts) {
      trackers.clear();
      for (const alert of alerts)
        trackers.set(keyOf(alert.record.rule, alert.record), trackerOf(alert));
    },
    merge(alerts) {
      return alerts.filter((alert) => {
        const key = keyOf(alert.record.rule, alert.record);
        const own = trackers.get(key)?.alert;
        if (own === undefined || own === null) {
          trackers.set(key, trackerOf(alert));
          return false;
        }
        return own.record.key !== alert.record.key;
      });
    },
    patch(key, change) {
      for (const tracker of trackers.values()) {
        if (tracker.alert?.record.key !== key) continue;
        tracker.alert = change(tracker.alert);
        return tracker.alert;
      }
      return null;
    },
  };
}
