/** Sends invitations as chat messages to colleagues. */
import { Button, Checkbox, Input, Modal } from "@arco-design/web-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Avatar } from "../../components/Avatar.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { showMessage } from "../../state/show-message.ts";
import { useSlice } from "../../state/services.ts";
import { useContacts } from "../contacts/useContacts.ts";
import type { ConferenceActions } from "./useConference.ts";

export function InviteDialog(props: {
  readonly actions: ConferenceActions;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  useFocusBack(() => null);
  const [keyword, setKeyword] = useState("");
  const contacts = useContacts(keyword);
  const { members } = useSlice("conference");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const inside = new Set(Object.values(members).map((member) => member.memName));
  const send = async (): Promise<void> => {
    if (!(await props.actions.invite([...chosen]))) return;
    showMessage("success", t("conference.members.invited"));
    props.onClose();
  };
  return (
    <Modal
      visible
      title={t("conference.members.invite")}
      onCancel={props.onClose}
      unmountOnExit
      footer={
        <Button
          type="primary"
          disabled={chosen.length === 0}
          loading={props.actions.busy.has("invite")}
          onClick={() => void send()}
        >
          {t("conference.members.inviteSend")}
        </Button>
      }
    >
      <Input.Search
        value={keyword}
        onChange={setKeyword}
        aria-label={t("people.search")}
        placeholder={t("people.search")}
      />
      <ul className="conference-invite">
        {contacts.list
          .filter((one) => !inside.has(one.userName))
          .map((one) => (
            <li key={one.userName}>
              <Checkbox
                checked={chosen.includes(one.userName)}
                onChange={(on) =>
                  setChosen(
                    on ? [...chosen, one.userName] : chosen.filter((name) => name !== one.userName),
                  )
                }
              >
                <span className="conference-invitee">
                  <Avatar name={one.name} src={one.avatar} size={24} />
                  {one.name}
                  <small>{one.department}</small>
                </span>
              </Checkbox>
            </li>
          ))}
      </ul>
    </Modal>
  );
}
