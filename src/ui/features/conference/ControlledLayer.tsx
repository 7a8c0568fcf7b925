/** For the person whose shared screen is asked for or controlled: the question, who controls, and the way to stop it at once. */
import { Button, Modal } from "@arco-design/web-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { useSlice } from "../../state/services.ts";
import { useControl } from "./useControl.ts";
import "./control.css";
import "../../i18n/conference-texts.ts";

export default function ControlledLayer(props: {
  /** The console is locked: nobody is there who could agree. */
  readonly locked: boolean;
}) {
  const { screen } = useSlice("conference").control;
  const name = screen.by?.nickName ?? "";
  if (screen.state === "controlled") return <ControlledBar name={name} />;
  if (screen.state !== "asked" || props.locked) return null;
  return <Question key={screen.id} id={screen.id} name={name} />;
}

function Question({ id, name }: { readonly id: string; readonly name: string }) {
  const { t } = useTranslation();
  const { answer } = useControl();
  useFocusBack(() => null);
  return (
    <Modal
      visible
      unmountOnExit
      maskClosable={false}
      title={t("conference.control.question")}
      okText={t("conference.control.agree")}
      cancelText={t("conference.control.refuse")}
      onOk={() => answer(id, true)}
      onCancel={() => answer(id, false)}
    >
      <p>{t("conference.control.questionText", { name })}</p>
    </Modal>
  );
}

function ControlledBar({ name }: { readonly name: string }) {
  const { t } = useTranslation();
  const { stop } = useControl();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // A key of the controller is not trusted: it means what it means in the page.
      if (event.key === "Escape" && event.isTrusted) stop();
    };
    addEventListener("keydown", onKey, true);
    return () => removeEventListener("keydown", onKey, true);
  }, [stop]);
  return (
    <div className="controlled-bar" role="alert">
      <i aria-hidden />
      <span>{t("conference.control.controlled", { name })}</span>
      <Button size="small" status="danger" type="primary" onClick={stop}>
        {t("conference.control.stop")}
      </Button>
    </div>
  );
}
