/** The lobby: open conferences, joining by number, creating one, checking the devices. */
import { Alert, Button } from "@arco-design/web-react";
import { CONFERENCE_TYPE } from "../../../shared/domain/conference-types.ts";
import { IconLock, IconRefresh, IconUserGroup } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { showMeetingNumber } from "../../../shared/domain/meeting-number.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { useRelativeTime } from "../../state/time.ts";
import { useSlice } from "../../state/services.ts";
import { CreateForm } from "./CreateForm.tsx";
import { JoinForm } from "./JoinForm.tsx";
import { PrecallDialog } from "./PrecallDialog.tsx";
import { UnsavedRecordings } from "./UnsavedRecordings.tsx";
import { useConference } from "./useConference.ts";
import { useOpen } from "./useOpen.ts";

export function Lobby() {
  const { t } = useTranslation();
  const open = useOpen();
  const actions = useConference();
  const relative = useRelativeTime();
  const { lastExit } = useSlice("conference");
  const { status } = useSlice("call");
  const [checking, setChecking] = useState(false);
  const [chosen, setChosen] = useState<{ id: string; locked: boolean } | null>(null);
  const inCall = status !== "idle";
  const wanted = chosen?.id ?? "";
  const reason = lastExit === null ? null : exitKey(lastExit.reason);
  return (
    <div className="conference-lobby">
      <div className="conference-lobby-main panel">
        <header className="conference-head">
          <h1>{t("conference.lobby.open")}</h1>
          <Button
            icon={<IconRefresh />}
            aria-label={t("conference.lobby.refresh")}
            onClick={open.again}
          />
          <Button onClick={() => setChecking(true)}>{t("conference.lobby.check")}</Button>
        </header>
        {inCall && <Alert type="warning" content={t("conference.lobby.inCall")} />}
        {lastExit !== null && reason !== null && (
          <Alert
            type={lastExit.failed ? "error" : "info"}
            content={t(`conference.lobby.last.${reason}`, { name: lastExit.name })}
          />
        )}
        <UnsavedRecordings />
        <ReadNote
          className="conference-none"
          answer={open.answer}
          failed={t("conference.lobby.failed")}
          onRetry={open.again}
        />
        {open.list?.length === 0 && (
          <div className="conference-none">
            <strong>{t("conference.lobby.empty")}</strong>
            <p>{t("conference.lobby.emptyHint")}</p>
          </div>
        )}
        <ul className="conference-list">
          {(open.list ?? []).map((one) => (
            <li key={one.confrId}>
              <div>
                <strong className="ellipsis" translate="no">
                  {one.name}
                </strong>
                <span>
                  {t(
                    `conference.lobby.types.${one.type === CONFERENCE_TYPE.p2p ? "10" : one.type}`,
                  )}{" "}
                  · {t("conference.lobby.by", { name: one.createdByName })} ·{" "}
                  {relative(one.createdAt)}
                </span>
                <span className="tnum">
                  {t("conference.inside.id")}{" "}
                  <span translate="no">{showMeetingNumber(one.confrId)}</span>
                </span>
              </div>
              <span className="conference-count tnum">
                <IconUserGroup aria-hidden="true" />
                {t("conference.lobby.members", { count: one.members })}
              </span>
              {one.hasPassword && <IconLock aria-label={t("conference.lobby.locked")} />}
              <Button
                type="primary"
                size="small"
                disabled={inCall}
                loading={actions.busy.has("join")}
                aria-label={`${t("conference.lobby.join")} ${one.name}`}
                onClick={() => {
                  if (one.hasPassword) setChosen({ id: one.confrId, locked: true });
                  else void actions.join({ confrId: one.confrId });
                }}
              >
                {t("conference.lobby.join")}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <div className="conference-lobby-side">
        <JoinForm
          key={wanted}
          actions={actions}
          initial={wanted}
          locked={chosen?.locked === true}
          disabled={inCall}
        />
        <CreateForm actions={actions} disabled={inCall} />
      </div>
      {checking && <PrecallDialog onClose={() => setChecking(false)} />}
    </div>
  );
}

const KNOWN = ["0", "2", "4", "10", "11", "12", "13"] as const;
const exitKey = (reason: number): (typeof KNOWN)[number] | "other" =>
  KNOWN.find((known) => known === String(reason)) ?? "other";
