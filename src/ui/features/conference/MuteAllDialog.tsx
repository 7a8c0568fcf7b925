/** Asks an admin, before all are muted, whether people may unmute themselves. */
import { Checkbox, Modal } from "@arco-design/web-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFocusBack } from "../../components/useFocusBack.ts";
import type { ConferenceActions } from "./useConference.ts";

export function MuteAllDialog(props: {
  readonly actions: ConferenceActions;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  useFocusBack(() => null);
  const [mayUnmute, setMay] = useState(true);
  return (
    <Modal
      visible
      unmountOnExit
      title={t("conference.members.muteAll")}
      okText={t("conference.members.muteAll")}
      cancelText={t("common.cancel")}
      onCancel={props.onClose}
      onOk={() => {
        props.actions.muteAll(true, mayUnmute);
        props.onClose();
      }}
    >
      <div className="conference-settings">
        <p>{t("conference.members.muteAllAsk")}</p>
        <Checkbox checked={mayUnmute} onChange={setMay}>
          {t("conference.members.mayUnmute")}
        </Checkbox>
        {!mayUnmute && <p className="conference-hint">{t("conference.members.mayNotUnmute")}</p>}
      </div>
    </Modal>
  );
}
