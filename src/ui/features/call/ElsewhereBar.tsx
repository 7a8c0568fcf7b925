/** The call that this person has on another device, with the button that brings it here (docs/calls.md#to-another-device). */
import { Button } from "@arco-design/web-react";
import { IconClose, IconPhone } from "@arco-design/web-react/icon";
import { useState } from "react";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useSlice } from "../../state/services.ts";
import { useCallActions } from "./useCallActions.ts";
import "./elsewhere.css";

const TEXTS = texts({
  goesOn: ["通话正在另一台设备上进行", "A call is in progress on your other device"],
  hide: ["不再显示此通话", "Hide this call"],
  goOn: ["在此设备继续", "Continue on this device"],
});

export default function ElsewhereBar() {
  const text = useTexts(TEXTS);
  const { elsewhere } = useSlice("call");
  const actions = useCallActions();
  /** The call whose bar the person has closed in this tab. */
  const [hidden, setHidden] = useState<string | null>(null);
  if (elsewhere == null || hidden === elsewhere.confrId) return null;
  return (
    <section className="celse-bar" role="status" aria-label={text("goesOn")}>
      <IconPhone aria-hidden="true" />
      <p>
        <strong className="ellipsis" translate="no">
          {elsewhere.name}
        </strong>
        <span>{text("goesOn")}</span>
      </p>
      <Button type="primary" size="small" loading={actions.busy === "goOn"} onClick={actions.goOn}>
        {text("goOn")}
      </Button>
      <Button
        type="text"
        size="small"
        icon={<IconClose />}
        aria-label={text("hide")}
        title={text("hide")}
        onClick={() => setHidden(elsewhere.confrId)}
      />
    </section>
  );
}
