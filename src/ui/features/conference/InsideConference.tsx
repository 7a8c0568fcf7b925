/** Inside a conference: tiles, controls, members and messages. Every tab shows the state; only the owner tab has the media. */
import { Tooltip } from "@arco-design/web-react";
import { addressOf } from "../../../core-client/base-path.ts";
import { CONFERENCE_ROLE, STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { IconCopy, IconLink } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { showMeetingNumber } from "../../../shared/domain/meeting-number.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { useCore, useSlice } from "../../state/services.ts";
import { HandIcon } from "../../components/call-icons.tsx";
import { CallTimer } from "../call-parts/CallTimer.tsx";
import { Bar, type Panel } from "./Bar.tsx";
import { useCameraConsent } from "./CameraChoice.tsx";
import { ChatPanel } from "./ChatPanel.tsx";
import { MembersPanel } from "./MembersPanel.tsx";
import { controlsOf } from "../call-parts/own-devices.ts";
import { RecordingMark } from "./RecordingMark.tsx";
import { ConferenceBody, useActionsWithHint } from "./ConferenceBody.tsx";
import { SettingsDialog } from "./SettingsDialog.tsx";
import type { Layout } from "./Stage.tsx";
import { useShortcuts } from "../call-parts/useShortcuts.ts";
import { handsOf, nameOf } from "./view.ts";

export default function InsideConference() {
  const { t } = useTranslation();
  const core = useCore();
  const conference = useSlice("conference");
  const actions = useActionsWithHint();
  const [layout, setLayout] = useState<Layout>("grid");
  const [panel, setPanel] = useState<Panel | null>(null);
  const [settings, setSettings] = useState(false);
  const [read, setRead] = useState(0);
  const count = conference.messages.length;
  if (panel === "chat" && read !== count) setRead(count);
  const toggle = (wanted: Panel): void => setPanel((now) => (now === wanted ? null : wanted));
  const ownsMedia = conference.owner?.tabId === core.tabId;
  useCameraConsent(ownsMedia);
  const { self, local, streams } = conference;
  const screen = Object.values(streams).find(
    (stream) => stream.located && stream.type === STREAM_TYPE.screen,
  );
  const { microphone, camera } = controlsOf(local);
  const admin = self?.role === CONFERENCE_ROLE.admin;
  const hands = handsOf(conference.members);
  const audience = self?.role === CONFERENCE_ROLE.audience;
  useShortcuts(
    {
      m: () => !audience && !microphone.asking && actions.setMuted(microphone.on),
      v: () => !audience && !camera.asking && actions.setVideoOff(camera.on),
      s: () => {
        if (audience) return;
        if (screen === undefined) actions.share();
        else actions.unshare(screen.id);
      },
      h: () => actions.hand(self?.hand === undefined),
      p: () => toggle("members"),
      c: () => toggle("chat"),
      l: () => setLayout((now) => (now === "grid" ? "speaker" : "grid")),
    },
    () => setPanel(null),
  );
  const id = conference.info?.confrId ?? "";
  const copy = (text: string): void => {
    navigator.clipboard
      .writeText(text)
      .then(() => showMessage("success", t("conference.inside.copied")), showError);
  };
  return (
    <section
      className="conference-inside"
      aria-label={conference.info?.name ?? t("conference.title")}
      data-status={conference.status}
      data-owner={ownsMedia}
      data-panel={panel !== null}
    >
      <header className="conference-top">
        <strong className="ellipsis" translate="no">
          {conference.info?.name}
        </strong>
        <CallTimer startedAt={conference.startedAt} />
        <Tooltip content={t("conference.inside.copyId")}>
          <button type="button" className="conference-id" onClick={() => copy(id)}>
            <span className="ellipsis">
              <span className="conference-id-label">{t("conference.inside.id")} </span>
              <span translate="no">{showMeetingNumber(id)}</span>
            </span>
            <IconCopy aria-label={t("conference.inside.copyId")} />
          </button>
        </Tooltip>
        <Tooltip content={t("conference.inside.copyLink")}>
          <button
            type="button"
            className="conference-id"
            aria-label={t("conference.inside.copyLink")}
            onClick={() => copy(addressOf(`/im/conference?id=${id}`))}
          >
            <IconLink />
          </button>
        </Tooltip>
        <span role="status">
          {hands[0] !== undefined && (
            <button
              type="button"
              className="conference-id conference-hands-pill"
              onClick={() => setPanel("members")}
            >
              <HandIcon />
              <span className="ellipsis">
                {t("conference.hands.some", { name: nameOf(hands[0]), count: hands.length })}
              </span>
            </button>
          )}
        </span>
        <RecordingMark />
        <span className="conference-state" role="status">
          {conference.status === "connecting" && t("conference.inside.connecting")}
          {conference.status === "reconnecting" && t("conference.inside.reconnecting")}
          {conference.status === "leaving" && t("conference.inside.leaving")}
          {conference.status === "joined" &&
            conference.mutedByAdmin &&
            t("conference.inside.mutedByAdmin")}
          {conference.status === "joined" &&
            !conference.mutedByAdmin &&
            conference.muteAll &&
            (admin || self?.free !== true) &&
            t(
              `conference.inside.${admin ? "allMuted" : conference.mayUnmute ? "mayUnmute" : "muteAllOn"}`,
            )}
        </span>
      </header>
      <ConferenceBody
        className="conference-body"
        actions={actions}
        layout={layout}
        elsewhere={t(
          conference.owner === null ? "conference.inside.taking" : "conference.inside.elsewhere",
        )}
        bringHere={t("conference.inside.bringHere")}
        onChoose={() => setSettings(true)}
      />
      {panel === "members" && <MembersPanel actions={actions} onClose={() => setPanel(null)} />}
      {panel === "chat" && <ChatPanel actions={actions} onClose={() => setPanel(null)} />}
      <Bar
        actions={actions}
        panel={panel}
        onPanel={toggle}
        onLayout={() => setLayout((now) => (now === "grid" ? "speaker" : "grid"))}
        onSettings={() => setSettings(true)}
        unread={Math.max(0, count - read)}
      />
      {settings && <SettingsDialog keys onClose={() => setSettings(false)} />}
    </section>
  );
}
