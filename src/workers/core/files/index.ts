/** Reads files of the company, and the pictures of people (docs/session.md#files). Uploads are a queue of their own (../uploads). */
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import { downloadCall } from "../../../shared/protocol/rest/files.ts";
import type { CoreEnv, FileHttp, Http, Session } from "../contracts.ts";
import { createAvatars } from "./avatars.ts";
import { createLicences } from "./licences.ts";

export function createFiles(deps: {
  readonly http: Pick<Http, "call"> & Pick<FileHttp, "file">;
  readonly clock: CoreEnv["clock"];
  readonly session: Pick<Session, "onUser">;
}): { readonly handlers: Handlers<"files">; stop(): void } {
  const avatars = createAvatars(deps);
  return {
    handlers: {
      read: ({ fileName }) => deps.http.file(downloadCall, { query: { fileName } }),
      ...avatars.handlers,
      ...createLicences(deps.http),
    },
    stop: () => avatars.stop(),
  };
}
