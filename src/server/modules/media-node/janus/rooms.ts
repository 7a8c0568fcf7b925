/** Videorooms: one per conference, created at first need and destroyed when the last connection has left. */
import { AppError } from "../../../../shared/errors.ts";

/** Error code of the videoroom plugin. */
const ROOM_EXISTS = 427;

export interface Rooms {
  ensure(conferenceId: string): Promise<void>;
  destroy(conferenceId: string): void;
  /** Sends a request about a room by the handle that created it. */
  ask(body: Record<string, unknown>): Promise<void>;
  /** Forgets all rooms, because the Janus server lost them. */
  forget(): void;
}

export function createRooms(deps: {
  readonly attach: () => Promise<number>;
  readonly detach: (handle: number) => void;
  readonly message: (handle: number, body: Record<string, unknown>) => Promise<unknown>;
}): Rooms {
  let handle: Promise<number> | null = null;
  const made = new Map<string, Promise<void>>();

  const ask = async (body: Record<string, unknown>): Promise<void> => {
    const attaching = (handle ??= deps.attach());
    /** The next request attaches again, unless another one has done so meanwhile. */
    const discardHandle = (): void => {
      if (handle === attaching) handle = null;
    };
    const attached = await attaching.catch((error: unknown) => {
      discardHandle();
      throw error;
    });
    try {
      await deps.message(attached, body);
    } catch (error) {
      if (error instanceof AppError && error.details?.["code"] === ROOM_EXISTS) return;
      if (error instanceof AppError && error.code === "conference.media-unavailable") {
        discardHandle();
      }
      throw error;
    }
  };

  return {
    ensure(conferenceId) {
      const known = made.get(conferenceId);
      if (known !== undefined) return known;
      const making = ask({
        request: "create",
        room: conferenceId,
        is_private: true,
        permanent: false,
        publishers: 1000,
        audiocodec: "opus",
        videocodec: "vp8,h264",
        // No bound by the room: the publisher's bitrate is set when it joins.
        bitrate: 0,
        fir_freq: 0,
        notify_joining: false,
        audiolevel_event: false,
      });
      made.set(conferenceId, making);
      making.catch(() => {
        if (made.get(conferenceId) === making) made.delete(conferenceId);
      });
      return making;
    },
    destroy(conferenceId) {
      if (!made.delete(conferenceId)) return;
      ask({ request: "destroy", room: conferenceId }).catch(() => undefined);
    },
    ask,
    forget() {
      handle = null;
      made.clear();
    },
  };
}
