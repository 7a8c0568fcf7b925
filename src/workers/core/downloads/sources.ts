/** Where the files of downloads come from (docs/session.md#downloads). */
import { AppError } from "../../../shared/errors.ts";
import type { DownloadSource } from "../../../shared/protocol/commands/downloads.ts";
import { downloadCall } from "../../../shared/protocol/rest/files.ts";
import { type RestCall, restCalls } from "../../../shared/protocol/rest/index.ts";
import type { CoreEnv, FileHttp } from "../contracts.ts";
import { watchStall } from "../transfers/stall.ts";

/** Bytes of the first part, which says how large the file is, and of those that follow. */
const FIRST_PART = 256 * 1024;
const PART = 2 * 1024 * 1024;

export interface Piece {
  readonly blob: Blob;
  /** Bytes of the whole file; null while they are unknown. */
  readonly size: number | null;
  /** The piece is the whole file, whatever came before. */
  readonly whole: boolean;
}

export interface Fetching {
  readonly source: DownloadSource;
  /** The company. */
  readonly supplierId: string;
  /** Bytes that are there already. */
  readonly from: number;
  /** @param received bytes of this piece @param size of the whole file, where the answer says it */
  readonly onReceived: (received: number, size: number | null) => void;
  readonly signal: AbortSignal;
}

/** Fetches the next piece of a file. @throws AppError */
export type FetchPiece = (fetching: Fetching) => Promise<Piece>;

/** The file of a group as the chat connection reads it. */
export type ReadGroupFile = (
  file: { readonly groupId: string; readonly fileId: string },
  options: Pick<Fetching, "onReceived" | "signal">,
) => Promise<Blob>;

const wholeOf = (blob: Blob): Piece => ({ blob, size: blob.size, whole: true });

export function createFetchPiece(deps: {
  readonly env: Pick<CoreEnv, "clock" | "online">;
  readonly http: FileHttp;
  readonly readGroupFile: ReadGroupFile;
  /** The calls that exist; only those with `download: true` are made. */
  readonly calls?: readonly RestCall[];
}): FetchPiece {
  const { http, calls = Object.values(restCalls) } = deps;
  const files = new Map(
    calls.filter(({ download }) => download === true).map((call) => [call.id, call]),
  );

  const fetchFrom = async ({ source, from, supplierId, onReceived, signal }: Fetching) => {
    // The timeout of a request would count from its begin, however much has come.
    const options = { supplierId, signal, onReceived, timeout: 0 };
    if (source.kind === "groupFile") {
      return wholeOf(await deps.readGroupFile(source, { onReceived, signal }));
    }
    if (source.kind === "file") {
      const query = { fileName: source.fileName };
      const part = { from, bytes: from === 0 ? FIRST_PART : PART };
      const onPart = (received: number): void => onReceived(received, null);
      return await http.part(downloadCall, { query }, part, { ...options, onReceived: onPart });
    }
    const { call: id, params, query, body } = source;
    const call = files.get(id);
    if (call === undefined) throw new AppError("core.bad-message", { details: { call: id } });
    return wholeOf(await http.file(call, { params, query, body }, options));
  };

  return async (fetching) => {
    const stall = watchStall(deps.env, fetching.signal);
    try {
      return await fetchFrom({
        ...fetching,
        signal: stall.signal,
        onReceived(received, size) {
          stall.moved();
          fetching.onReceived(received, size);
        },
      });
    } catch (error) {
      // A request that was given up says only that it was cancelled.
      throw stall.reasonOf(error);
    } finally {
      stall.end();
    }
  };
}
