/**
 * Files that come in parts by the tus protocol (docs/server.md#uploads-in-parts): each waits on disk, complete or not, until a call takes it
 * over by its id. A person reaches only files of their own.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { link, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { FileStore } from "@tus/file-store";
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
  /** Hands over a complete file, once. @throws what `refusals` makes, when there is none with this id, or it is incomplete */
  takeOver(owner: PartsOwner, id: string): Promise<Spooled>;
  /** A complete file that also stays here until it is dropped. @throws as `takeOver` */
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
    const names = await readdir(folder).catch(() => []);
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
    const { size, offset } = await store.getUpload(id).catch(() => {
      throw refusals.missing();
    });
    if (size !== offset) throw refusals.incomplete();
    return offset;
  }

  /** @param move puts the file at the new path */
  async function spool(
    owner: PartsOwner,
    id: string,
    move: (from: string, to: string) => Promise<void>,
  ): Promise<Spooled> {
    const size = await completeSize(owner, id);
    await mkdir(temporary, { recursive: true, mode: 0o700 });
    const path = join(temporary, randomUUID());
    await move(join(folder, id), path).catch(() => {
      throw refusals.missing();
    });
    const handle = await open(path, "r+");
    try {
      // The parts were written without waiting for the disk, and the sweep removes what looks old.
      await handle.sync();
      const now = new Date();
      await handle.utimes(now, now);
    } finally {
      await handle.close();
    }
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash);
    return { path, hash: hash.digest("hex"), size };
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
      // Of two requests for the same file only one can move it.
      const spooled = await spool(owner, id, rename);
      const store = await storeOf();
      await store.configstore.delete(id).catch(() => undefined);
      return spooled;
    },
    share: (owner, id) => spool(owner, id, link),
    async drop(owner, id) {
      if (!isOwn(owner, id)) return;
      await Promise.all(
        [id, `${id}${ENDING}`].map((name) => rm(join(folder, name), { force: true })),
      );
    },
    async sweep() {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) {
        const path = join(folder, name);
        const info = await stat(path).catch(() => null);
        // The system clock, as for every time of a file.
        if (info === null || Date.now() - info.mtimeMs <= deps.keptMs) continue;
        await rm(path, { force: true });
      }
    },
  };
}
