/** Handles of the videoroom plugin: one per connection, and one for managing the rooms. */
import { AppError } from "../../../../shared/errors.ts";
import { unavailable, type JanusSocket, type Jsep } from "./socket.ts";

export interface Handles {
  attach(): Promise<number>;
  detach(handle: number): void;
  /** @throws AppError conference.invalid with the plugin's reason and code in the details */
  message(
    handle: number,
    body: Record<string, unknown>,
    jsep?: Jsep,
  ): Promise<{ data: Record<string, unknown>; jsep: Jsep | undefined }>;
}

export function createHandles(socket: JanusSocket): Handles {
  return {
    async attach() {
      const answer = await socket.ask({ janus: "attach", plugin: "janus.plugin.videoroom" });
      const id = answer.data?.id;
      if (id === undefined) throw unavailable("no handle");
      return id;
    },
    detach: (handle) => socket.send({ janus: "detach", handle_id: handle }),
    async message(handle, body, jsep) {
      const answer = await socket.ask({
        janus: "message",
        handle_id: handle,
        body,
        ...(jsep === undefined ? {} : { jsep }),
      });
      const data = answer.plugindata?.data ?? {};
      if (data["error_code"] !== undefined) {
        throw new AppError("conference.invalid", {
          details: { reason: String(data["error"]), code: data["error_code"] },
        });
      }
      return { data, jsep: answer.jsep };
    },
  };
}
