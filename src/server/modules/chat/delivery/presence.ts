/**
 * Online state of users: queried by REST, and sent to subscribers when a user's first socket connects and the last one
 * disconnects.
 */
import type { Logger } from "pino";
import type { Clock } from "../../../base/module.ts";
import { asciiJson } from "../wire/ascii-json.ts";
import type { Frames } from "../wire/frames.ts";
import type { ChatArchive } from "../conversations/history.ts";
import type { Hub } from "./hub.ts";
import { MetaCodec } from "../wire/wire.ts";

/** The format that the SDK reads. Seconds are strings. */
export interface PresenceValue {
  readonly uid: string;
  readonly last_time: string;
  readonly expiry: string;
  readonly ext: string;
  /** "1" for each connected device. */
  readonly status: Readonly<Record<string, string>>;
}

export interface Presence {
  presencesOf(userNames: readonly string[]): Promise<PresenceValue[]>;
  /** Keeps the status text that the user chose, and sends it to subscribers. */
  setExt(userName: string, ext: string): Promise<void>;
  /** Called when the user connected or disconnected, or when others may see the user no more. */
  changed(userName: string): void;
}

const EXPIRY_SECONDS = "86400";

export function createPresence(deps: {
  hub: () => Hub;
  archive: Pick<ChatArchive, "subscribers" | "statuses" | "setStatus">;
  mayTalk: (a: string, b: string) => Promise<boolean>;
  frames: Frames;
  clock: Clock;
  nextId: () => bigint;
  log: Logger;
}): Presence {
  const { clock } = deps;

  const presenceWith = (userName: string, ext: string): PresenceValue => ({
    uid: userName,
    last_time: String(Math.floor(clock.now() / 1000)),
    expiry: EXPIRY_SECONDS,
    ext,
    status: Object.fromEntries(
      deps
        .hub()
        .resources(userName)
        .map((r) => [r, "1"]),
    ),
  });

  const presencesOf: Presence["presencesOf"] = async (userNames) => {
    const exts = await deps.archive.statuses(userNames);
    return userNames.map((name) => presenceWith(name, exts.get(name) ?? ""));
  };

  const presenceMessage = (value: PresenceValue): string =>
    asciiJson({ type: "presence", data: { values: [value] } });

  async function publish(userName: string): Promise<void> {
    const ext = (await deps.archive.statuses([userName])).get(userName) ?? "";
    const value = presenceWith(userName, ext);
    const shown = presenceMessage(value);
    // A subscription outlives the acquaintance: who may see the user no more reads that the user is offline.
    const hidden = presenceMessage({ ...value, ext: "", status: {} });
    const now = clock.now();
    for (const to of await deps.archive.subscribers(userName, now)) {
      const json = (await deps.mayTalk(userName, to)) ? shown : hidden;
      const meta = deps.frames.presence(userName, to, json, String(deps.nextId()), now);
      deps.hub().send(to, {
        t: "push",
        meta: Buffer.from(MetaCodec.encode(meta)).toString("base64"),
        except: null,
      });
    }
  }

  function changed(userName: string): void {
    publish(userName).catch((error: unknown) => {
      deps.log.error({ err: error }, "presence not published");
    });
  }

  return {
    presencesOf,
    changed,
    async setExt(userName, ext) {
      await deps.archive.setStatus(userName, ext);
      changed(userName);
    },
  };
}
