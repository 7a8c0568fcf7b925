/** Follows an upload of the queue to its end (docs/session.md#uploads). */
import { subscribe } from "valtio";
import type { CoreClient } from "../../../core-client/contracts.ts";
import { AppError } from "../../../shared/errors.ts";

/**
 * Resolves to the name of the stored file, and takes the upload out of the queue. The queue of a restarted core is empty until it has read
 * its storage, which is no end.
 *
 * @throws AppError request.cancelled when somebody ended it, else why it failed
 */
export function uploaded(
  core: Pick<CoreClient, "state" | "commands">,
  key: string,
): Promise<string> {
  const slice = core.state.uploads;
  return new Promise((resolve, reject) => {
    let seen = false;
    const finish = (end: () => void): void => {
      stop();
      core.commands.uploads.cancel({ key }).catch(() => undefined);
      end();
    };
    const look = (): void => {
      const entry = slice.byKey[key];
      if (entry === undefined) {
        if (seen && slice.ready) finish(() => reject(new AppError("request.cancelled")));
        return;
      }
      seen = true;
      const { state, fileName, error } = entry;
      if (state === "done" && fileName !== null) finish(() => resolve(fileName));
      if (state === "failed") {
        const reason =
          error === null ? new AppError("file.upload-failed") : AppError.fromWire(error);
        finish(() => reject(reason));
      }
    };
    const stop = subscribe(slice, look);
    look();
  });
}
