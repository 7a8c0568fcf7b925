/** The group call: those inside, those who are rung, and the controls. Only the owner tab has the pictures. */
import { IconSettings } from "@arco-design/web-react/icon";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { MinimizeIcon } from "../../components/call-icons.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCore, useLocked, useSlice } from "../../state/services.ts";
import { CallTimer } from "../call-parts/CallTimer.tsx";
import { useFloating } from "../call-parts/floating-context.ts";
import { FloatingAway, FloatingButton } from "../call-parts/FloatingButton.tsx";
import { ConferenceMutedHint } from "../call-parts/MutedHint.tsx";
import { RoundButton } from "../call-parts/RoundButton.tsx";
import { useDialogFocus } from "../call-parts/useDialogFocus.ts";
import { ConferenceBody, useActionsWithHint } from "../conference/ConferenceBody.tsx";
import { SettingsDialog } from "../conference/SettingsDialog.tsx";
import { EFFECT_TEXTS } from "../effects/texts.ts";
import { Controls } from "./Controls.tsx";
import { InvitePeople } from "./CallPeopleDialog.tsx";
import { RungStrip } from "./RungStrip.tsx";
import { GROUP_CALL_TEXTS } from "./texts.ts";
import { useGroupCall } from "./useGroupCall.ts";
import { useGroupCallName } from "./call-name.ts";
import { useGroupCallWindow } from "./window.ts";
import "../conference/arco.ts";
import "../conference/conference.css";
import "../call/call.css";
import "./group-call.css";
import "../../i18n/conference-texts.ts";

export default function GroupCallWindow() {
  const { t } = useTranslation();
  const text = useTexts(GROUP_CALL_TEXTS);
  const effectText = useTexts(EFFECT_TEXTS);
  const core = useCore();
  const { status, startedAt } = useSlice("groupCall");
  const { owner, members, status: conferenceStatus } = useSlice("conference");
  const name = useGroupCallName();
  const { setLarge } = useGroupCallWindow();
  const actions = useGroupCall();
  const conference = useActionsWithHint();
  const { away } = useFloating();
  const [inviting, setInviting] = useState(false);
  const [settings, setSettings] = useState(false);
  const locked = useLocked();
  const dialog = useDialogFocus();
  // The call of two, which becomes this one, is still in front.
  const behind = useSlice("call").status !== "idle";
  useEffect(() => {
    if (!behind) dialog.current?.focus({ preventScroll: true });
  }, [behind, dialog]);
  const ownsMedia = owner?.tabId === core.tabId;
  const entering = status === "entering" || conferenceStatus === "connecting";
  return (
    <section
      ref={dialog}
      className="gcall"
      role="dialog"
      aria-modal="true"
      aria-label={text("window", { name })}
      data-status={status}
      data-owner={ownsMedia}
      inert={behind}
      tabIndex={-1}
    >
      <header className="gcall-top">
        <div className="gcall-who">
          <strong className="ellipsis" translate="no">
            {name}
          </strong>
          <span className="gcall-state" role="status">
            {entering && text("connecting")}
            {!entering &&
              conferenceStatus === "reconnecting" &&
              t("conference.inside.reconnecting")}
            {!entering &&
              conferenceStatus !== "reconnecting" &&
              text("people", { count: Object.keys(members).length })}
          </span>
          <CallTimer startedAt={startedAt} />
        </div>
        <div className="call-corner">
          {ownsMedia && (
            <FloatingButton
              video={() =>
                dialog.current?.querySelector<HTMLVideoElement>(
                  '.conference-video:not([data-self="true"])',
                ) ?? null
              }
            />
          )}
          {ownsMedia && (
            <RoundButton small label={effectText("open")} onClick={() => setSettings(true)}>
              <IconSettings />
            </RoundButton>
          )}
          <RoundButton small label={t("call.minimize")} onClick={() => setLarge(false)}>
            <MinimizeIcon />
          </RoundButton>
        </div>
      </header>
      {ownsMedia && away && !behind ? (
        <div className="gcall-body">
          <FloatingAway />
          <ConferenceMutedHint />
        </div>
      ) : (
        <ConferenceBody
          className="gcall-body"
          actions={conference}
          layout="grid"
          alone={text("waiting")}
          elsewhere={entering ? text("connecting") : text(owner === null ? "taking" : "elsewhere")}
          bringHere={text("bringHere")}
          onChoose={() => setSettings(true)}
        />
      )}
      <RungStrip actions={actions} />
      <Controls actions={actions} conference={conference} onInvite={() => setInviting(true)} />
      {settings && <SettingsDialog keys={false} onClose={() => setSettings(false)} />}
      {inviting && !locked && <InvitePeople actions={actions} onClose={() => setInviting(false)} />}
    </section>
  );
}
