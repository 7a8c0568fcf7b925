/** Large files of chat come in parts (docs/chat.md#resumable-uploads); the upload of the message takes such a file over by its id. */
import { CHAT_FILE_MAX } from "../../../../shared/domain/chat-files.ts";
import { createParts, type Parts, type PartsOwner } from "../../../base/storage/parts.ts";
import { CHAT_LIMITS } from "../limits.ts";
import { ProviderError } from "../rest/provider-app.ts";

/** A person's files count against the person's own space. */
export const partsOwner = (userName: string): PartsOwner => ({ group: userName, person: userName });

export const createResumable = (deps: {
  /** DATA_DIR/files */
  readonly folder: string;
  /** Where requests arrive, without BASE_PATH. */
  readonly path: string;
  /** BASE_PATH */
  readonly basePath: string;
  /** Counts the bytes against the limits of the person. @throws ProviderError */
  readonly admit: (owner: string, size: number) => Promise<void>;
}): Parts =>
  createParts({
    folder: deps.folder,
    name: "parts",
    path: deps.path,
    basePath: deps.basePath,
    maxSize: CHAT_FILE_MAX,
    perPerson: CHAT_LIMITS.partsPerUser,
    keptMs: CHAT_LIMITS.partsMs,
    admit: ({ person }, size) => deps.admit(person, size),
    refusals: {
      missing: () => new ProviderError(404, "file_expired", "no such upload"),
      incomplete: () => new ProviderError(400, "illegal_argument", "the upload is incomplete"),
      withoutSize: () => new ProviderError(400, "illegal_argument", "the size is missing"),
      tooMany: () => new ProviderError(429, "reach_limit", "too many unfinished uploads"),
      answer: (error) =>
        error instanceof ProviderError
          ? {
              status_code: error.status,
              body: JSON.stringify({ error: error.error, error_description: error.message }),
            }
          : undefined,
    },
  });
