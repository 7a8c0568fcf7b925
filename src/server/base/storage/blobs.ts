/**
 * File contents on disk, each stored once under its SHA-256 in DATA_DIR/files (never under the web root). The row in
 * file_contents is written before the file, so that the sweep finds everything that a crash leaves behind.
 */
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { and, eq, lt, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { chatFiles } from "../database/schema/chat-files.ts";
import { accountAvatars, fileContents, files } from "../database/schema/files.ts";
import { licencePictures } from "../database/schema/registration.ts";

/** Milliseconds for which an unreferenced content is kept: its upload may still be in progress. */
export const ORPHAN_MS = 60 * 60_000;
/** Most contents removed in one sweep. */
const SWEEP_BATCH = 500;

export interface Spooled {
  readonly path: string;
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** Positions of bytes, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface Blobs {
  /** Writes the stream to a temporary file. Rethrows the stream's error and then leaves no file behind. */
  spool(stream: Readable): Promise<Spooled>;
  read(spooled: Spooled): Promise<Buffer>;
  /** The first bytes of the temporary file. */
  head(spooled: Spooled, bytes: number): Promise<Buffer>;
  /** Makes the temporary file permanent. An existing content stays; only a damaged one, of another size, is replaced. */
  keep(spooled: Spooled): Promise<void>;
  /** Idempotent: removes the temporary file unless it was kept. */
  discard(spooled: Spooled): Promise<void>;
  /** Opens the content for reading. The reader can read to the end even if the content is swept meanwhile. */
  open(hash: string): Promise<{ stream(range?: ByteRange): Readable; close(): Promise<void> }>;
  /** Bytes of a stored content. */
  sizeOf(hash: string): Promise<number>;
  /**
   * Removes unreferenced contents and leftover temporary files.
   *
   * @returns the number of removed contents
   */
  sweep(): Promise<number>;
}

export function createBlobs(deps: {
  /** DATA_DIR/files */
  readonly folder: string;
  readonly db: NodePgDatabase;
  readonly now: () => number;
}): Blobs {
  const { folder, db } = deps;
  const temporary = join(folder, "tmp");
  const placeOf = (hash: string): { dir: string; path: string } => {
    const dir = join(folder, hash.slice(0, 2));
    return { dir, path: join(dir, hash) };
  };

  async function sweepTemporary(): Promise<void> {
    const names = await readdir(temporary).catch(() => []);
    for (const name of names) {
      const path = join(temporary, name);
      const info = await stat(path).catch(() => null);
      // Compare with the system clock: a file's mtime does not follow the injected clock.
      if (info !== null && Date.now() - info.mtimeMs > ORPHAN_MS) await rm(path, { force: true });
    }
  }

  return {
    async spool(stream) {
      await mkdir(temporary, { recursive: true, mode: 0o700 });
      // A pipeline from a destroyed stream would never settle.
      if (stream.destroyed) throw new Error("the stream is over");
      const path = join(temporary, randomUUID());
      const hash = createHash("sha256");
      let size = 0;
      const count = new Transform({
        transform(chunk: Buffer, _, done) {
          hash.update(chunk);
          size += chunk.length;
          done(null, chunk);
        },
      });
      try {
        await pipeline(stream, count, createWriteStream(path, { mode: 0o600, flush: true }));
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
      return { path, hash: hash.digest("hex"), size };
    },
    read: (spooled) => readFile(spooled.path),
    async head(spooled, bytes) {
      const handle = await open(spooled.path, "r");
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
    async keep({ path, hash, size }) {
      const touchedAt = new Date(deps.now());
      await db
        .insert(fileContents)
        .values({ hash, size, touchedAt })
        .onConflictDoUpdate({ target: fileContents.hash, set: { touchedAt } });
      const place = placeOf(hash);
      await mkdir(place.dir, { recursive: true, mode: 0o700 });
      // The row is fresh, so no sweep removes the content from here on.
      const existing = await stat(place.path).catch(() => null);
      if (existing?.size === size) await rm(path, { force: true });
      else await rename(path, place.path);
    },
    discard: ({ path }) => rm(path, { force: true }),
    async open(hash) {
      const handle = await open(placeOf(hash).path, "r");
      return {
        stream: (range) => handle.createReadStream(range ?? {}),
        close: () => handle.close(),
      };
    },
    async sizeOf(hash) {
      return (await stat(placeOf(hash).path)).size;
    },
    async sweep() {
      await sweepTemporary();
      const stale = and(
        lt(fileContents.touchedAt, new Date(deps.now() - ORPHAN_MS)),
        sql`NOT EXISTS (SELECT FROM ${files} f WHERE f.content_hash = ${fileContents.hash})`,
        sql`NOT EXISTS (SELECT FROM ${accountAvatars} a WHERE a.content_hash = ${fileContents.hash})`,
        sql`NOT EXISTS (SELECT FROM ${licencePictures} l WHERE l.content_hash = ${fileContents.hash})`,
        sql`NOT EXISTS (SELECT FROM ${chatFiles} c
          WHERE c.content_hash = ${fileContents.hash} OR c.thumb_hash = ${fileContents.hash})`,
      );
      const found = await db
        .select({ hash: fileContents.hash })
        .from(fileContents)
        .where(stale)
        .limit(SWEEP_BATCH);
      let removed = 0;
      for (const { hash } of found) {
        // The row stays locked until the file is deleted. An upload of the same content waits and then writes the file again.
        await db.transaction(async (tx) => {
          const gone = await tx
            .delete(fileContents)
            .where(and(eq(fileContents.hash, hash), stale))
            .returning({ hash: fileContents.hash });
          if (gone.length === 0) return;
          await rm(placeOf(hash).path, { force: true });
          removed += 1;
        });
      }
      return removed;
    },
  };
}
