/** Calls that go on and that this person may join: those of a group above its messages, those of chosen people above the list. */
import { Button } from "@arco-design/web-react";
import { IconPhone } from "@arco-design/web-react/icon";
import { useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { GROUP_CALL_TEXTS } from "./texts.ts";
import { useGroupCall } from "./useGroupCall.ts";
import "./group-call.css";

/** @param props.groupId null: calls without a group */
export function GroupCallBanner({ groupId }: { readonly groupId: string | null }) {
  const text = useTexts(GROUP_CALL_TEXTS);
  const { answer } = useRead({ call: "groupCall.open" });
  const { status, info } = useSlice("groupCall");
  const actions = useGroupCall();
  if (answer.state !== "ready") return null;
  const calls = answer.data.calls.filter(
    (call) =>
      call.groupId === groupId &&
      call.inside > 0 &&
      !(status !== "idle" && info?.channel === call.confrId),
  );
  return calls.map((call) => (
    <section key={call.confrId} className="gcall-banner" aria-label={text("title")}>
      <IconPhone aria-hidden="true" />
      <p>{text("goesOn", { name: call.startedByName, count: call.inside })}</p>
      <Button
        type="primary"
        size="small"
        loading={actions.busy.has("join")}
        onClick={() => actions.join(call.confrId)}
      >
        {text("join")}
      </Button>
    </section>
  ));
}
