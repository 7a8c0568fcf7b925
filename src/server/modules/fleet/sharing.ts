/** What the server processes say to each other of the cores that report to them, so that each knows the whole fleet. */
import { randomUUID } from "node:crypto";
import { coreReportSchema } from "../../../shared/protocol/fleet.ts";
import { z } from "../../../shared/zod.ts";
import type { Bus, Clock } from "../../base/module.ts";
import { type KeptReport, type LiveCores, liveCoreSchema } from "./live.ts";

const CORES = "fleet:cores";
const QUESTION = "fleet:question";
const ANSWER = "fleet:answer";
/** Cores of one message. */
const BATCH = 500;
/** ms that another process may take to answer. */
const ANSWER_MS = 2_000;

const coresSchema = z.object({ from: z.string(), rows: z.array(liveCoreSchema) });
/** Without a core: every process says again what it has. */
const questionSchema = z.object({
  from: z.string(),
  id: z.string(),
  core: z.string().nullable(),
});
const answerSchema = z.object({
  id: z.string(),
  reports: z.array(z.object({ at: z.number(), report: coreReportSchema })),
});

export interface Sharing {
  /** Says what changed since the last call. */
  share(): Promise<void>;
  /** The reports of a core of another process, the latest first; null: none answers. */
  ask(core: string): Promise<readonly KeptReport[] | null>;
  /** Asks the others for what they have. */
  start(): Promise<void>;
  stop(): void;
}

/** For one process. */
export const UNSHARED: Sharing = {
  share: () => Promise.resolve(),
  ask: () => Promise.resolve(null),
  start: () => Promise.resolve(),
  stop: () => undefined,
};

export function createSharing(deps: {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly process: string;
  readonly live: LiveCores;
  readonly onError: (error: unknown) => void;
}): Sharing {
  const { bus, clock, live } = deps;
  const questions = new Map<string, (reports: readonly KeptReport[] | null) => void>();
  let everything = true;

  const answer = async (id: string, core: string): Promise<void> => {
    const reports = live.lookAt(core);
    if (reports !== null) await bus.publish(ANSWER, { id, reports: [...reports] });
  };
  const stops = [
    bus.subscribe(CORES, (message) => {
      const read = coresSchema.safeParse(message);
      if (read.success && read.data.from !== deps.process) live.learn(read.data.rows);
    }),
    bus.subscribe(QUESTION, (message) => {
      const read = questionSchema.safeParse(message);
      if (!read.success || read.data.from === deps.process) return;
      const { id, core } = read.data;
      if (core === null) everything = true;
      else void answer(id, core).catch(deps.onError);
    }),
    bus.subscribe(ANSWER, (message) => {
      const read = answerSchema.safeParse(message);
      if (read.success) questions.get(read.data.id)?.(read.data.reports);
    }),
  ];

  return {
    async share() {
      const rows = live.changes(everything);
      everything = false;
      for (let from = 0; from < rows.length; from += BATCH) {
        await bus.publish(CORES, { from: deps.process, rows: rows.slice(from, from + BATCH) });
      }
    },
    async ask(core) {
      const id = randomUUID();
      const answered = new Promise<readonly KeptReport[] | null>((resolve) => {
        questions.set(id, resolve);
      });
      const late = clock.setTimeout(() => questions.get(id)?.(null), ANSWER_MS);
      try {
        await bus.publish(QUESTION, { from: deps.process, id, core });
        return await answered;
      } finally {
        late.cancel();
        questions.delete(id);
      }
    },
    async start() {
      await bus.publish(QUESTION, { from: deps.process, id: randomUUID(), core: null });
    },
    stop() {
      for (const stop of stops.splice(0)) stop();
      for (const resolve of questions.values()) resolve(null);
    },
  };
}
