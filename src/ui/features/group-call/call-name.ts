/** What a group call is named in its windows. */
import { useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { nameOf } from "../conference/view.ts";
import { GROUP_CALL_TEXTS } from "./texts.ts";

/** Names of people that a call without a group shows. */
const NAMES = 3;

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
