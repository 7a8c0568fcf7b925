/** The members, their requests, and what an admin can do. */
import { Button, Dropdown, Menu } from "@arco-design/web-react";
import { CONFERENCE_ROLE, STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { IconMore } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Avatar } from "../../components/Avatar.tsx";
import { HandIcon, MicIcon, MicOffIcon } from "../../components/call-icons.tsx";
import { ask } from "../../state/ask.ts";
import { useFrozenSlice } from "../../state/services.ts";
import { HandsList } from "./HandsList.tsx";
import { InviteDialog } from "./InviteDialog.tsx";
import { MuteAllDialog } from "./MuteAllDialog.tsx";
import { Panel } from "./Panel.tsx";
import type { ConferenceActions } from "./useConference.ts";
import { isSilenced, type Member, nameOf } from "./view.ts";

export function MembersPanel(props: {
  readonly actions: ConferenceActions;
  readonly onClose: () => void;
}) {
  const { actions } = props;
  const { t } = useTranslation();
  const slice = useFrozenSlice("conference");
  const { members, streams, self, requests, muteAll, asked } = slice;
  const [inviting, setInviting] = useState(false);
  const [muting, setMuting] = useState(false);
  const admin = self?.role === CONFERENCE_ROLE.admin;
  const list = Object.values(members).sort(
    (a, b) => Number(b.memId === self?.memId) - Number(a.memId === self?.memId) || b.role - a.role,
  );
  const heard = (member: Member): boolean =>
    Object.values(streams).some(
      (stream) =>
        stream.memId === member.memId && stream.type === STREAM_TYPE.camera && stream.aoff === 0,
    );
  return (
    <Panel
      label={t("conference.bar.members")}
      title={t("conference.members.title", { count: list.length })}
      onClose={props.onClose}
      action={
        <Button size="small" onClick={() => setInviting(true)}>
          {t("conference.members.invite")}
        </Button>
      }
    >
      {admin && (
        <div className="conference-all">
          <Button
            size="small"
            loading={actions.busy.has("mute-all")}
            onClick={() => (muteAll ? actions.muteAll(false) : setMuting(true))}
          >
            {t(muteAll ? "conference.members.unmuteAll" : "conference.members.muteAll")}
          </Button>
        </div>
      )}
      {admin && Object.keys(requests).length > 0 && (
        <ul className="conference-requests" aria-label={t("conference.members.requests")}>
          {Object.values(requests).map((request) => (
            <li key={request.id} role="alert">
              <span>
                {t(
                  request.kind === "talker"
                    ? "conference.members.talkerRequest"
                    : "conference.members.adminRequest",
                  { name: request.nickName },
                )}
              </span>
              <Button
                size="mini"
                type="primary"
                loading={actions.busy.has(`answer:${request.id}`)}
                onClick={() => actions.answer(request.id, true)}
              >
                {t("conference.members.agree")}
              </Button>
              <Button size="mini" onClick={() => actions.answer(request.id, false)}>
                {t("conference.members.refuse")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <HandsList actions={actions} />
      <ul className="conference-members">
        {list.map((member) => (
          <li key={member.memId} data-member={member.memName} data-role={member.role}>
            <Avatar name={nameOf(member)} person={member.memName} size={32} />
            <span className="conference-member">
              <span className="ellipsis">
                <span translate="no">{nameOf(member)}</span>
                {member.memId === self?.memId && t("conference.members.me")}
              </span>
              <small>{t(`conference.members.roles.${member.role}`)}</small>
            </span>
            {member.hand !== undefined && (
              <span className="conference-hand" title={t("conference.hands.up")}>
                <HandIcon />
                <span className="visually-hidden">{t("conference.hands.up")}</span>
              </span>
            )}
            <span className="conference-mic" data-on={heard(member)}>
              {heard(member) ? <MicIcon /> : <MicOffIcon />}
            </span>
            {admin && member.memId !== self?.memId && (
              <Actions
                member={member}
                actions={actions}
                mutable={
                  // a server that does not send `muted`: judge by what is audible
                  member.muted === undefined ? heard(member) : !isSilenced(slice, member)
                }
              />
            )}
          </li>
        ))}
      </ul>
      {!admin && (
        <Button
          size="small"
          disabled={asked !== null}
          loading={actions.busy.has("request")}
          onClick={() => actions.request("admin")}
        >
          {t("conference.members.askAdmin")}
        </Button>
      )}
      {muting && <MuteAllDialog actions={actions} onClose={() => setMuting(false)} />}
      {inviting && <InviteDialog actions={actions} onClose={() => setInviting(false)} />}
    </Panel>
  );
}

function Actions(props: {
  readonly member: Member;
  readonly actions: ConferenceActions;
  /** Whether the member can be muted; else the mute can be lifted. */
  readonly mutable: boolean;
}) {
  const { member, actions, mutable } = props;
  const { t } = useTranslation();
  const name = nameOf(member);
  const kick = (): void => {
    ask({
      title: t("conference.members.kick"),
      content: t("conference.members.kickAsk", { name }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () => actions.kick(member.memId),
    });
  };
  const act = (key: string): void => {
    if (key === "mute") actions.muteMember(member.memId, mutable);
    else if (key === "kick") kick();
    else actions.setRole(member.memId, member.role, Number(key) as 7 | 3 | 1);
  };
  return (
    <Dropdown
      trigger="click"
      position="br"
      droplist={
        <Menu onClickMenuItem={act}>
          <Menu.Item key="mute">
            {t(mutable ? "conference.members.mute" : "conference.members.unmute")}
          </Menu.Item>
          {member.role !== CONFERENCE_ROLE.admin ? (
            <Menu.Item key="7">{t("conference.members.toAdmin")}</Menu.Item>
          ) : null}
          {member.role !== CONFERENCE_ROLE.talker ? (
            <Menu.Item key="3">{t("conference.members.toTalker")}</Menu.Item>
          ) : null}
          {member.role !== CONFERENCE_ROLE.audience ? (
            <Menu.Item key="1">{t("conference.members.toAudience")}</Menu.Item>
          ) : null}
          <Menu.Item key="kick">{t("conference.members.kick")}</Menu.Item>
        </Menu>
      }
    >
      <Button
        size="mini"
        type="text"
        icon={<IconMore />}
        aria-label={t("conference.members.actions", { name })}
      />
    </Dropdown>
  );
}
