/** Remembers the first few cores to which something happened in a step, so that an alert can name them (docs/server.md#alerts). */
import { type FleetStep, NAMED_MAX } from "../../base/cluster/fleet-step.ts";
import { isUsualLoss } from "../../../shared/domain/socket-losses.ts";
import type { CoreReport } from "../../../shared/protocol/fleet.ts";

type Named = FleetStep["named"];

export interface NamedCores {
  add(report: CoreReport, core: string, accountId: string): void;
  /** Those of the step that ends. */
  close(): Named;
}

/** What happened to the core, as rules of alerts name it. */
function happenedIn({ restarts, sockets, errors, commands }: CoreReport): string[] {
  return [
    ...(restarts > 0 ? ["restarts"] : []),
    ...Object.entries(sockets)
      .filter(([, { lost }]) => !Object.keys(lost).every(isUsualLoss))
      .map(([name]) => `lost.${name}`),
    ...Object.keys(errors).map((code) => `errors.${code}`),
    ...Object.entries(commands)
      .filter(([, { failed }]) => failed > 0)
      .map(([name]) => `failed.${name}`),
  ];
}

export function createNamedCores(): NamedCores {
  const named = new Map<string, Named[number]>();
  return {
    add(report, core, accountId) {
      const companyId = report.company;
      for (const metric of happenedIn(report)) {
        const key = `${companyId} ${metric}`;
        const entry = named.get(key) ?? { companyId, metric, cores: [] };
        named.set(key, entry);
        const { cores } = entry;
        if (cores.length < NAMED_MAX && !cores.some((one) => one.core === core)) {
          cores.push({ core, accountId });
        }
      }
    },
    close() {
      const all = [...named.values()];
      named.clear();
      return all;
    },
  };
}
