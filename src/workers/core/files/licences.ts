/** Pictures of business licences (docs/session.md#licence-picture): a guest sends one, the platform's people read it. */
import { AppError } from "../../../shared/errors.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import {
  LICENCE_LIMITS,
  licenceReadCall,
  licenceSendCall,
} from "../../../shared/protocol/rest/licences.ts";
import type { FileHttp, Http } from "../contracts.ts";

const MOST = LICENCE_LIMITS.megabytes * 1024 * 1024;

export const createLicences = (
  http: Pick<Http, "call"> & Pick<FileHttp, "file">,
): Pick<Handlers<"files">, "sendLicence" | "readLicence"> => ({
  async sendLicence({ file, name }) {
    if (file.size === 0) throw new AppError("file.empty");
    if (file.size > MOST) throw new AppError("file.too-large");
    const form = new FormData();
    form.append("file", file, name);
    return http.call(licenceSendCall, {}, { form });
  },
  readLicence: ({ applyId }) => http.file(licenceReadCall, { query: { applyId } }),
});
