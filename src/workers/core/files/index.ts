/** Files of the company: uploads with progress, and downloads (docs/session.md#files). The tab that began an upload ends it by leaving. */
import { AppError } from "../../../shared/errors.ts";
import { COMMAND_DEADLINES } from "../../../shared/protocol/command-deadlines.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import { downloadCall, UPLOAD_LIMITS, uploadCall } from "../../../shared/protocol/rest/files.ts";
import type { CoreEnv, FileHttp, Http, Session, Store, Tabs } from "../contracts.ts";
import { createAvatars } from "./avatars.ts";
import { createLicences } from "./licences.ts";

const MOST = UPLOAD_LIMITS.megabytes * 1024 * 1024;

export function createFiles(deps: {
  readonly http: Pick<Http, "call"> & FileHttp;
  readonly store: Pick<Store, "set" | "del">;
  readonly tabs: Pick<Tabs, "onLeave">;
  readonly clock: CoreEnv["clock"];
  readonly session: Pick<Session, "onUser">;
}): { readonly handlers: Handlers<"files">; stop(): void } {
  const running = new Map<
    string,
    { readonly tabId: string; readonly controller: AbortController }
  >();
  const avatars = createAvatars(deps);
  const unlisten = deps.tabs.onLeave((tabId) => {
    for (const upload of running.values()) if (upload.tabId === tabId) upload.controller.abort();
  });

  return {
    handlers: {
      async upload({ key, file, name }, { tabId }) {
        if (file.size === 0) throw new AppError("file.empty");
        if (file.size > MOST) throw new AppError("file.too-large");
        if (running.has(key)) throw new AppError("request.conflict");
        const controller = new AbortController();
        running.set(key, { tabId, controller });
        const report = (sent: number): void =>
          deps.store.set(["uploads", "byKey", key], { name, sent, size: file.size });
        report(0);
        const form = new FormData();
        form.append("file", file, name);
        try {
          const { fileName, originalName, size } = await deps.http.call(
            uploadCall,
            {},
            {
              form,
              timeout: COMMAND_DEADLINES.files.upload,
              signal: controller.signal,
              // the headers of the parts count as sent bytes too
              onSent: (loaded) => report(Math.min(loaded, file.size)),
            },
          );
          return { fileName, originalName, size };
        } finally {
          running.delete(key);
          deps.store.del(["uploads", "byKey", key]);
        }
      },
      cancel({ key }) {
        const upload = running.get(key);
        upload?.controller.abort();
        return Promise.resolve(upload !== undefined);
      },
      read: ({ fileName }) => deps.http.file(downloadCall, { query: { fileName } }),
      ...avatars.handlers,
      ...createLicences(deps.http),
    },
    stop() {
      unlisten();
      avatars.stop();
      for (const { controller } of running.values()) controller.abort();
    },
  };
}
