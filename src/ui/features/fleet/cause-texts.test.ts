import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { coreReportSchema } from "../../../shared/protocol/fleet.ts";
import { CORE_CAUSES, coreCauses } from "../../../shared/domain/core-causes.ts";
import { setLanguage, startI18n } from "../../i18n/index.ts";
import { causeWords } from "./cause-texts.ts";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  await startI18n();
});
afterEach(() => setLanguage("zh"));

/** A core with everything that can be wrong with one. */
const report = coreReportSchema.parse({
  n: 1,
  company: "1",
  ms: 15_000,
  tabs: { open: 21, visible: 0 },
  queues: { unacked: 301, outbox: 52, uploads: 4, downloads: 3, imports: 1 },
  commands: { "chat.send": { ms: [70, 9], failed: 6 } },
  fanOut: [60, 13],
  sockets: { chat: { state: "waiting", attempts: 8, lost: { network: 11 } } },
  restarts: 2,
  imported: 707,
  errors: { "core.deadline": 14 },
  pages: { measured: 1, memory: 3003, largest: 3003, longTasks: [50, 17] },
});

it.each(["zh", "en"] as const)(
  "Each cause has words in %s, with all of its numbers",
  async (language) => {
    await setLanguage(language);
    const causes = coreCauses({
      reports: [{ at: 0, report }],
      build: "b8",
      ownBuild: "b9",
      now: 99_000,
    });
    expect(causes.map(({ key }) => key).toSorted()).toEqual([...CORE_CAUSES].toSorted());
    for (const { key, values } of causes) {
      const words = causeWords(key, values);
      for (const value of Object.values(values)) expect(words).toContain(String(value));
      expect(words).not.toMatch(/[{}|]/);
    }
  },
);
