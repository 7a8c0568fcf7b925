/**
 * Files that come in parts by the tus protocol (docs/server.md#uploads-in-parts): each waits on disk, complete or not, until a call takes it
 * over by its id. A person reaches only files of their own.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import {
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
} from "node:fs/promises";
import { join } from "node:path";
import { FileConfigstore, FileStore } from "@tus/file-store";
import { Server } from "@tus/server";
import type { Spooled } from "./blobs.ts";

/** Most bytes of one part, which a proxy may keep back until it is whole. */
export const PART_LIMIT = 16 * 1024 * 1024;

/** Whose file it is. */
export interface PartsOwner {
  /** What pays for the space: a company, or the person. */
  readonly group: string;
  readonly person: string;
}

export interface Parts {
  /** Answers a request of the tus protocol. @throws what `refusals.missing` makes */
  handle(owner: PartsOwner, request: Request): Promise<Response>;
  /** Bytes that the waiting files of the group take when they are complete. */
  waiting(group: string): Promise<number>;
  /** Hands over a copy of a complete file, once, and drops the file. @throws what `refusals` makes, when there is none with this id, or it is incomplete */
  takeOver(owner: PartsOwner, id: string): Promise<Spooled>;
  /** A copy of a complete file, which stays here until it is dropped. @throws as `takeOver` */
  share(owner: PartsOwner, id: string): Promise<Spooled>;
  /** Idempotent. */
  drop(owner: PartsOwner, id: string): Promise<void>;
  /** Removes what has waited too long. */
  sweep(): Promise<void>;
}

export interface PartsRefusals {
  readonly missing: () => Error;
  readonly incomplete: () => Error;
  readonly withoutSize: () => Error;
  readonly tooMany: () => Error;
  /** The answer for a refusal of the above, and of `admit`; undefined for any other error. */
  readonly answer: (error: unknown) => { status_code: number; body: string } | undefined;
}

const METHODS = new Set(["POST", "HEAD", "PATCH", "DELETE"]);
const ID = /^[0-9a-f]{32}-[0-9a-f]{32}$/;
const ENDING = ".json";

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";
/** The files in a folder that is made when the first one comes. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
type PartsRecord = NonNullable<Awaited<ReturnType<FileConfigstore["get"]>>>;
/** What tus notes of each upload beside the file. Its own store takes a record that the disk does not give for one that is not there. */
const createRecords = (folder: string): FileConfigstore =>
  Object.assign(new FileConfigstore(folder), {
    async get(id: string): Promise<PartsRecord | undefined> {
      try {
        return JSON.parse(await readFile(join(folder, `${id}${ENDING}`), "utf8")) as PartsRecord;
      } catch (error) {
        // A record that is being written is not there yet.
        if (isMissing(error) || error instanceof SyntaxError) return undefined;
        throw error;
      }
    },
  });
/** What tus says of an upload that is not there; every other error is one of the disk. */
const isNoUpload = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "status_code" in error &&
  (error.status_code === 404 || error.status_code === 410);
const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 16);
const prefixOf = ({ group, person }: PartsOwner): string => `${hashOf(group)}${hashOf(person)}-`;

export function createParts(deps: {
  /** DATA_DIR/files */
  readonly folder: string;
  /** Name of the folder inside. */
  readonly name: string;
  /** Where requests arrive, without BASE_PATH. */
  readonly path: string;
  /** BASE_PATH */
  readonly basePath: string;
  /** Bytes of one file. */
  readonly maxSize: number;
  /** Most files of a person that wait, and the milliseconds for which one waits. */
  readonly perPerson: number;
  readonly keptMs: number;
  /** Counts the bytes against the limits. @throws a refusal */
  readonly admit: (owner: PartsOwner, size: number) => Promise<void>;
  readonly refusals: PartsRefusals;
}): Parts {
  const { refusals } = deps;
  const folder = join(deps.folder, deps.name);
  const temporary = join(deps.folder, "tmp");
  const owners = new AsyncLocalStorage<PartsOwner>();
  let made: Promise<Server> | null = null;

  const idsOf = async (prefix: string): Promise<string[]> => {
    const names = await namesIn(folder);
    return names
      .filter((name) => name.startsWith(prefix) && name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length));
  };
  const isOwn = (owner: PartsOwner, id: string): boolean =>
    ID.test(id) && id.startsWith(prefixOf(owner));

  async function make(): Promise<Server> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new Server({
      path: deps.path,
      datastore: new FileStore({
        directory: folder,
        configstore: createRecords(folder),
        expirationPeriodInMilliseconds: deps.keptMs,
      }),
      maxSize: deps.maxSize,
      generateUrl: (_request, { path, id }) => `${deps.basePath}${path}/${id}`,
      allowedOrigins: () => false,
      namingFunction() {
        const owner = owners.getStore();
        if (owner === undefined) throw refusals.missing();
        return `${prefixOf(owner)}${randomUUID().replaceAll("-", "")}`;
      },
      async onUploadCreate(_request, upload) {
        const owner = owners.getStore();
        if (owner === undefined) throw refusals.missing();
        if (upload.size === undefined || upload.size === 0) throw refusals.withoutSize();
        if ((await idsOf(prefixOf(owner))).length >= deps.perPerson) throw refusals.tooMany();
        await deps.admit(owner, upload.size);
        // Nothing that a client says about the file is kept.
        return { metadata: {} };
      },
      onResponseError: (_request, error) => refusals.answer(error),
    });
  }
  const server = (): Promise<Server> =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));

  async function storeOf(): Promise<FileStore> {
    const { datastore } = await server();
    return datastore as FileStore;
  }

  /** Bytes of a complete file of the person. */
  async function completeSize(owner: PartsOwner, id: string): Promise<number> {
    if (!isOwn(owner, id)) throw refusals.missing();
    const store = await storeOf();
    const { size, offset } = await store.getUpload(id).catch((error: unknown) => {
      throw isNoUpload(error) ? refusals.missing() : error;
    });
    if (size !== offset) throw refusals.incomplete();
    return offset;
  }

  /**
   * Copies a complete file. The lock of tus lives in one process, so another process may still write to the file. Only
   * this call writes to the copy. The hash and the size are those of the copy.
   */
  async function copied(source: string, size: number): Promise<Spooled> {
    const path = join(temporary, randomUUID());
    try {
      await copyFile(source, path, constants.COPYFILE_FICLONE).catch((error: unknown) => {
        throw isMissing(error) ? refusals.missing() : error;
      });
      const handle = await open(path, "r+");
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
      const hash = createHash("sha256");
      let bytes = 0;
      for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
        hash.update(chunk);
        bytes += chunk.length;
      }
      if (bytes !== size) throw refusals.incomplete();
      return { path, hash: hash.digest("hex"), size };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  return {
    async handle(owner, request) {
      const id = new URL(request.url).pathname.slice(deps.path.length + 1);
      if (!METHODS.has(request.method) || (id !== "" && !isOwn(owner, id))) {
        throw refusals.missing();
      }
      const tus = await server();
      return await owners.run(owner, () => tus.handleWeb(request));
    },
    async waiting(group) {
      const store = await storeOf();
      const sizes = await Promise.all(
        (await idsOf(hashOf(group))).map(
          async (id) => (await store.configstore.get(id))?.size ?? 0,
        ),
      );
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    async takeOver(owner, id) {
      const size = await completeSize(owner, id);
      await mkdir(temporary, { recursive: true, mode: 0o700 });
      const from = join(folder, id);
      const moved = join(temporary, randomUUID());
      // Of two requests for the same file only one can move it. The sweep removes what looks old.
      const now = new Date();
      await utimes(from, now, now)
        .then(() => rename(from, moved))
        .catch((error: unknown) => {
          throw isMissing(error) ? refusals.missing() : error;
        });
      const spooled = await copied(moved, size).catch(async (error: unknown) => {
        // The person may try again, for instance when the disk has space.
        await rename(moved, from).catch(() => undefined);
        throw error;
      });
      await rm(moved, { force: true });
      const store = await storeOf();
      await store.configstore.delete(id).catch(() => undefined);
      return spooled;
    },
    async share(owner, id) {
      const size = await completeSize(owner, id);
      await mkdir(temporary, { recursive: true, mode: 0o700 });
      return copied(join(folder, id), size);
    },
    async drop(owner, id) {
      if (!isOwn(owner, id)) return;
      await Promise.all(
        [id, `${id}${ENDING}`].map((name) => rm(join(folder, name), { force: true })),
      );
    },
    async sweep() {
      for (const name of await namesIn(folder)) {
        const path = join(folder, name);
        const info = await stat(path).catch(() => null);
        // The system clock, as for every time of a file.
        if (info === null || Date.now() - info.mtimeMs <= deps.keptMs) continue;
        await rm(path, { force: true });
      }
    },
  };
}
