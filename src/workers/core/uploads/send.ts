/**
 * Sends one file of a company (docs/session.md#uploads): in parts where the platform takes them, and then takes the file over by a call that
 * may be repeated; otherwise in one piece.
 */
import { AppError } from "../../../shared/errors.ts";
import { accountCall } from "../../../shared/protocol/rest/auth.ts";
import {
  FILE_TYPES,
  PARTS_PATH,
  UPLOAD_LIMITS,
  uploadCall,
  uploadFinishCall,
} from "../../../shared/protocol/rest/files.ts";
import type { CoreEnv, Http, Reach } from "../contracts.ts";
import { errorOfAnswer } from "../http/transport.ts";
import { watchStall } from "../transfers/stall.ts";
import { type LoadTus, type ResumePoint, sendParts } from "../parts/index.ts";

/** Bytes of a file that goes in one piece. */
const WHOLE_MAX = UPLOAD_LIMITS.megabytes * 1024 * 1024;
/** ms for a file in one piece: 5 MB at 80 kbit/s. */
const WHOLE_DEADLINE = 600_000;

export interface Sending {
  readonly file: Blob;
  readonly name: string;
  /** The company. */
  readonly supplierId: string;
  /** @param sent bytes */
  readonly onSent: (sent: number) => void;
  /** @param accepted bytes that the server says it has and will not need again */
  readonly onAccepted: (accepted: number) => void;
  readonly signal: AbortSignal;
  readonly resume: ResumePoint;
}

export interface SendFile {
  /** @returns the name of the stored file. @throws AppError */
  send(sending: Sending): Promise<string>;
  /** Tells the server to drop what it has in part. Never rejects. */
  drop(address: string, supplierId: string): Promise<void>;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
/** Seconds after which the server wants to be asked again. */
function retryAfterOf(body: unknown): number | undefined {
  const details = typeof body === "object" && body !== null ? Reflect.get(body, "details") : null;
  const seconds: unknown =
    typeof details === "object" && details !== null ? Reflect.get(details, "retryAfter") : null;
  return typeof seconds === "number" ? seconds : undefined;
}

const isOfKnownType = (name: string): boolean =>
  FILE_TYPES.some((type) => name.toLowerCase().endsWith(`.${type}`));

export function createSendFile(deps: {
  readonly env: Pick<CoreEnv, "clock" | "config" | "home" | "online">;
  readonly http: Pick<Http, "call" | "headers">;
  readonly reach: Pick<Reach, "suspect">;
  /** Replaces the code for parts in tests. */
  readonly loadTus?: LoadTus;
}): SendFile {
  const { env, http } = deps;
  const base = env.config.gatewayBaseUrl === "" ? env.home : env.config.gatewayBaseUrl;

  const whole = async ({ file, name, ...sending }: Sending): Promise<string> => {
    if (file.size > WHOLE_MAX) throw new AppError("file.too-large");
    const form = new FormData();
    form.append("file", file, name);
    const stall = watchStall(env, sending.signal, WHOLE_DEADLINE);
    const options = {
      form,
      supplierId: sending.supplierId,
      timeout: WHOLE_DEADLINE,
      signal: stall.signal,
      onSent(sent: number) {
        stall.moved();
        // the headers of the parts count as sent bytes too
        sending.onSent(Math.min(sent, file.size));
      },
    };
    try {
      return (await http.call(uploadCall, {}, options)).fileName;
    } catch (error) {
      throw stall.reasonOf(error);
    } finally {
      stall.end();
    }
  };

  const finish = async ({ name, supplierId, signal }: Sending, id: string): Promise<string> => {
    const input = { params: { id }, body: { name } };
    return (await http.call(uploadFinishCall, input, { supplierId, signal })).fileName;
  };

  /** Whether an attempt before has sent all of it, so that only its answer was lost. */
  const finishedBefore = async (sending: Sending): Promise<string | null> => {
    const id = (await sending.resume.read())?.split("/").at(-1) ?? "";
    if (id === "") return null;
    try {
      return await finish(sending, id);
    } catch (thrown) {
      const { code } = AppError.from(thrown);
      if (code === "request.conflict") return null;
      if (code !== "request.not-found") throw thrown;
      await sending.resume.write(null);
      sending.onAccepted(0);
      return null;
    }
  };

  const parts = async (sending: Sending): Promise<string | null> => {
    const { file, supplierId, signal, resume } = sending;
    const stall = watchStall(env, signal);
    let refused: AppError | null = null;
    try {
      return await sendParts(
        {
          file,
          signal: stall.signal,
          resume,
          onSent(sent) {
            stall.moved();
            sending.onSent(sent);
          },
          onAccepted(accepted) {
            stall.moved();
            sending.onAccepted(accepted);
          },
        },
        {
          url: `${base}${PARTS_PATH}`,
          headers: () =>
            http.headers({ supplierId }).catch((error: unknown) => {
              refused = AppError.from(error);
              throw refused;
            }),
          errorOf(status, body) {
            if (refused !== null) return refused;
            if (signal.aborted) return new AppError("request.cancelled");
            if (status === null) {
              deps.reach.suspect();
              return new AppError(env.online.online ? "server.unavailable" : "network.offline");
            }
            const answer = parsed(body);
            const error = errorOfAnswer("files.parts", status, answer, retryAfterOf(answer));
            if (error.code === "server.unavailable") deps.reach.suspect();
            return error;
          },
        },
        deps.loadTus,
      );
    } catch (error) {
      // The usual call gets another token, or ends the login in words.
      if (AppError.from(error).details?.["status"] === 401) {
        await http.call(accountCall).catch(() => undefined);
      }
      throw error;
    } finally {
      stall.end();
    }
  };

  return {
    async send(sending) {
      if (!env.config.uploadsInParts) return await whole(sending);
      if (!isOfKnownType(sending.name)) throw new AppError("file.wrong-type");
      const before = await finishedBefore(sending);
      if (before !== null) return before;
      const id = await parts(sending);
      if (id === null) {
        if (sending.file.size > WHOLE_MAX) throw new AppError("code.replaced");
        return await whole(sending);
      }
      return await finish(sending, id);
    },
    async drop(address, supplierId) {
      try {
        const headers = { ...(await http.headers({ supplierId })), "Tus-Resumable": "1.0.0" };
        await fetch(address, { method: "DELETE", headers });
      } catch {
        // the server drops what waits for a day
      }
    },
  };
}
