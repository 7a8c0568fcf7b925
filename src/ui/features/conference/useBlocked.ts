/** Whether the media of this conference find no way at all: some stream is being connected, and none ever was (docs/conferences.md#blocked). */
import { useEffect, useState } from "react";
import { MEDIA_BLOCKED_MILLIS } from "../../../shared/domain/network-words.ts";
import { useSlice } from "../../state/services.ts";

export function useBlocked(): boolean {
  const { streams, info, status } = useSlice("conference");
  const id = info?.confrId ?? "";
  const connections = Object.values(streams).map(({ connection }) => connection);
  const flows = connections.some((one) => one === "connected" || one === "weak");
  /** The conference in which a connection came up. A later loss of it is shown as such. */
  const [flowed, setFlowed] = useState("");
  if (flows && flowed !== id) setFlowed(id);
  const trying =
    status === "joined" && !flows && flowed !== id && connections.some((one) => one !== "none");
  const [blocked, setBlocked] = useState("");
  useEffect(() => {
    if (!trying) return undefined;
    const timer = setTimeout(() => setBlocked(id), MEDIA_BLOCKED_MILLIS);
    return () => clearTimeout(timer);
  }, [trying, id]);
  return blocked !== "" && blocked === id && !flows && flowed !== id;
}
