/**
 * Resumable uploads (docs/chat.md#resumable-uploads): a large file comes in parts by the tus protocol and waits, complete or not, until the
 * upload of its message takes it over by its id. A person reaches only files of their own.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { FileStore } from "@tus/file-store";
import { Server } from "@tus/server";
import { CHAT_FILE_MAX } from "../../../shared/domain/chat-files.ts";
import type { Spooled } from "../../base/storage/blobs.ts";
import { CHAT_LIMITS } from "./limits.ts";
import { ProviderError } from "./provider-app.ts";

export interface Resumable {
  /** Answers a request of the tus protocol. */
  handle(owner: string, request: Request): Promise<Response>;
  /** Bytes that the waiting files of the person take when they are complete. */
  waiting(owner: string): Promise<number>;
  /**
   * Hands over a complete file, once.
   *
   * @throws ProviderError when there is none with this id, or it is incomplete
   */
  takeUpload(owner: string, id: string): Promise<Spooled>;
  /** Removes what has waited too long. */
  sweep(): Promise<void>;
}

const METHODS = new Set(["POST", "HEAD", "PATCH", "DELETE"]);
const ID = /^[0-9a-f]{32}-[0-9a-f]{32}$/;
const ENDING = ".json";

const prefixOf = (owner: string): string =>
  createHash("sha256").update(owner).digest("hex").slice(0, 32);
const missing = (): ProviderError => new ProviderError(404, "file_expired", "no such upload");

export function createResumable(deps: {
  /** DATA_DIR/files */
  readonly folder: string;
  /** Where requests arrive, without BASE_PATH. */
  readonly path: string;
  /** BASE_PATH */
  readonly basePath: string;
  /** Counts the bytes against the limits of the person. @throws ProviderError */
  readonly admit: (owner: string, size: number) => Promise<void>;
}): Resumable {
  const folder = join(deps.folder, "parts");
  const temporary = join(deps.folder, "tmp");
  const owners = new AsyncLocalStorage<string>();
  let made: Promise<Server> | null = null;

  const idsOf = async (owner: string): Promise<string[]> => {
    const prefix = `${prefixOf(owner)}-`;
    const names = await readdir(folder).catch(() => []);
    return names
      .filter((name) => name.startsWith(prefix) && name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length));
  };

  async function make(): Promise<Server> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new Server({
      path: deps.path,
      datastore: new FileStore({
        directory: folder,
        expirationPeriodInMilliseconds: CHAT_LIMITS.partsMs,
      }),
      maxSize: CHAT_FILE_MAX,
      generateUrl: (_request, { path, id }) => `${deps.basePath}${path}/${id}`,
      allowedOrigins: () => false,
      namingFunction: () =>
        `${prefixOf(owners.getStore() ?? "")}-${randomUUID().replaceAll("-", "")}`,
      async onUploadCreate(_request, upload) {
        const owner = owners.getStore() ?? "";
        if (upload.size === undefined || upload.size === 0) {
          throw new ProviderError(400, "illegal_argument", "the size is missing");
        }
        if ((await idsOf(owner)).length >= CHAT_LIMITS.partsPerUser) {
          throw new ProviderError(429, "reach_limit", "too many unfinished uploads");
        }
        await deps.admit(owner, upload.size);
        // Nothing that a client says about the file is kept.
        return { metadata: {} };
      },
      onResponseError: (_request, error) =>
        error instanceof ProviderError
          ? {
              status_code: error.status,
              body: JSON.stringify({ error: error.error, error_description: error.message }),
            }
          : undefined,
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

  return {
    async handle(owner, request) {
      const id = new URL(request.url).pathname.slice(deps.path.length + 1);
      const isOwn = id === "" || (ID.test(id) && id.startsWith(`${prefixOf(owner)}-`));
      if (!METHODS.has(request.method) || !isOwn) throw missing();
      const tus = await server();
      return await owners.run(owner, () => tus.handleWeb(request));
    },
    async waiting(owner) {
      const store = await storeOf();
      const sizes = await Promise.all(
        (await idsOf(owner)).map(async (id) => (await store.configstore.get(id))?.size ?? 0),
      );
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    async takeUpload(owner, id) {
      if (!ID.test(id) || !id.startsWith(`${prefixOf(owner)}-`)) throw missing();
      const store = await storeOf();
      const { size, offset } = await store.getUpload(id).catch(() => {
        throw missing();
      });
      if (size !== offset) {
        throw new ProviderError(400, "illegal_argument", "the upload is incomplete");
      }
      await mkdir(temporary, { recursive: true, mode: 0o700 });
      const path = join(temporary, randomUUID());
      // Of two requests for the same file only one can move it.
      await rename(join(folder, id), path).catch(() => {
        throw missing();
      });
      await store.configstore.delete(id).catch(() => undefined);
      const hash = createHash("sha256");
      await pipeline(createReadStream(path), hash);
      return { path, hash: hash.digest("hex"), size: offset };
    },
    async sweep() {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) {
        const path = join(folder, name);
        const info = await stat(path).catch(() => null);
        // The system clock, as for every time of a file.
        if (info === null || Date.now() - info.mtimeMs <= CHAT_LIMITS.partsMs) continue;
        await rm(path, { force: true });
      }
    },
  };
}
