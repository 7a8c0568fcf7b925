/** Shown above the tiles: which of the own devices is missing, why, and what the person can do. */
import { Button } from "@arco-design/web-react";
import { IconClose } from "@arco-design/web-react/icon";
import { useTranslation } from "react-i18next";
import { useSlice } from "../../state/services.ts";
import { useTexts } from "../../i18n/texts.ts";
import { CALL_WINDOW_TEXTS } from "../call-parts/texts.ts";
import { hintsOf, waysOf } from "../call-parts/own-devices.ts";
import type { ConferenceActions } from "./useConference.ts";
import { useHintText } from "./useHintText.ts";

const AUDIENCE = 1;

export function DevicesHint(props: {
  readonly actions: ConferenceActions;
  /** The hint that the person has closed. */
  readonly closed: string;
  readonly onClose: (hint: string) => void;
  /** Opens the choice of devices. */
  readonly onChoose: () => void;
}) {
  const { actions, closed } = props;
  const { t } = useTranslation();
  const text = useHintText();
  const callText = useTexts(CALL_WINDOW_TEXTS);
  const { local, self, status } = useSlice("conference");
  const inside = status === "joined" && self !== null && self.role !== AUDIENCE;
  const hints = inside ? hintsOf(local) : [];
  const key = JSON.stringify(hints);
  if (hints.length === 0 || key === closed) return null;
  const ways = waysOf(hints);
  return (
    <div
      className="conference-devices"
      role="status"
      data-what={hints.map(({ what }) => what).join(" ")}
    >
      <div>
        {hints.map((hint) => (
          <p key={hint.what}>{text(hint)}</p>
        ))}
        {ways.has("without") && (
          <p className="conference-devices-still">{t("conference.devices.still")}</p>
        )}
      </div>
      {ways.has("retry") && (
        <Button size="small" type="primary" onClick={actions.retryDevices}>
          {t("common.retry")}
        </Button>
      )}
      {ways.has("choose") && (
        <Button size="small" onClick={props.onChoose}>
          {callText("chooseDevice")}
        </Button>
      )}
      <Button
        size="small"
        type="text"
        icon={<IconClose />}
        aria-label={t("conference.devices.close")}
        onClick={() => props.onClose(key)}
      />
    </div>
  );
}
