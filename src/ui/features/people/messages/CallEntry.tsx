/** Past calls as entries of a conversation (docs/chat.md#message-list); a click calls back. */
import { useState } from "react";
import { formatDate, formatDuration } from "../../../../shared/domain/format.ts";
import { groupIdOf } from "../../../../shared/domain/group-chat.ts";
import type { PageCallData, Row } from "../../../../shared/protocol/rest/page-calls.ts";
import { CameraIcon, PhoneIcon } from "../../../components/call-icons.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { useServices } from "../../../state/services.ts";
import { showError } from "../../../state/show-message.ts";
import { useRead } from "../../../state/useRead.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";

type PastCall = Row<"calls.records">;
type PastGroupCall = PageCallData<"groupCall.past">["calls"][number];
export type Entry = PastCall | PastGroupCall;

/** Calls that a conversation shows. */
const CALLS = 100;
/** How a call ended that was not answered. */
const TEXTS = {
  in: { missed: "call-missed-in", refused: "call-refused-in" },
  out: {
    refused: "call-refused-out",
    cancelled: "call-cancelled-out",
    busy: "call-busy-out",
    "no-response": "call-no-response-out",
  },
} as const satisfies Record<PastCall["direction"], Partial<Record<PastCall["result"], string>>>;
const NONE: readonly Entry[] = [];

function endingOf(direction: PastCall["direction"], result: PastCall["result"]) {
  if (direction === "in") {
    return result === "missed" || result === "refused" ? TEXTS.in[result] : "call-failed";
  }
  return result === "answered" || result === "missed" || result === "failed"
    ? "call-failed"
    : TEXTS.out[result];
}

/** The calls with a person or of a group, live. */
export function usePastCalls(chatId: string): readonly Entry[] {
  const groupId = groupIdOf(chatId);
  const ofPerson = useRead(
    groupId === null
      ? { call: "calls.records", query: { peer: chatId, limit: CALLS, searchCount: false } }
      : null,
  ).answer;
  const ofGroup = useRead(
    groupId === null ? null : { call: "groupCall.past", query: { groupId } },
  ).answer;
  if (groupId !== null) return ofGroup.state === "ready" ? ofGroup.data.calls : NONE;
  return ofPerson.state === "ready" ? ofPerson.data.records : NONE;
}

/** An entry of the conversation for a past call. */
export function CallEntry({ call }: { readonly call: Entry }) {
  return "confrId" in call ? <GroupEntry call={call} /> : <PersonEntry call={call} />;
}

/** A past call of the group, as every member sees it. */
function GroupEntry({ call }: { readonly call: PastGroupCall }) {
  const text = useTexts(CHAT_TEXTS);
  const { media, startedByName, startedAt, endedAt, people } = call;
  return (
    <li className="message-call">
      <span className="message-call-back" data-plain>
        {media === "video" ? <CameraIcon /> : <PhoneIcon />}
        {text(media === "video" ? "groupVideo" : "groupVoice", { name: startedByName })}
        {" · "}
        {text("groupCame", { count: people })}
        {" · "}
        {formatDuration(endedAt - startedAt)}
      </span>
      <time className="message-call-time" dateTime={new Date(startedAt).toISOString()}>
        {formatDate(startedAt, "{m}-{d} {h}:{i}")}
      </time>
    </li>
  );
}

function PersonEntry({ call }: { readonly call: PastCall }) {
  const text = useTexts(CHAT_TEXTS);
  const { core, media } = useServices();
  const [busy, setBusy] = useState(false);
  const { direction, result, startedAt, answeredAt, endedAt } = call;
  const said =
    answeredAt !== null
      ? text("callLasted", { duration: formatDuration(endedAt - answeredAt) })
      : text(endingOf(direction, result));
  const callBack = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      media.requireConnections();
      await core.commands.call.start({ userName: call.peer, name: call.name, media: call.media });
    } catch (error) {
      showError(error);
    }
    setBusy(false);
  };
  const kind = text(call.media === "video" ? "videoCall" : "voiceCall");
  return (
    <li className="message-call" data-self={direction === "out"} data-result={result}>
      <button
        type="button"
        className="message-call-back"
        title={text("callBack")}
        onClick={() => void callBack()}
      >
        {call.media === "video" ? <CameraIcon /> : <PhoneIcon />}
        <span className="visually-hidden">{kind}：</span>
        {said}
      </button>
      <time className="message-call-time" dateTime={new Date(startedAt).toISOString()}>
        {formatDate(startedAt, "{m}-{d} {h}:{i}")}
      </time>
    </li>
  );
}
