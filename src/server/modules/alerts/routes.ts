/** The calls of alerts, of their rules and silences (docs/server.md#alerts). A company sees its own, operators of the platform all. */
import type { Hono } from "hono";
import { AppError } from "../../../shared/errors.ts";
import {
  type AlertRuleRow,
  alertSettingCalls,
} from "../../../shared/protocol/rest/alert-settings.ts";
import { alertCalls } from "../../../shared/protocol/rest/alerts.ts";
import { type SystemMap, systemMapCalls } from "../../../shared/protocol/rest/system-map.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { holds, requireSupplier, route } from "../../base/http/route.ts";
import type { HttpEnv, Principal, ServerDeps } from "../../base/module.ts";
import { alertOf, type acknowledgedSchema, type OpenAlert } from "./messages.ts";
import type { z } from "zod";
import type { RulesStore, RuleWriter, StoredRule } from "./rules-store.ts";
import { createSilence, endSilence, listSilences } from "./silences.ts";
import type { AlertStore, StoredAlert } from "./store.ts";

/** Open alerts that `alerts.open` answers. */
const LATEST = 20;

type Deps = Pick<ServerDeps, "tenants" | "directory" | "clock"> & {
  readonly store: AlertStore;
  readonly rulesStore: RulesStore;
  readonly open: () => readonly OpenAlert[];
  readonly map: () => SystemMap;
  /** The company that runs the platform. */
  readonly platform: () => string | null;
  readonly onAcknowledged: (message: z.infer<typeof acknowledgedSchema>) => Promise<void>;
  /** Rules or silences have changed. */
  readonly onSettings: () => Promise<void>;
};

export function alertRoutes(deps: Deps): (app: Hono<HttpEnv>) => void {
  const { tenants, clock, store, rulesStore } = deps;
  const isPlatform = (principal: Principal): boolean =>
    requireSupplier(principal) === deps.platform();
  const seesAll = (principal: Principal): boolean =>
    isPlatform(principal) && holds(principal, "platform:alert:list");
  /** Whether the caller may see the alerts of the own company. */
  const seesOwn = (principal: Principal): boolean => holds(principal, "monitor:alert:list");
  const inCompany = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>) =>
    tenants.run(requireSupplier(principal), principal, work);

  /** @throws AppError request.not-found when the caller may not see such an alert */
  async function visible(
    principal: Principal,
    id: string,
  ): Promise<StoredAlert & { readonly all: boolean }> {
    const company = requireSupplier(principal);
    const all = seesAll(principal);
    const stored = await store.find(all ? null : company, id);
    if (!all && !seesOwn(principal)) throw new AppError("request.not-found");
    return { ...stored, all };
  }
  /** @throws AppError request.not-found in another company: rules are the platform's */
  function writerOf(principal: Principal): RuleWriter {
    if (!isPlatform(principal)) throw new AppError("request.not-found");
    return { company: requireSupplier(principal), actor: principal };
  }
  /** A rule, with how many of its open alerts the caller may see. */
  function rowOf(rule: StoredRule, principal: Principal): AlertRuleRow {
    const company = seesAll(principal) ? null : requireSupplier(principal);
    const open = deps
      .open()
      .filter(
        ({ record }) =>
          record.rule === rule.id && (company === null || record.companyId === company),
      );
    return { ...rule, open: open.length };
  }
  /** Rules that the company of the caller may know. */
  async function rulesFor(principal: Principal): Promise<StoredRule[]> {
    const rules = await rulesStore.all();
    return isPlatform(principal) ? rules : rules.filter(({ reach }) => reach === "company");
  }
  const namesOf = (rules: readonly StoredRule[]): ReadonlyMap<string, string> =>
    new Map(rules.map(({ id, name }) => [id, name]));

  return (app) => {
    // From memory, so that a slow database does not delay what shows it.
    route(app, systemMapCalls.systemMap, deps, ({ principal }) => {
      if (!isPlatform(principal)) throw new AppError("request.not-found");
      return deps.map();
    });

    route(app, alertCalls.alertList, deps, ({ query, principal }) => {
      const all = query.scope === "all";
      if (all ? !seesAll(principal) : !seesOwn(principal)) throw new AppError("request.not-found");
      return store.page(all ? null : requireSupplier(principal), query);
    });

    route(app, alertCalls.alertOpen, deps, ({ principal }) => {
      const all = seesAll(principal);
      const company = requireSupplier(principal);
      const mayOwn = seesOwn(principal);
      const alerts = deps
        .open()
        .filter(({ record }) => all || (mayOwn && record.companyId === company))
        .toSorted((a, b) => b.record.startedAt - a.record.startedAt);
      const count = (level: string): number =>
        alerts.filter(({ record }) => record.level === level).length;
      return {
        all,
        notice: count("notice"),
        warning: count("warning"),
        critical: count("critical"),
        alerts: alerts.slice(0, LATEST).map(alertOf),
      };
    });

    // The paths of rules and silences have a word before the id, so this path cannot match them.
    route(app, alertCalls.alertGet, deps, async ({ params, principal }) => {
      const { key, alert, all } = await visible(principal, params.id);
      const rule = (await rulesStore.all()).find(({ id }) => id === alert.rule);
      return {
        ...alert,
        now: rule === undefined ? null : rowOf(rule, principal),
        deliveries: await store.deliveries(all ? null : requireSupplier(principal), key),
      };
    });

    route(app, alertCalls.alertAcknowledge, deps, async ({ params, body, principal }) => {
      const stored = await visible(principal, params.id);
      const company = requireSupplier(principal);
      const by = { company, actor: principal, now: clock.now() };
      const { key, alert } = await store.acknowledge(stored, body.note, by);
      await deps.onAcknowledged({ key, acknowledged: alert.acknowledged });
      return alert;
    });

    route(app, alertSettingCalls.alertRuleList, deps, async ({ query, principal }) => {
      const { cursor, limit, keyword = "" } = query;
      const word = keyword.toLowerCase();
      const rules = (await rulesFor(principal)).filter(({ id, name, metric }) =>
        [id, name, metric].some((text) => text.toLowerCase().includes(word)),
      );
      const records = rules
        .slice((cursor - 1) * limit, cursor * limit)
        .map((rule) => rowOf(rule, principal));
      return { records, total: rules.length, cursor, limit };
    });

    route(app, alertSettingCalls.alertRuleCreate, deps, async ({ body, principal }) => {
      const rule = await rulesStore.create(body, writerOf(principal));
      await deps.onSettings();
      return rowOf(rule, principal);
    });

    route(app, alertSettingCalls.alertRuleUpdate, deps, async ({ body, principal }) => {
      const rule = await rulesStore.update(body, writerOf(principal));
      await deps.onSettings();
      return rowOf(rule, principal);
    });

    route(app, alertSettingCalls.alertRuleReset, deps, async ({ params, principal }) => {
      const rule = await rulesStore.reset(params.id, writerOf(principal));
      await deps.onSettings();
      return rowOf(rule, principal);
    });

    route(app, alertSettingCalls.alertRuleDelete, deps, async ({ params, principal }) => {
      await rulesStore.remove(params.id, writerOf(principal));
      await deps.onSettings();
      return null;
    });

    route(app, alertSettingCalls.alertSilenceList, deps, async ({ query, principal }) => {
      const names = namesOf(await rulesStore.all());
      return inCompany(principal, (scope) => listSilences(scope, query, names, clock.now()));
    });

    route(app, alertSettingCalls.alertSilenceCreate, deps, async ({ body, principal }) => {
      const rules = await rulesFor(principal);
      const known = { ids: new Set(rules.map(({ id }) => id)), names: namesOf(rules) };
      const silence = await inCompany(principal, (scope) =>
        createSilence(scope, body, known, clock.now()),
      );
      await deps.onSettings();
      return silence;
    });

    route(app, alertSettingCalls.alertSilenceEnd, deps, async ({ params, principal }) => {
      await inCompany(principal, (scope) => endSilence(scope, params.id, clock.now()));
      await deps.onSettings();
      return null;
    });
  };
}
