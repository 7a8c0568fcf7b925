/** What operations read of the fleet: cores of now, one core, figures over time. A company sees its own, operators of the platform all. */
import { sql, type SQL } from "drizzle-orm";
import type { FLEET_HAVING } from "../../../shared/domain/fleet-names.ts";
import { AppError } from "../../../shared/errors.ts";
import { serverKind } from "../../../shared/domain/server-figures.ts";
import {
  type FleetCore,
  fleetChartsCall,
  fleetCoreCall,
  fleetFiguresCall,
  fleetListCall,
  fleetPartsCall,
  fleetSeriesCall,
} from "../../../shared/protocol/rest/fleet.ts";
import { audit, auditCompany } from "../../base/audit/index.ts";
import { anywhere, isoTime } from "../../base/database/common.ts";
import { isPlatform } from "../../base/database/companies.ts";
import { orderBy } from "../../base/database/sorting.ts";
import { holds, requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import { allOf } from "../../base/overridable/store.ts";
import { chartsOf, wantedOf } from "./charts.ts";
import { ALL_COMPANIES } from "./figures.ts";
import { groupedBy } from "./grouped.ts";
import { type KeptReport, type LiveCore, type LiveCores, SLOW_COMMANDS_MS } from "./live.ts";
import { createLooks } from "./looks.ts";
import { type PartsOf, partsOf } from "./parts.ts";
import { kindOf, LONGEST_MS, PLACES, seriesOf, stepFor } from "./series.ts";
import { NO_COMPANY } from "./server-figures.ts";
import {
  figuresQuery,
  type FiguresRow,
  type Keeping,
  metricQuery,
  type MetricRow,
  type RowsAsked,
} from "./store.ts";

export interface ReadingDeps extends Pick<
  ServerDeps,
  "db" | "tenants" | "directory" | "clock" | "log"
> {
  readonly live: LiveCores;
  readonly keeping: Keeping;
  /** Asks all processes for the reports of a core, the latest first. @returns null when no process has one */
  readonly reportsOf: (core: string) => Promise<readonly KeptReport[] | null>;
}

type ListRow = FleetCore & Record<string, unknown>;
type Run = <R extends Record<string, unknown>>(query: SQL) => Promise<R[]>;

/** The live cores as a table of the database, so that it sorts and filters them as it does every list. */
const table = (cores: readonly LiveCore[]): SQL => sql`
  (SELECT c.*, to_timestamp(c.started / 1000.0) AS started_at, to_timestamp(c.reported / 1000.0) AS reported_at
    FROM jsonb_to_recordset(${JSON.stringify(
      cores.map(({ startedAt, at, accountId, companyId, ...core }) => ({
        ...core,
        started: startedAt,
        reported: at,
        account_id: accountId,
        company_id: companyId,
      })),
    )}::jsonb) AS c (core text, account_id bigint, company_id bigint, build text, browser text, os text,
      started float8, reported float8, tabs int, visible int, outbox int, p99 float8, errors int, lost int,
      codes jsonb, losses jsonb, restarted boolean)) c
  LEFT JOIN accounts a ON a.id = c.account_id LEFT JOIN companies s ON s.id = c.company_id`;
const NAME = sql`coalesce(nullif(a.nickname, ''), a.username, '')`;
const COLUMNS = sql`c.core AS id, c.account_id::text AS "accountId", ${NAME} AS name,
  c.company_id::text AS "companyId", coalesce(s.name, '') AS "companyName", c.build, c.browser, c.os,
  ${isoTime("c.started_at")} AS "startTime", ${isoTime("c.reported_at")} AS "reportTime",
  c.tabs, c.visible, c.outbox, c.p99, c.errors, c.lost, c.restarted`;

/** Cores with something of which a number counts. */
const HAVING = {
  outbox: sql`c.outbox > 0`,
  errors: sql`c.errors > 0`,
  lost: sql`c.lost > 0`,
  restarted: sql`c.restarted`,
  slow: sql`c.p99 > ${SLOW_COMMANDS_MS}`,
} as const satisfies Record<(typeof FLEET_HAVING)[number], SQL>;

const shares = (cores: readonly LiveCore[], name: "build" | "browser" | "companyId") =>
  [...groupedBy(cores, (core) => core[name])]
    .map(([value, list]) => ({ name: value, cores: list.length }))
    .toSorted((a, b) => b.cores - a.cores || (a.name < b.name ? -1 : 1));

export function fleetRoutes(deps: ReadingDeps): NonNullable<ServerModule["routes"]> {
  const { db, tenants, live, clock } = deps;
  const looks = createLooks(clock);

  const runsPlatform = async (principal: Principal, permission: string): Promise<boolean> =>
    holds(principal, permission) && (await isPlatform(db, requireSupplier(principal)));
  /**
   * The company whose cores the caller asks for; null: all.
   *
   * @throws AppError request.not-found for all, to who does not run the platform
   */
  async function reach(principal: Principal, scope: "company" | "all"): Promise<string | null> {
    if (scope === "company") return requireSupplier(principal);
    if (await runsPlatform(principal, "platform:fleet:list")) return null;
    throw new AppError("request.not-found");
  }
  /** Queries in the caller's company, or as the platform. */
  const querying = <R>(
    principal: Principal,
    companyId: string | null,
    work: (run: Run) => Promise<R>,
  ): Promise<R> =>
    companyId === null
      ? work(async (query) => (await db.execute(query)).rows as never)
      : tenants.run(companyId, principal, (scope) => work((query) => scope.sql(query)));

  async function companiesOf(cores: readonly LiveCore[]) {
    const found = shares(cores, "companyId");
    const ids = JSON.stringify(found.map(({ name }) => name));
    const { rows } = await db.execute<{ id: string; name: string }>(sql`
      SELECT id::text AS id, name FROM companies
      WHERE id IN (SELECT jsonb_array_elements_text(${ids}::jsonb)::bigint)`);
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    return found.map(({ name: id, cores: count }) => ({
      id,
      name: names.get(id) ?? "",
      cores: count,
    }));
  }

  return (app) => {
    route(app, fleetListCall, deps, async ({ query, principal }) => {
      const { cursor, limit, searchCount, keyword = "", sort } = query;
      const { company, build, browser, error, socket, having } = query;
      const companyId = await reach(principal, query.scope);
      const like = anywhere(keyword);
      const source = sql`FROM ${table(live.list(companyId))} WHERE true ${allOf(
        company === undefined ? undefined : sql`c.company_id = ${company}::bigint`,
        build === undefined ? undefined : sql`c.build = ${build}`,
        browser === undefined ? undefined : sql`c.browser = ${browser}`,
        error === undefined ? undefined : sql`jsonb_exists(c.codes, ${error})`,
        socket === undefined ? undefined : sql`jsonb_exists(c.losses, ${socket})`,
        having === undefined ? undefined : HAVING[having],
        keyword === "" ? undefined : sql`(a.nickname ILIKE ${like} OR a.username ILIKE ${like})`,
      )}`;
      const order = orderBy(
        sort,
        {
          name: NAME,
          build: sql`c.build`,
          browser: sql`c.browser`,
          tabs: sql`c.tabs`,
          p99: sql`c.p99`,
          errors: sql`c.errors`,
          lost: sql`c.lost`,
          startTime: sql`c.started`,
        },
        sql`c.started DESC, c.core`,
      );
      return querying(principal, companyId, async (run) => {
        const records = await run<ListRow>(sql`SELECT ${COLUMNS} ${source}
          ORDER BY ${order} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`);
        const [counted] = searchCount
          ? await run<{ total: number }>(sql`SELECT count(*)::int AS total ${source}`)
          : [];
        return { records, total: counted?.total ?? 0, cursor, limit };
      });
    });

    route(app, fleetFiguresCall, deps, async ({ query, principal }) => {
      const cores = live.list(await reach(principal, query.scope));
      const sum = (name: "tabs" | "visible" | "outbox"): number =>
        cores.reduce((all, core) => all + core[name], 0);
      return {
        all: await runsPlatform(principal, "platform:fleet:list"),
        cores: cores.length,
        people: new Set(cores.map(({ accountId }) => accountId)).size,
        tabs: sum("tabs"),
        visible: sum("visible"),
        outbox: sum("outbox"),
        builds: shares(cores, "build"),
        browsers: shares(cores, "browser"),
        companies: await companiesOf(cores),
      };
    });

    route(app, fleetCoreCall, deps, async ({ params, principal }) => {
      const company = requireSupplier(principal);
      const found = live.find(params.id);
      const own = found?.companyId === company && holds(principal, "monitor:fleet:view");
      if (found === null || !(own || (await runsPlatform(principal, "platform:fleet:view")))) {
        throw new AppError("request.not-found");
      }
      const look = {
        action: "view",
        entity: "core",
        entityId: found.accountId,
        after: { core: found.core },
      };
      const reports = (await deps.reportsOf(found.core)) ?? [];
      const query = sql`SELECT ${COLUMNS} FROM ${table([found])}`;
      const isNew = looks.begins(principal.sessionId, found.core);
      const read = own
        ? tenants.run(company, principal, async (scope) => {
            if (isNew) await audit(scope, look);
            return (await scope.sql<ListRow>(query))[0];
          })
        : db.transaction(async (tx) => {
            // In the log of the company whose core it is, and in that of the platform.
            for (const at of isNew ? new Set([found.companyId, company]) : []) {
              await auditCompany(tx, at, principal, look);
            }
            return (await tx.execute<ListRow>(query)).rows[0];
          });
      const row = await read.catch((error: unknown) => {
        if (isNew) looks.forget(principal.sessionId, found.core);
        throw error;
      });
      if (row === undefined) throw new AppError("request.not-found");
      const recent = reports.map(({ at, report }) => ({
        time: new Date(at).toISOString(),
        report,
      }));
      return { ...row, report: recent[0]?.report ?? null, recent };
    });

    interface Asked {
      readonly scope: "company" | "all";
      readonly company?: string | undefined;
      readonly from: string;
      readonly to: string;
    }
    /**
     * Reads rows of the companies that a request asks for.
     *
     * @param kinds of the figures that are asked: those of the server belong to no company, others of all companies lie together
     * @throws AppError request.not-found, request.invalid
     */
    async function reading<R>(
      { scope, company, ...times }: Asked,
      principal: Principal,
      kinds: { readonly server: boolean; readonly cores: boolean },
      work: (run: Run, asked: RowsAsked, now: number) => Promise<R>,
    ): Promise<R> {
      const own = await reach(principal, scope);
      const [from, to, now] = [Date.parse(times.from), Date.parse(times.to), clock.now()];
      if (!(from < to) || to - from > LONGEST_MS) {
        throw new AppError("request.invalid", { details: { fields: { to: "时间范围不正确" } } });
      }
      const all = [...(kinds.server ? [NO_COMPANY] : []), ...(kinds.cores ? [ALL_COMPANIES] : [])];
      const companies = own !== null ? [own] : company === undefined ? all : [company];
      const asked = { companies, step: stepFor(from, to, now, deps.keeping), from, to };
      return querying(principal, own, (run) => work(run, asked, now));
    }
    const isOfServer = (metric: string): boolean => serverKind(metric) !== null;
    const areOfServer = (of: PartsOf): boolean => of === "routes";

    route(app, fleetSeriesCall, deps, ({ query, principal }) => {
      const { metric } = query;
      const kind = kindOf(metric);
      const server = isOfServer(metric);
      return reading(query, principal, { server, cores: !server }, async (run, asked, now) => {
        const rows = await run<MetricRow>(metricQuery(PLACES[kind], metric, asked));
        return seriesOf(kind, rows, asked.step, now);
      });
    });

    route(app, fleetPartsCall, deps, ({ query, principal }) => {
      const wanted = wantedOf({ metrics: [], parts: [query.of] });
      const server = areOfServer(query.of);
      return reading(query, principal, { server, cores: !server }, async (run, asked, now) => {
        const rows = await run<FiguresRow>(figuresQuery(wanted, asked));
        return partsOf(query.of, rows, asked.step, now);
      });
    });

    route(app, fleetChartsCall, deps, ({ query, principal }) => {
      const listed = (text: string): string[] => [...new Set(text.split(",").filter(Boolean))];
      const wanted = { metrics: listed(query.metrics), parts: listed(query.parts) as PartsOf[] };
      const all = [...wanted.metrics.map(isOfServer), ...wanted.parts.map(areOfServer)];
      const kinds = { server: all.includes(true), cores: all.includes(false) || all.length === 0 };
      return reading(query, principal, kinds, async (run, asked, now) => {
        const rows = await run<FiguresRow>(figuresQuery(wantedOf(wanted), asked));
        return chartsOf(wanted, rows, asked, now);
      });
    });
  };
}
