/** Whether this tab shows the group call large; the other tabs show a pill. */
import { useTexts } from "../../i18n/texts.ts";
import { useCallChoice } from "../call-parts/call-window.tsx";
import { nameOf } from "../conference/view.ts";
import { useCore, useSlice } from "../../state/services.ts";
import { GROUP_CALL_TEXTS } from "./texts.ts";

/** Names of people that a call without a group shows. */
const NAMES = 3;

export function useGroupCallWindow(): {
  readonly large: boolean;
  readonly setLarge: (large: boolean) => void;
  /** The call covers the page, which is inert. */
  readonly modal: boolean;
} {
  const { tabId } = useCore();
  const { status, info, gestureTab } = useSlice("groupCall");
  const { owner } = useSlice("conference");
  const { choice, choose } = useCallChoice();
  const callId = info?.callId ?? "";
  const chosen = choice?.callId === callId ? choice.large : null;
  const large = chosen ?? (owner?.tabId ?? gestureTab) === tabId;
  return {
    large,
    setLarge: (next) => choose({ callId, large: next }),
    modal: status === "ringing" || (status !== "idle" && large),
  };
}

/** The name of the call: the name of its group, or of the person who started it; for that person, the names of the others inside. */
export function useGroupCallName(): string {
  const { info } = useSlice("groupCall");
  const { groups } = useSlice("chat");
  const { chatUserName } = useSlice("session");
  const { members } = useSlice("conference");
  const text = useTexts(GROUP_CALL_TEXTS);
  if (info === null) return "";
  const group = info.groupId === null ? undefined : groups[info.groupId];
  if (group !== undefined) return group.name;
  if (info.fromUser !== chatUserName) return info.fromName;
  const others = Object.values(members).filter(({ memName }) => memName !== chatUserName);
  if (others.length === 0) return text("title");
  return `${others.slice(0, NAMES).map(nameOf).join("、")}${others.length > NAMES ? "…" : ""}`;
}
