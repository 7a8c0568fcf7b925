/** The raised hands, first raised first. An admin lets a person speak, or lowers one hand or all. */
import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import { HandIcon } from "../../components/call-icons.tsx";
import { useFrozenSlice } from "../../state/services.ts";
import type { ConferenceActions } from "./useConference.ts";
import { handsOf, isSilenced, type Member, nameOf } from "./view.ts";

export function HandsList({ actions }: { readonly actions: ConferenceActions }) {
  const { t } = useTranslation();
  const slice = useFrozenSlice("conference");
  const { members, self } = slice;
  const hands = handsOf(members);
  const admin = self?.role === CONFERENCE_ROLE.admin;
  if (hands.length === 0) return null;
  const allow = (member: Member): void => {
    if (member.role === CONFERENCE_ROLE.audience) actions.setRole(member.memId, member.role, 3);
    else actions.muteMember(member.memId, false);
  };
  const mayAllow = (member: Member): boolean =>
    member.role === CONFERENCE_ROLE.audience || isSilenced(slice, member);
  return (
    <div className="conference-hands">
      <h3>
        {t("conference.hands.title", { count: hands.length })}
        {admin && (
          <Button
            size="mini"
            type="text"
            loading={actions.busy.has("hands")}
            onClick={() => actions.lowerHands(hands.map(({ memId }) => memId))}
          >
            {t("conference.hands.lowerAll")}
          </Button>
        )}
      </h3>
      <ol
        className="conference-requests"
        aria-label={t("conference.hands.title", { count: hands.length })}
      >
        {hands.map((member) => (
          <li key={member.memId}>
            <HandIcon />
            <span className="ellipsis">
              <span translate="no">{nameOf(member)}</span>
              {member.memId === self?.memId && t("conference.members.me")}
            </span>
            {admin && member.memId !== self.memId && mayAllow(member) && (
              <Button
                size="mini"
                type="primary"
                aria-label={t("conference.hands.allowOf", { name: nameOf(member) })}
                onClick={() => allow(member)}
              >
                {t("conference.hands.allow")}
              </Button>
            )}
            {admin && (
              <Button
                size="mini"
                loading={actions.busy.has("hands")}
                aria-label={t("conference.hands.lowerOf", { name: nameOf(member) })}
                onClick={() => actions.lowerHands([member.memId])}
              >
                {t("conference.hands.lower")}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
