/**
 * Sends alerts: to the channels that companies set up, and to the consoles of those who may see them (docs/server.md#sending-alerts).
 * It goes on while the database is away.
 */
import { alertExt, ALERT_ACTION } from "../../../../shared/protocol/alert-message.ts";
import type { DataTag } from "../../../../shared/protocol/data-tags.ts";
import {
  DATA_CHANGES,
  type DataChanges,
  dataChangesSchema,
} from "../../../base/cluster/data-changes.ts";
import { AGAIN } from "../../../base/cluster/bus.ts";
import type { ServerDeps } from "../../../base/module.ts";
import type { PlatformVoice } from "../../chat/platform-voice.ts";
import type { AlertNews, AlertSending } from "../contracts.ts";
import { createDeliveries } from "./deliveries.ts";
import { createKnown, type KnownChannel } from "./known.ts";
import { createMailSender } from "./mail.ts";
import { createSendOnce, errorWords, type SendOnce } from "./send.ts";

/** ms before each further try: five in two minutes. */
export const TRY_AGAIN_MS = [2000, 8000, 30_000, 80_000] as const;
/** ms between two readings of channels, people and names. */
export const RELOAD_MS = 60_000;
/** ms to wait for further changes of people and roles, since an import makes many. */
const GATHER_MS = 3000;
/** Most messages under way at a time, so that very many alerts do not fill the memory. */
const UNDER_WAY_MAX = 1000;

/** Data tags: a change of these may change who gets alerts. */
const PEOPLE_TAGS: readonly DataTag[] = ["employees", "memberships", "roles", "companies"];

export interface Sending extends AlertSending {
  /** Sends the message of a test, once. @throws Error with words for people */
  readonly sendOnce: SendOnce;
  /** Whether mails can be sent. */
  readonly hasMail: boolean;
}

export function createAlertSending(
  deps: Pick<ServerDeps, "db" | "bus" | "clock" | "config" | "log"> & {
    readonly voice: PlatformVoice;
  },
): Sending {
  const { db, bus, clock, config, log, voice } = deps;
  const known = createKnown({ db, log });
  const mail = createMailSender(config);
  const sendOnce = createSendOnce({
    clock,
    voice,
    mail,
    console: config.CONSOLE_URL,
    hosts: config.ALERT_HOSTS,
  });
  const announce = (companyIds: readonly string[]): void => {
    for (const supplierId of companyIds) {
      const tags: DataTag[] = ["alert-channels", "alerts"];
      const changes: DataChanges = { supplierId, tags, except: null, only: null };
      bus.publish(DATA_CHANGES, changes).catch((error: unknown) => {
        log.warn({ err: error }, "a delivery of an alert was not announced");
      });
    }
  };
  const deliveries = createDeliveries({ db, clock, log, onWritten: announce });
  /** The last message to each channel about each alert, so that its end does not overtake its beginning. */
  const underWay = new Map<string, Promise<void>>();
  const waits = new Set<() => void>();
  const closers: (() => void)[] = [];
  let timer: { cancel(): void } | null = null;
  let gathering: { cancel(): void } | null = null;
  let stopped = false;

  /** Resolves after the time, or at once when the sending stops. */
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const later = clock.setTimeout(() => end(), ms);
      const end = (): void => {
        later.cancel();
        waits.delete(end);
        resolve();
      };
      waits.add(end);
    });

  async function deliver(channel: KnownChannel, news: AlertNews): Promise<void> {
    const { event, alert } = news;
    const options = {
      companyName: known.companyName(alert.companyId),
      key: `${alert.key} ${event}`,
    };
    let tries = 0;
    let error = "";
    for (;;) {
      tries += 1;
      try {
        await sendOnce(channel, news, options);
        error = "";
        break;
      } catch (failure) {
        error = errorWords(failure);
        const pause = TRY_AGAIN_MS[tries - 1];
        if (pause === undefined || stopped) break;
        await wait(pause);
        if (stopped) break;
      }
    }
    if (error !== "") {
      log.warn({ channel: channel.id, tries, error }, "an alert was not sent to a channel");
    }
    const at = clock.now();
    const { id: channelId } = channel;
    deliveries.add({
      alertKey: alert.key,
      channelId,
      event,
      at,
      success: error === "",
      tries,
      error,
    });
  }

  function toChannels(news: AlertNews): void {
    const { companyId, level, key } = news.alert;
    for (const channel of known.channelsFor(companyId, level)) {
      if (underWay.size >= UNDER_WAY_MAX) {
        log.error({ channel: channel.id, alert: key }, "too many alerts wait to be sent");
        return;
      }
      const place = `${channel.id} ${key}`;
      const sending = (underWay.get(place) ?? Promise.resolve()).then(() => deliver(channel, news));
      underWay.set(place, sending);
      void sending.finally(() => {
        if (underWay.get(place) === sending) underWay.delete(place);
      });
    }
  }

  function toConsoles({ event, alert }: AlertNews): void {
    if (alert.level === "notice") return;
    const named = { ...alert, companyName: known.companyName(alert.companyId) };
    for (const [userName, companies] of known.seers(alert.companyId)) {
      voice
        .signal(userName, ALERT_ACTION, alertExt(event, named, companies))
        .catch((error: unknown) => {
          log.warn({ err: error }, "an alert was not shown in a console");
        });
    }
  }

  function reloadAgain(): void {
    timer = clock.setTimeout(() => {
      void known.reload();
      reloadAgain();
    }, RELOAD_MS);
  }

  return {
    sendOnce,
    hasMail: mail !== null,
    send(news) {
      if (stopped) return;
      toConsoles(news);
      if (!news.alert.silenced) toChannels(news);
    },
    async start() {
      closers.push(
        bus.subscribe(AGAIN, () => void known.reload()),
        bus.subscribe(DATA_CHANGES, (published) => {
          const changes = dataChangesSchema.safeParse(published);
          if (!changes.success) return;
          const { tags } = changes.data;
          if (tags.includes("alert-channels")) void known.reload();
          if (gathering !== null || !tags.some((tag) => PEOPLE_TAGS.includes(tag))) return;
          gathering = clock.setTimeout(() => {
            gathering = null;
            void known.reload();
          }, GATHER_MS);
        }),
      );
      reloadAgain();
      await known.reload();
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      for (const close of closers.splice(0)) close();
      timer?.cancel();
      gathering?.cancel();
      for (const end of waits) end();
      await Promise.all(underWay.values());
      await deliveries.stop();
      mail?.close();
    },
  };
}
