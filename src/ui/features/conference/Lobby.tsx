/** The lobby: open conferences, joining by number, creating one, checking the devices. */
import { Alert, Button, Skeleton } from "@arco-design/web-react";
import { CONFR_TYPE } from "../../../shared/domain/conference-types.ts";
import { IconLock, IconRefresh, IconUserGroup } from "@arco-design/web-react/icon";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";
import type { CommandOutput } from "../../../shared/protocol/core-rpc.ts";
import { showMeetingNumber } from "../../../shared/domain/meeting-number.ts";
import { useRelativeTime } from "../../state/time.ts";
import { keepTrying } from "../../state/recover.ts";
import { useCore, useOutage, useSlice } from "../../state/services.ts";
import { CreateForm } from "./CreateForm.tsx";
import { JoinForm } from "./JoinForm.tsx";
import { PrecallDialog } from "./PrecallDialog.tsx";
import { useConference } from "./useConference.ts";

type Open = CommandOutput<"conference", "open">;

function useOpen() {
  const core = useCore();
  const { conference } = core.commands;
  const outage = useOutage();
  const { supplierId } = useSlice("session");
  const [list, setList] = useState<Open | null>(null);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (outage !== null) return undefined;
    let live = true;
    const end = keepTrying(
      async () => {
        const found = await conference.open({});
        if (!live) return;
        setList(found);
        setFailed(false);
      },
      () => setFailed(true),
      () => core.state.session.status === "anonymous",
    );
    return () => {
      live = false;
      end();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a refresh or another company repeats the request
  }, [core, conference, outage, supplierId, attempt]);
  return {
    list,
    failed: failed && outage === null,
    again: useCallback(() => setAttempt((n) => n + 1), []),
  };
}

export function Lobby() {
  const { t } = useTranslation();
  const open = useOpen();
  const actions = useConference();
  const relative = useRelativeTime();
  const [params] = useSearchParams();
  const { lastExit } = useSlice("conference");
  const { status } = useSlice("call");
  const [checking, setChecking] = useState(false);
  const [chosen, setChosen] = useState<{ id: string; locked: boolean } | null>(null);
  const inCall = status !== "idle";
  const wanted = chosen?.id ?? params.get("id") ?? "";
  const reason = lastExit === null ? null : exitKey(lastExit.reason);
  return (
    <div className="confr-lobby">
      <div className="confr-lobby-main panel">
        <header className="confr-head">
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
        {open.failed && (
          <div className="confr-none" role="alert">
            <p>{t("conference.lobby.failed")}</p>
            <Button onClick={open.again}>{t("common.retry")}</Button>
          </div>
        )}
        {!open.failed && open.list === null && <Skeleton animation />}
        {open.list?.length === 0 && (
          <div className="confr-none">
            <strong>{t("conference.lobby.empty")}</strong>
            <p>{t("conference.lobby.emptyHint")}</p>
          </div>
        )}
        <ul className="confr-list">
          {(open.list ?? []).map((one) => (
            <li key={one.confrId}>
              <div>
                <strong className="ellipsis">{one.name}</strong>
                <span>
                  {t(`conference.lobby.types.${one.type === CONFR_TYPE.p2p ? "10" : one.type}`)} ·{" "}
                  {t("conference.lobby.by", { name: one.createdByName })} ·{" "}
                  {relative(one.createdAt)}
                </span>
                <span className="tnum">
                  {t("conference.room.id")} {showMeetingNumber(one.confrId)}
                </span>
              </div>
              <span className="confr-count tnum">
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
      <div className="confr-lobby-side">
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

const KNOWN = ["0", "2", "4", "10", "11", "12"] as const;
const exitKey = (reason: number): (typeof KNOWN)[number] | "other" =>
  KNOWN.find((known) => known === String(reason)) ?? "other";
