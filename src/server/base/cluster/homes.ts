/** Homes of conferences, in the database that all processes share. Only the database's clock counts. */
import { isMeetingNumber } from "../../../shared/domain/meeting-number.ts";
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Pool } from "pg";
import type { Clock } from "../module.ts";
import { HOME_OF, type Homes, type Inside } from "./index.ts";

/** Milliseconds between two heartbeats, and after how long without one a process counts as dead. */
export const BEAT_MS = 1000;
export const DEAD_MS = 4000;
/** Seconds after which a dead process is deleted. */
const FORGET_S = 3600;
const isId = (text: string): boolean => /^[0-9a-f-]{36}$/.test(text) || isMeetingNumber(text);

const DEAD = `seen_at < now() - interval '${DEAD_MS} milliseconds'`;

/** @param deps.url the URL by which the other processes reach this one */
export function createHomes(deps: {
  readonly pool: Pick<Pool, "query">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly url: string;
}): Homes {
  const { pool, clock, log, url } = deps;
  const self = randomUUID();
  /** Member counts as last published. */
  let published = new Map<string, number>();
  let timer: { cancel(): void } = { cancel: () => undefined };
  let state: "new" | "started" | "stopped" = "new";
  let beating: Promise<void> = Promise.resolve();

  async function where(conferenceId: string): Promise<string | null> {
    const { rows } = await pool.query<{ id: string; url: string }>(
      `SELECT p.id, p.url FROM conference_homes h JOIN server_processes p ON p.id = h.process_id
       WHERE h.conference_id = $1 AND NOT p.${DEAD}`,
      [conferenceId],
    );
    const [home] = rows;
    return home === undefined || home.id === self ? null : home.url;
  }

  /** Publishes that this process is alive and its member counts, and detects conferences it has lost. */
  async function beat(here: Inside): Promise<void> {
    await pool.query(
      `INSERT INTO server_processes (id, url, seen_at) VALUES ($1, $2, now())
       ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
      [self, url],
    );
    const now = new Map(here.members());
    const changed = new Map([...now].filter(([id, count]) => published.get(id) !== count));
    for (const id of published.keys()) if (!now.has(id)) changed.set(id, 0);
    if (changed.size > 0) {
      await pool.query(
        `UPDATE conference_homes h SET members = t.members
         FROM unnest($2::text[], $3::int[]) AS t (id, members)
         WHERE h.conference_id = t.id AND h.process_id = $1`,
        [self, [...changed.keys()], [...changed.values()]],
      );
    }
    published = now;
    if (now.size === 0) return;
    const { rows } = await pool.query<{ id: string }>(
      "SELECT conference_id AS id FROM conference_homes WHERE conference_id = ANY($2) AND process_id <> $1",
      [self, [...now.keys()]],
    );
    if (rows.length === 0) return;
    log.warn({ conferences: rows.length }, "conferences have found another home");
    here.lost(rows.map(({ id }) => id));
  }

  function next(here: Inside): void {
    if (state !== "started") return;
    timer = clock.setTimeout(() => {
      beating = beat(here)
        .catch((error: unknown) =>
          log.error({ err: error }, "the heartbeat of this process failed"),
        )
        .then(() => next(here));
    }, BEAT_MS);
  }

  return {
    async claim(conferenceId) {
      if (!isId(conferenceId)) return null;
      const home = await where(conferenceId);
      if (home !== null) return home;
      await pool.query(
        `INSERT INTO conference_homes AS h (conference_id, process_id)
         SELECT c.id, p.id FROM conferences c, server_processes p WHERE c.id = $1 AND p.id = $2
         ON CONFLICT (conference_id) DO UPDATE SET process_id = excluded.process_id, members = 0
         WHERE EXISTS (SELECT FROM server_processes p WHERE p.id = h.process_id AND p.${DEAD})`,
        [conferenceId, self],
      );
      // Another process may have claimed it first.
      return where(conferenceId);
    },
    find: (conferenceId) => (isId(conferenceId) ? where(conferenceId) : Promise.resolve(null)),
    async membersElsewhere(conferenceIds) {
      const { rows } = await pool.query<{ id: string; members: number }>(
        `SELECT h.conference_id AS id, h.members FROM conference_homes h
           JOIN server_processes p ON p.id = h.process_id
         WHERE h.conference_id = ANY($2) AND p.id <> $1 AND NOT p.${DEAD} AND h.members > 0`,
        [self, [...conferenceIds]],
      );
      return new Map(rows.map(({ id, members }) => [id, members]));
    },
    address: (path, conferenceId) => `${path}?${HOME_OF}=${encodeURIComponent(conferenceId)}`,
    async start(here) {
      if (state !== "new") return;
      // Delete any former process at this address, and processes that died long ago.
      await pool.query(
        `DELETE FROM server_processes WHERE url = $1 OR seen_at < now() - interval '${FORGET_S} seconds'`,
        [url],
      );
      await pool.query(
        "DELETE FROM conference_homes h USING conferences c WHERE c.id = h.conference_id AND c.ended_at IS NOT NULL",
      );
      await beat(here);
      state = "started";
      next(here);
    },
    async stop() {
      if (state === "stopped") return;
      const was = state;
      state = "stopped";
      timer.cancel();
      await beating;
      if (was === "started") {
        await pool.query("DELETE FROM server_processes WHERE id = $1", [self]);
      }
    },
  };
}
