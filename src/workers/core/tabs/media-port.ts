/** The media port of one tab. It outlives its MessagePort: a tab that says hello again continues with the same one. */
import { AppError } from "../../../shared/errors.ts";
import { mediaEventSchema, type MediaEvent } from "../../../shared/protocol/media-port.ts";
import type { MediaPort } from "../contracts.ts";
import type { PortLike } from "../store/index.ts";

export interface TabMediaPort extends MediaPort {
  /** Replaces the port. */
  use(port: PortLike): void;
  close(): void;
}

/** @param onBad called for an event that the schema refuses */
export function createMediaPort(onBad: (error: AppError) => void): TabMediaPort {
  const handlers = new Set<(event: MediaEvent) => void>();
  let current: PortLike | null = null;
  const close = (): void => {
    if (current === null) return;
    current.onmessage = null;
    current.close();
    current = null;
  };
  return {
    send(command) {
      const port = current;
      if (port !== null) port.postMessage(command);
    },
    onEvent(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    use(port) {
      close();
      current = port;
      port.onmessage = (event) => {
        const parsed = mediaEventSchema.safeParse(event.data);
        if (!parsed.success) {
          const field = parsed.error.issues[0]?.path.join(".") ?? "";
          onBad(new AppError("core.bad-message", { details: { port: "media", field } }));
          return;
        }
        for (const handler of handlers) handler(parsed.data);
      };
    },
    close,
  };
}
