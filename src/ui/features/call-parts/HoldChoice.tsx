/**
 * Whether Space is push to talk, in the dialog of devices and effects (docs/calls.md#muted). It stands apart from the hint, since the
 * call windows do without Arco's switch.
 */
import { Switch } from "@arco-design/web-react";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useAppearance } from "../../state/services.ts";

const TEXTS = texts({
  choice: ["静音时按住空格键发言", "Hold Space to talk while muted"],
});

export function HoldChoice() {
  const text = useTexts(TEXTS);
  const [{ holdToTalk }, setAppearance] = useAppearance();
  return (
    <div className="effect-choice">
      <span aria-hidden="true">{text("choice")}</span>
      <Switch
        aria-label={text("choice")}
        checked={holdToTalk}
        onChange={(on) => setAppearance({ holdToTalk: on })}
      />
    </div>
  );
}
