/** Adds the reports of this process up by company, and says which rows the database is to have. */
import type { CoreReport } from "../../../shared/protocol/fleet.ts";
import { groupedBy } from "./grouped.ts";
import {
  ALL_COMPANIES,
  createFigures,
  type Figures,
  levelsOf,
  type StoredFigures,
} from "./figures.ts";
import { NO_COMPANY } from "./server-figures.ts";

/** s of the steps. */
export const STEPS = [10, 60, 3600] as const;
export type Step = (typeof STEPS)[number];
const [FINE] = STEPS;

export interface RollupRow {
  readonly companyId: string;
  readonly seconds: Step;
  /** Begin of the step, ms since the epoch. */
  readonly at: number;
  readonly figures: StoredFigures;
}

export interface Rollup {
  addReport(report: CoreReport, build: string): void;
  /** Adds figures of a company that are no reports. */
  addFigures(companyId: string, figures: StoredFigures): void;
  /**
   * Ends the 10 s that go on. The rows of minutes and hours come when their minute ends, those of the hour again each minute; a row that
   * comes again replaces the one before.
   *
   * @param now the end, ms since the epoch
   * @param reports of the cores that are there
   * @param last the process stops: every row, complete or not
   */
  close(
    now: number,
    reports: readonly { readonly companyId: string; readonly report: CoreReport }[],
    last: boolean,
  ): RollupRow[];
}

interface Sums {
  at: number;
  readonly byCompany: Map<string, Figures>;
}

const beginOf = (now: number, seconds: number): number =>
  Math.floor(now / (seconds * 1000)) * seconds * 1000;

export function createRollup(startedAt: number): Rollup {
  const sums = new Map<Step, Sums>(
    STEPS.map((step) => [step, { at: beginOf(startedAt, step), byCompany: new Map() }]),
  );
  const sumsOf = (step: Step): Sums => {
    const found = sums.get(step);
    if (found === undefined) throw new Error(`no step of ${step} s`);
    return found;
  };
  const figuresOf = ({ byCompany }: Sums, companyId: string): Figures => {
    let figures = byCompany.get(companyId);
    if (figures === undefined) byCompany.set(companyId, (figures = createFigures()));
    return figures;
  };
  const rowsOf = (step: Step): RollupRow[] => {
    const { at, byCompany } = sumsOf(step);
    return [...byCompany].map(([companyId, figures]) => ({
      companyId,
      seconds: step,
      at,
      figures: figures.stored(),
    }));
  };

  return {
    addReport(report, build) {
      figuresOf(sumsOf(FINE), report.company).addReport(report, build);
    },
    addFigures(companyId, figures) {
      figuresOf(sumsOf(FINE), companyId).addStored(figures);
    },
    close(now, reports, last) {
      const fine = sumsOf(FINE);
      for (const [companyId, list] of groupedBy(reports, (one) => one.companyId)) {
        figuresOf(fine, companyId).addLevels(levelsOf(list.map(({ report }) => report)));
      }
      const rows = rowsOf(FINE);
      const coarser = STEPS.slice(1);
      for (const step of coarser) {
        for (const { companyId, figures } of rows) {
          figuresOf(sumsOf(step), companyId).addStored(figures);
        }
      }
      const minuteEnds = sumsOf(60).at !== beginOf(now, 60);
      for (const step of coarser) if (minuteEnds || last) rows.push(...rowsOf(step));
      for (const step of STEPS) {
        const at = beginOf(now, step);
        if (sumsOf(step).at !== at) sums.set(step, { at, byCompany: new Map() });
      }
      return rows;
    },
  };
}

/** Adds to the rows of companies one for each step that has them all together, so that a look at all does not read each of them. */
export function withAll(rows: readonly RollupRow[]): RollupRow[] {
  const own = rows.filter(({ companyId }) => companyId !== NO_COMPANY);
  const together = [...groupedBy(own, ({ seconds, at }) => `${seconds} ${at}`).values()].flatMap(
    (list): RollupRow[] => {
      const [first] = list;
      if (first === undefined) return [];
      const sum = createFigures();
      for (const { figures } of list) sum.addBeside(figures);
      const { seconds, at } = first;
      return [{ companyId: ALL_COMPANIES, seconds, at, figures: sum.stored() }];
    },
  );
  return [...rows, ...together];
}
