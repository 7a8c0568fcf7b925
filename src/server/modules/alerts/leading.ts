/**
 * Processes agree over the bus which of them evaluates, and which alerts are open (docs/server.md#alerts). They need no lock in the
 * database, so this works while the database is away.
 */
import type { z } from "zod";
import type { Bus } from "../../base/module.ts";
import { AGAIN } from "../../base/cluster/bus.ts";
import { FLEET_STEP, type FleetStep, fleetStepSchema } from "../../base/cluster/fleet-step.ts";
import type { AlertBook } from "./book.ts";
import { leadsBefore, type Lives } from "./life.ts";
import {
  ACKNOWLEDGED,
  acknowledgedSchema,
  ALIVE,
  GOODBYE,
  goodbyeSchema,
  HANDED,
  OPEN,
  openSchema,
  type OpenAlert,
  SETTINGS,
  type Sign,
  signSchema,
} from "./messages.ts";
import type { Windows } from "./windows.ts";

interface Own {
  readonly id: string;
  readonly startedAt: number;
}

export interface Leading {
  /** Whether this process evaluates now. */
  leads(): boolean;
  sign(sign: Sign): Promise<void>;
  /** Says what is open, when this process leads. */
  share(): Promise<void>;
  /** Finds out who leads. A process that no longer leads hands over what it had open. */
  look(): Promise<void>;
  goodbye(): Promise<void>;
  acknowledge(message: z.infer<typeof acknowledgedSchema>): Promise<void>;
  settingsChanged(): Promise<void>;
  stop(): void;
}

export function createLeading(deps: {
  readonly own: Own;
  readonly bus: Bus;
  readonly now: () => number;
  readonly lives: Lives;
  readonly windows: Windows;
  readonly book: AlertBook;
  /** The sign of this process, for another one that asks who lives. */
  readonly answer: () => Sign;
  readonly onSettings: () => void;
  /** A process closed a step of its figures. */
  readonly onStep: (step: FleetStep) => void;
  /** Another process has opened the same alerts under other keys. */
  readonly onDoubled: (alerts: readonly OpenAlert[]) => void;
  readonly onError: (error: unknown) => void;
}): Leading {
  const { own, bus, now, lives, windows, book } = deps;
  let leads = false;

  const publish = (topic: string, message: unknown): Promise<void> => bus.publish(topic, message);
  const alertsOf = (): z.input<typeof openSchema> => ({
    from: own.id,
    startedAt: own.startedAt,
    alerts: book.open().map(({ record, ...rest }) => ({
      ...rest,
      record: { ...record, cores: [...record.cores] },
    })),
  });
  async function resign(): Promise<void> {
    leads = false;
    await publish(HANDED, alertsOf());
  }
  /** Subscribes to valid messages. */
  function hear<T>(topic: string, schema: z.ZodType<T>, handle: (message: T) => void): () => void {
    return bus.subscribe(topic, (message) => {
      const read = schema.safeParse(message);
      if (read.success) handle(read.data);
    });
  }

  const stops = [
    hear(FLEET_STEP, fleetStepSchema, (step) => {
      windows.add(step);
      deps.onStep(step);
    }),
    hear(ALIVE, signSchema, (sign) => {
      lives.hear(sign, now());
      if (sign.asks && sign.id !== own.id) publish(ALIVE, deps.answer()).catch(deps.onError);
    }),
    hear(GOODBYE, goodbyeSchema, ({ id }) => lives.goodbye(id)),
    hear(OPEN, openSchema, ({ from, startedAt, alerts }) => {
      if (from === own.id) return;
      const before = leadsBefore({ id: from, startedAt }, own);
      if (leads && !before) return;
      if (leads) resign().catch(deps.onError);
      book.replace(alerts);
    }),
    hear(HANDED, openSchema, ({ from, alerts }) => {
      if (from !== own.id && leads) deps.onDoubled(book.merge(alerts));
    }),
    hear(ACKNOWLEDGED, acknowledgedSchema, ({ key, acknowledged }) => {
      book.patch(key, (alert) => ({ ...alert, acknowledged }));
    }),
    bus.subscribe(SETTINGS, () => deps.onSettings()),
    bus.subscribe(AGAIN, () => deps.onSettings()),
  ];

  return {
    leads: () => leads,
    sign: (sign) => publish(ALIVE, sign),
    async share() {
      if (leads) await publish(OPEN, alertsOf());
    },
    async look() {
      const should = lives.leads(own.id, now());
      if (leads && !should) await resign();
      else leads = should;
    },
    goodbye: () => publish(GOODBYE, { id: own.id }),
    acknowledge: (message) => publish(ACKNOWLEDGED, message),
    settingsChanged: () => publish(SETTINGS, {}),
    stop() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}
