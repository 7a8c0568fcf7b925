/**
 * Alerts (docs/server.md#alerts): every process knows figures, signs of life and open alerts in memory, and one of them evaluates the
 * rules every 5 s, also while the database is away.
 */
import { randomUUID } from "node:crypto";
import { Gauge } from "prom-client";
import { ALERT_LEVELS } from "../../../shared/domain/alert-rules.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import { NAMED_MAX } from "../../base/cluster/fleet-step.ts";
import type { ServerDeps, ServerModule } from "../../base/module.ts";
import type { MediaNode } from "../media-node/contracts.ts";
import { createAlertBook } from "./book.ts";
import type { AlertNews, AlertRecord, AlertSending } from "./contracts.ts";
import { createLeading } from "./leading.ts";
import { createLives } from "./life.ts";
import { createProcessFigures, systemMapOf } from "./map.ts";
import { type Finding, findingsOf, wantedBy } from "./measures.ts";
import type { OpenAlert } from "./messages.ts";
import { createOwnLife } from "./own-life.ts";
import { alertRoutes } from "./routes.ts";
import { createRulesStore, type StoredRule } from "./rules-store.ts";
import { activeSilences, isSilenced, type Silence } from "./silences.ts";
import { createAlertStore } from "./store.ts";
import { createWindows } from "./windows.ts";
import { createAlertWriting } from "./writing.ts";

const DAY_MS = 24 * 3_600_000;
/** ms between two evaluations. Each comes a second after the end of a step, when the figures of the step have arrived. */
export const EVALUATE_MS = 5_000;
const AFTER_STEP_MS = 1_000;
/** ms to wait for the names of the people in an alert. After that it goes out without them. */
const NAMES_MS = 1_000;
/** ms between two looks at rules, silences and processes in the database. */
const LOOK_MS = 60_000;
/** ms after the last sign in the database. A process that is not heard on the bus either then counts as dead. */
const DEAD_MS = 150_000;

export interface AlertParts {
  readonly nodes: readonly Pick<MediaNode, "name" | "kind" | "up" | "onEvent">[];
  readonly sending: AlertSending;
}

/** Evaluates the rules and answers what pages ask of alerts. @see docs/server.md#alerts */
export function createAlertsModule(deps: ServerDeps, { nodes, sending }: AlertParts): ServerModule {
  const { bus, clock, config, db, log, metrics } = deps;
  const id = randomUUID();
  const store = createAlertStore(db);
  const rulesStore = createRulesStore(db);
  const windows = createWindows();
  const lives = createLives();
  let rules: readonly StoredRule[] = [];
  let silences: readonly Silence[] = [];
  let platform: string | null = null;
  let lookedAt = 0;
  let ticks = 0;
  let stopped = false;
  let timer: { cancel(): void } | null = null;
  let ticking: Promise<void> = Promise.resolve();
  const writtenWorst = new Map<string, number>();
  const onError = (error: unknown): void => log.error({ err: error }, "alerts failed");

  function changed(companyId: string | null): void {
    const suppliers = new Set([companyId, platform].filter((one) => one !== null));
    for (const supplierId of suppliers) {
      const changes: DataChanges = { supplierId, tags: ["alerts"], except: null, only: null };
      bus.publish(DATA_CHANGES, changes).catch(onError);
    }
  }
  const writing = createAlertWriting({
    store,
    log,
    onSaved(record, { id: row, companyName }) {
      book.patch(record.key, (alert) => ({ ...alert, id: row, companyName }));
      changed(record.companyId);
    },
  });
  const write = (record: AlertRecord): void => {
    writing.add(record);
    writing.flush().catch(onError);
  };
  function announce(event: AlertNews["event"], record: AlertRecord): void {
    const { rule, ruleName, level, subject, companyId, value, limit, silenced } = record;
    const words = event === "began" ? "an alert began" : "an alert ended";
    log.warn({ rule, ruleName, level, subject, companyId, value, limit, silenced }, words);
    sending.send({ event, alert: record });
    changed(companyId);
    write(record);
    leading.share().catch(onError);
  }

  /** Adds the names of the people and of the company, if the database answers soon. */
  async function complete(alert: OpenAlert, { named }: Finding): Promise<OpenAlert> {
    const { companyId, rule } = alert.record;
    const seconds = rules.find((one) => one.id === rule)?.window ?? 60;
    const from = clock.now() - (seconds + 30) * 1000;
    const cores = named === null ? [] : windows.named(companyId, named, from).slice(0, NAMED_MAX);
    let cancel = (): void => undefined;
    const tooLate = new Promise<null>((resolve) => {
      const late = clock.setTimeout(() => resolve(null), NAMES_MS);
      cancel = () => late.cancel();
    });
    const described = await Promise.race([
      store.describe(companyId, [...new Set(cores.map(({ accountId }) => accountId))]),
      tooLate,
    ]).catch(() => null);
    cancel();
    const more = {
      companyName: described?.companyName ?? "",
      cores: cores.map(({ core, accountId }) => ({
        id: core,
        name: described?.names.get(accountId) ?? "",
      })),
    };
    const add = ({ record, ...rest }: OpenAlert): OpenAlert => ({
      ...rest,
      companyName: more.companyName,
      record: { ...record, cores: more.cores },
    });
    return book.patch(alert.record.key, add) ?? add(alert);
  }

  const book = createAlertBook({
    begins: (record) => ({
      ...record,
      silenced: isSilenced(silences, record, platform, clock.now()),
    }),
    onBegin(alert, finding) {
      complete(alert, finding)
        .then(({ record }) => announce("began", record))
        .catch(onError);
    },
    onEnd({ record }) {
      writtenWorst.delete(record.key);
      announce("ended", record);
    },
  });
  const own = createOwnLife({
    id,
    config,
    clock,
    db,
    bus,
    nodes,
    onNode: () => void leading.sign(own.last()).catch(onError),
  });
  const figures = createProcessFigures(clock.now);
  const leading = createLeading({
    own: { id, startedAt: clock.now() },
    bus,
    now: clock.now,
    lives,
    windows,
    book,
    answer: () => own.last(),
    onSettings: () => void loadSettings().catch(onError),
    onStep: (step) => figures.add(step),
    onDoubled(alerts) {
      for (const { record } of alerts) write({ ...record, endedAt: clock.now() });
    },
    onError,
  });

  async function loadSettings(): Promise<void> {
    rules = await rulesStore.all();
    windows.want(wantedBy(rules.filter(({ on }) => on)), clock.now());
    silences = await activeSilences(db, clock.now());
    platform ??= await store.platform();
  }
  /** Opens alerts for processes that were killed while no other process ran. */
  async function findMissed(): Promise<void> {
    const now = clock.now();
    // Without Redis there is no other process.
    const before = config.REDIS_URL === undefined ? now : now - DEAD_MS;
    for (const process of await store.unseen(id, before)) {
      lives.missed(process, now);
      await store.forget(process.id);
    }
  }
  async function look(): Promise<void> {
    await loadSettings();
    if (stopped) return;
    const { name, startedAt } = own.last();
    await store.seen({ id, name, startedAt }, clock.now());
    if (leading.leads()) await findMissed();
  }

  function evaluate(): void {
    const now = clock.now();
    const on = rules.filter((rule) => rule.on);
    const judged = on.flatMap((rule) => {
      const found = [...lives.findings(rule, now), ...findingsOf(rule, windows, now)];
      return found.map((finding) => ({ rule, finding }));
    });
    book.judge(on, judged, now);
    for (const { record } of book.open()) {
      // The worst value is written with the end, and until then at most once a minute.
      if (record.worst === (writtenWorst.get(record.key) ?? record.value)) continue;
      if (lookedAt !== now) continue;
      writtenWorst.set(record.key, record.worst);
      writing.add(record);
    }
  }
  async function tick(): Promise<void> {
    ticks += 1;
    await leading.sign(own.sign());
    const now = clock.now();
    windows.prune(now);
    lives.prune(now);
    await leading.look();
    if (now - lookedAt >= LOOK_MS && ticks > 1) {
      lookedAt = now;
      look().catch(() => undefined);
    }
    // At the first tick this process may not know yet which others live.
    if (ticks > 1 && leading.leads() && !stopped) evaluate();
    await leading.share();
    writing.flush().catch(onError);
  }
  /** Each tick plans the next one at its end, so that ticks do not pile up after the process slept. */
  function plan(): void {
    const passed = (clock.now() - AFTER_STEP_MS) % EVALUATE_MS;
    timer = clock.setTimeout(() => {
      ticking = tick()
        .catch(onError)
        .finally(() => {
          if (!stopped) plan();
        });
    }, EVALUATE_MS - passed);
  }

  const gauge = new Gauge({
    name: "alerts_open",
    help: "Open alerts by level",
    labelNames: ["level"],
    registers: [],
    collect() {
      const open = book.open();
      for (const level of ALERT_LEVELS) {
        this.set({ level }, open.filter(({ record }) => record.level === level).length);
      }
    },
  });
  metrics.registerMetric(gauge);
  deps.tasks.add({
    id: "alerts",
    every: DAY_MS,
    run: () => store.prune(clock.now() - config.ALERTS_DAYS * DAY_MS),
  });

  return {
    name: "alerts",
    routes: alertRoutes({
      ...deps,
      store,
      rulesStore,
      open: () => book.open(),
      map: () => systemMapOf(lives.known(clock.now()), figures, clock.now()),
      platform: () => platform,
      onAcknowledged: (message) => leading.acknowledge(message),
      onSettings: async () => {
        await loadSettings();
        await leading.settingsChanged();
      },
    }),
    async start() {
      await loadSettings();
      book.replace(await store.loadOpen());
      await sending.start();
      await leading.sign(own.last(true));
      plan();
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      timer?.cancel();
      await ticking;
      own.stop();
      await leading.goodbye();
      leading.stop();
      await sending.stop();
      await writing.flush();
      await store.forget(id).catch(onError);
    },
  };
}
