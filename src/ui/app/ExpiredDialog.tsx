/** Asks whether to log in again, or to stay on the page with what is written there (docs/session.md#expired-login). */
import { Modal } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { useFocusBack } from "../components/useFocusBack.ts";
import { useExpiredAnswer } from "../state/expired.ts";

export default function ExpiredDialog() {
  const { t } = useTranslation();
  const answer = useExpiredAnswer();
  // who stays goes on writing
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  return (
    <Modal
      visible
      title={t("session.expiredTitle")}
      okText={t("session.again")}
      cancelText={t("common.cancel")}
      closable={false}
      maskClosable={false}
      onOk={() => answer(true)}
      onCancel={() => void answer(false)}
    >
      {t("session.expired")}
    </Modal>
  );
}
